/* FMI 2.0 for co-simulation over instance.c. Types as the standard's section 2.1.2 defines them. */
#include "instance.h"

typedef instance *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef unsigned fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef const char *fmi2String;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;
typedef void (*logger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
typedef struct {
    logger log;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment environment;
} fmi2CallbackFunctions;

#define OR_ERROR(good) ((good) ? fmi2OK : fmi2Error)

static void logged(void *receiver, enum category category, const char *message)
{
    const fmi2Component me = receiver;
    const fmi2CallbackFunctions *to = me->callback;
    const fmi2Status statuses[] = {fmi2Error, fmi2Discard, fmi2OK};
    char format[2 * sizeof me->message], *at = format;
    do { /* a format without arguments, for importers that read no arguments */
        if (*message == '%') *at++ = '%';
        *at++ = *message;
    } while (*message++);
    to->log(to->environment, me->name, statuses[category], categories[category], format);
}

EXPORTED const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORTED const char *fmi2GetVersion(void) { return "2.0"; }

EXPORTED fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                                       const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging)
{
    fmi2Component me = type == fmi2CoSimulation ? instance_make(name, token) : NULL;
    (void)visible;
    if (me) me->logged = logging ? ~0u : 1u << AS_ERROR | 1u << AS_DISCARD;
    if (me && functions && functions->log) {
        me->callback = (void *)functions;
        me->log = logged;
    }
    if (!me || instance_open(me, resources)) return me;
    instance_free(me);
    return NULL;
}

EXPORTED fmi2Status fmi2SetDebugLogging(fmi2Component me, fmi2Boolean on, size_t count, const fmi2String names[])
{
    return OR_ERROR(instance_debug(me, on, count, names));
}

EXPORTED fmi2Status fmi2SetupExperiment(fmi2Component me, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                                        fmi2Real start, fmi2Boolean stopDefined, fmi2Real stop)
{
    (void)toleranceDefined; (void)tolerance; /* the step is fixed */
    if (!instance_phase(me, INSTANTIATED, "fmi2SetupExperiment")) return fmi2Error;
    return OR_ERROR(instance_setup(me, start, stopDefined ? stop : 1e300));
}

EXPORTED fmi2Status fmi2EnterInitializationMode(fmi2Component me)
{
    if (!instance_phase(me, INSTANTIATED, "fmi2EnterInitializationMode")) return fmi2Error;
    me->now->phase = INITIALIZING;
    return fmi2OK;
}

EXPORTED fmi2Status fmi2GetReal(fmi2Component me, const fmi2ValueReference vr[], size_t count, fmi2Real values[])
{
    return OR_ERROR(instance_get(me, vr, count, values));
}

EXPORTED fmi2Status fmi2SetReal(fmi2Component me, const fmi2ValueReference vr[], size_t count, const fmi2Real values[])
{
    return OR_ERROR(instance_set(me, vr, count, values));
}

/* There are variables of type Real only. */
#define NONE_OF(Name, type)                                                                                         \
    EXPORTED fmi2Status fmi2Get##Name(fmi2Component me, const fmi2ValueReference vr[], size_t count, type values[]) \
    {                                                                                                               \
        (void)vr; (void)values;                                                                                     \
        return OR_ERROR(!count || instance_refuse(me, "no variable is of type %s", #Name));                         \
    }                                                                                                               \
    EXPORTED fmi2Status fmi2Set##Name(fmi2Component me, const fmi2ValueReference vr[], size_t count,                \
                                      const type values[])                                                          \
    {                                                                                                               \
        (void)vr; (void)values;                                                                                     \
        return OR_ERROR(!count || instance_refuse(me, "no variable is of type %s", #Name));                         \
    }
NONE_OF(Integer, fmi2Integer)
NONE_OF(Boolean, fmi2Boolean)
NONE_OF(String, fmi2String)

SHARED_FUNCTIONS(fmi2, FMUstate, char, DeSerialize)

EXPORTED fmi2Status fmi2GetDirectionalDerivative(fmi2Component me, const fmi2ValueReference unknown[], size_t unknowns,
                                                 const fmi2ValueReference known[], size_t knowns,
                                                 const fmi2Real seed[], fmi2Real sensitivity[])
{
    (void)unknown; (void)unknowns; (void)known; (void)knowns; (void)seed; (void)sensitivity;
    return OR_ERROR(instance_refuse(me, "directional derivatives are not provided"));
}

EXPORTED fmi2Status fmi2SetRealInputDerivatives(fmi2Component me, const fmi2ValueReference vr[], size_t count,
                                                const fmi2Integer order[], const fmi2Real values[])
{
    (void)vr; (void)count; (void)order; (void)values;
    return OR_ERROR(instance_refuse(me, "inputs are held over a step: no derivatives"));
}

EXPORTED fmi2Status fmi2GetRealOutputDerivatives(fmi2Component me, const fmi2ValueReference vr[], size_t count,
                                                 const fmi2Integer order[], fmi2Real values[])
{
    (void)vr; (void)count; (void)order; (void)values;
    return OR_ERROR(instance_refuse(me, "derivatives of outputs are not provided"));
}

EXPORTED fmi2Status fmi2DoStep(fmi2Component me, fmi2Real at, fmi2Real length, fmi2Boolean noSetStatePrior)
{
    (void)noSetStatePrior;
    switch (instance_do_step(me, at, length)) {
    case DONE: return fmi2OK;
    case PARTLY: return fmi2Discard;
    default: return fmi2Error;
    }
}

EXPORTED fmi2Status fmi2CancelStep(fmi2Component me)
{
    return OR_ERROR(instance_refuse(me, "steps are not asynchronous: none to cancel"));
}

EXPORTED fmi2Status fmi2GetRealStatus(fmi2Component me, const fmi2StatusKind kind, fmi2Real *status)
{
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *status = instance_time(me);
    return fmi2OK;
}

EXPORTED fmi2Status fmi2GetBooleanStatus(fmi2Component me, const fmi2StatusKind kind, fmi2Boolean *status)
{
    (void)me;
    if (kind != fmi2Terminated) return fmi2Discard;
    *status = 0;
    return fmi2OK;
}

#define NO_STATUS(Name, type)                                                                                \
    EXPORTED fmi2Status fmi2Get##Name(fmi2Component me, const fmi2StatusKind kind, type *status)             \
    {                                                                                                        \
        (void)me; (void)kind; (void)status;                                                                  \
        return fmi2Discard;                                                                                  \
    }
NO_STATUS(Status, fmi2Status)
NO_STATUS(IntegerStatus, fmi2Integer)
NO_STATUS(StringStatus, fmi2String)
