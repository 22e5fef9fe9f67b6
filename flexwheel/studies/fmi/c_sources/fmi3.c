/* FMI 3.0 for co-simulation over instance.c. Types as the standard's section 2.2.3 defines them. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "instance.h"

typedef instance *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef uint32_t fmi3ValueReference;
typedef double fmi3Float64;
typedef const char *fmi3String;
typedef const uint8_t *fmi3Binary;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef int fmi3DependencyKind, fmi3IntervalQualifier; /* enumerations, never read or written here */
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, bool, bool, bool, bool, bool *,
                                               fmi3Float64 *);
typedef const fmi3ValueReference references[];

#define OR_ERROR(good) ((good) ? fmi3OK : fmi3Error)

static void logged(void *receiver, enum category category, const char *message)
{
    fmi3Instance me = receiver;
    const fmi3Status statuses[] = {fmi3Error, fmi3Discard, fmi3OK};
    fmi3LogMessageCallback to;
    memcpy(&to, &me->callback, sizeof to); /* a function kept as an object */
    to(me->receiver, statuses[category], categories[category], message);
}

EXPORTED const char *fmi3GetVersion(void) { return "3.0"; }

EXPORTED fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, bool visible, bool logging, bool eventMode,
    bool earlyReturn, references intermediate, size_t intermediates, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update)
{
    fmi3Instance me = eventMode || intermediates ? NULL : instance_make(name, token);
    (void)visible; (void)earlyReturn; (void)intermediate; (void)update;
    if (me) me->logged = logging ? ~0u : 1u << AS_ERROR | 1u << AS_DISCARD;
    if (me && log) {
        memcpy(&me->callback, &log, sizeof log);
        me->receiver = environment;
        me->log = logged;
    }
    if (!me || instance_open(me, resources)) return me;
    instance_free(me);
    return NULL;
}

EXPORTED fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                   bool visible, bool logging, fmi3InstanceEnvironment environment,
                                                   fmi3LogMessageCallback log)
{
    (void)name; (void)token; (void)resources; (void)visible; (void)logging; (void)environment; (void)log;
    return NULL;
}

EXPORTED fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, bool visible, bool logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, void (*clock)(fmi3InstanceEnvironment),
    void (*lock)(void), void (*unlock)(void))
{
    (void)name; (void)token; (void)resources; (void)visible; (void)logging; (void)environment; (void)log;
    (void)clock; (void)lock; (void)unlock;
    return NULL;
}

EXPORTED fmi3Status fmi3SetDebugLogging(fmi3Instance me, bool on, size_t count, const fmi3String names[])
{
    return OR_ERROR(instance_debug(me, on, count, names));
}

EXPORTED fmi3Status fmi3EnterInitializationMode(fmi3Instance me, bool toleranceDefined, fmi3Float64 tolerance,
                                                fmi3Float64 start, bool stopDefined, fmi3Float64 stop)
{
    (void)toleranceDefined; (void)tolerance; /* the step is fixed */
    if (!instance_phase(me, INSTANTIATED, "fmi3EnterInitializationMode")) return fmi3Error;
    if (!instance_setup(me, start, stopDefined ? stop : 1e300)) return fmi3Error;
    me->now->phase = INITIALIZING;
    return fmi3OK;
}

EXPORTED fmi3Status fmi3GetFloat64(fmi3Instance me, references vr, size_t count, fmi3Float64 values[], size_t n)
{
    if (n != count) return OR_ERROR(instance_refuse(me, "%zu values for %zu variables", n, count));
    return OR_ERROR(instance_get(me, vr, count, values));
}

EXPORTED fmi3Status fmi3SetFloat64(fmi3Instance me, references vr, size_t count, const fmi3Float64 values[], size_t n)
{
    if (n != count) return OR_ERROR(instance_refuse(me, "%zu values for %zu variables", n, count));
    return OR_ERROR(instance_set(me, vr, count, values));
}

/* There are variables of type Float64 only. */
#define NONE_OF(Name, type)                                                                                     \
    EXPORTED fmi3Status fmi3Get##Name(fmi3Instance me, references vr, size_t count, type values[], size_t n)    \
    {                                                                                                           \
        (void)vr; (void)values; (void)n;                                                                        \
        return OR_ERROR(!count || instance_refuse(me, "no variable is of type %s", #Name));                     \
    }                                                                                                           \
    EXPORTED fmi3Status fmi3Set##Name(fmi3Instance me, references vr, size_t count, const type values[],        \
                                      size_t n)                                                                 \
    {                                                                                                           \
        (void)vr; (void)values; (void)n;                                                                        \
        return OR_ERROR(!count || instance_refuse(me, "no variable is of type %s", #Name));                     \
    }
NONE_OF(Float32, float)
NONE_OF(Int8, int8_t)
NONE_OF(UInt8, uint8_t)
NONE_OF(Int16, int16_t)
NONE_OF(UInt16, uint16_t)
NONE_OF(Int32, int32_t)
NONE_OF(UInt32, uint32_t)
NONE_OF(Int64, int64_t)
NONE_OF(UInt64, uint64_t)
NONE_OF(Boolean, bool)
NONE_OF(String, fmi3String)

/* The capability flags of the model description say that none of these is provided. */
#define NOT_PROVIDED(Name, ...)                                                                   \
    EXPORTED fmi3Status fmi3##Name(fmi3Instance me, __VA_ARGS__)                                  \
    {                                                                                             \
        return OR_ERROR(instance_refuse(me, "fmi3%s is not provided by this unit", #Name));       \
    }
#define NOT_PROVIDED_ALONE(Name)                                                                  \
    EXPORTED fmi3Status fmi3##Name(fmi3Instance me)                                               \
    {                                                                                             \
        return OR_ERROR(instance_refuse(me, "fmi3%s is not provided by this unit", #Name));       \
    }
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
NOT_PROVIDED(GetBinary, references vr, size_t count, size_t sizes[], fmi3Binary values[], size_t n)
NOT_PROVIDED(SetBinary, references vr, size_t count, const size_t sizes[], const fmi3Binary values[], size_t n)
NOT_PROVIDED(GetClock, references vr, size_t count, bool values[])
NOT_PROVIDED(SetClock, references vr, size_t count, const bool values[])
NOT_PROVIDED(GetNumberOfVariableDependencies, fmi3ValueReference vr, size_t *count)
NOT_PROVIDED(GetVariableDependencies, fmi3ValueReference vr, size_t at[], fmi3ValueReference on[], size_t where[],
             fmi3DependencyKind kinds[], size_t count)
NOT_PROVIDED(GetDirectionalDerivative, references unknown, size_t unknowns, references known, size_t knowns,
             const fmi3Float64 seed[], size_t seeds, fmi3Float64 sensitivity[], size_t sensitivities)
NOT_PROVIDED(GetAdjointDerivative, references unknown, size_t unknowns, references known, size_t knowns,
             const fmi3Float64 seed[], size_t seeds, fmi3Float64 sensitivity[], size_t sensitivities)
NOT_PROVIDED(GetIntervalDecimal, references vr, size_t count, fmi3Float64 values[], fmi3IntervalQualifier kinds[])
NOT_PROVIDED(GetIntervalFraction, references vr, size_t count, uint64_t counters[], uint64_t resolutions[],
             fmi3IntervalQualifier kinds[])
NOT_PROVIDED(GetShiftDecimal, references vr, size_t count, fmi3Float64 values[])
NOT_PROVIDED(GetShiftFraction, references vr, size_t count, uint64_t counters[], uint64_t resolutions[])
NOT_PROVIDED(SetIntervalDecimal, references vr, size_t count, const fmi3Float64 values[])
NOT_PROVIDED(SetIntervalFraction, references vr, size_t count, const uint64_t counters[], const uint64_t resolutions[])
NOT_PROVIDED(SetShiftDecimal, references vr, size_t count, const fmi3Float64 values[])
NOT_PROVIDED(SetShiftFraction, references vr, size_t count, const uint64_t counters[], const uint64_t resolutions[])
NOT_PROVIDED(UpdateDiscreteStates, bool *update, bool *terminate, bool *nominals, bool *values, bool *timed,
             fmi3Float64 *next)
NOT_PROVIDED(CompletedIntegratorStep, bool noSetPrior, bool *event, bool *terminate)
NOT_PROVIDED(SetTime, fmi3Float64 time)
NOT_PROVIDED(SetContinuousStates, const fmi3Float64 states[], size_t count)
NOT_PROVIDED(GetContinuousStateDerivatives, fmi3Float64 derivatives[], size_t count)
NOT_PROVIDED(GetEventIndicators, fmi3Float64 indicators[], size_t count)
NOT_PROVIDED(GetContinuousStates, fmi3Float64 states[], size_t count)
NOT_PROVIDED(GetNominalsOfContinuousStates, fmi3Float64 nominals[], size_t count)
NOT_PROVIDED(GetNumberOfEventIndicators, size_t *count)
NOT_PROVIDED(GetNumberOfContinuousStates, size_t *count)
NOT_PROVIDED(GetOutputDerivatives, references vr, size_t count, const int32_t orders[], fmi3Float64 values[], size_t n)
NOT_PROVIDED(ActivateModelPartition, fmi3ValueReference clock, fmi3Float64 time)
NOT_PROVIDED_ALONE(EnterEventMode)
NOT_PROVIDED_ALONE(EnterConfigurationMode)
NOT_PROVIDED_ALONE(ExitConfigurationMode)
NOT_PROVIDED_ALONE(EvaluateDiscreteStates)
NOT_PROVIDED_ALONE(EnterContinuousTimeMode)
NOT_PROVIDED_ALONE(EnterStepMode)

SHARED_FUNCTIONS(fmi3, FMUState, uint8_t, Deserialize)

EXPORTED fmi3Status fmi3DoStep(fmi3Instance me, fmi3Float64 at, fmi3Float64 length, bool noSetStatePrior,
                               bool *eventNeeded, bool *terminate, bool *earlyReturn, fmi3Float64 *lastTime)
{
    enum outcome outcome = instance_do_step(me, at, length);
    (void)noSetStatePrior;
    *eventNeeded = *terminate = *earlyReturn = false;
    *lastTime = instance_time(me);
    return outcome == DONE ? fmi3OK : outcome == PARTLY ? fmi3Discard : fmi3Error;
}
