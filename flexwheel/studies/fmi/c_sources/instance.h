/* One instance of a functional mock-up unit: what FMI 2.0 and 3.0 share (instance.c), and what a model provides. */
#ifndef INSTANCE_H
#define INSTANCE_H
#include <stddef.h>
#include "variables.h"

#if defined(_WIN32)
#define EXPORTED __declspec(dllexport)
#elif defined(__GNUC__)
#define EXPORTED __attribute__((visibility("default")))
#else
#define EXPORTED
#endif

enum phase { INSTANTIATED, INITIALIZING, STEPPING, TERMINATED };
enum outcome { DONE, PARTLY, REFUSED }; /* of a communication step */
enum category { AS_ERROR, AS_DISCARD, AS_EVENT, CATEGORIES }; /* of messages; errors are logged always */
extern const char *const categories[CATEGORIES];

/* Head of all that moves in an instance. */
typedef struct {
    double start, stop; /* [s]; no stop: infinity */
    long long steps;    /* taken since start */
    int phase;
} progress;

typedef struct {
    progress *now;
    void *model;
    void (*log)(void *receiver, enum category category, const char *message);
    unsigned logged; /* categories, by bits */
    void *receiver, *callback; /* environment of the importer and its logger */
    char *name, message[480];
} instance;

instance *instance_make(const char *name, const char *token);
int instance_open(instance *me, const char *resources);
void instance_free(instance *me);
int instance_reset(instance *me);
double instance_time(const instance *me);
int instance_setup(instance *me, double start, double stop);
int instance_leave_initialization(instance *me);
int instance_get(instance *me, const unsigned *references, size_t count, double *values);
int instance_set(instance *me, const unsigned *references, size_t count, const double *values);
enum outcome instance_do_step(instance *me, double at, double length);
int instance_refuse(instance *me, const char *format, ...);
enum outcome instance_discard(instance *me, const char *format, ...);
int instance_debug(instance *me, int on, size_t count, const char *const names[]);
int instance_phase(instance *me, int phase, const char *what);
int instance_keep(instance *me, void **state);
int instance_restore(instance *me, const void *state);
int instance_drop(void **state);
int instance_state_size(instance *me, const void *state, size_t *size);
int instance_state_bytes(instance *me, const void *state, void *bytes, size_t size);
int instance_state_of(instance *me, const void *bytes, size_t size, void **state);

/* What differs between versions of FMI in names and types alone: the end of an instance, and its states. */
#define SHARED_FUNCTIONS(fmi, State, Byte, Read)                                                                      \
    EXPORTED void fmi##FreeInstance(instance *me) { instance_free(me); }                                              \
    EXPORTED fmi##Status fmi##Reset(instance *me) { return OR_ERROR(instance_reset(me)); }                            \
    EXPORTED fmi##Status fmi##ExitInitializationMode(instance *me)                                                    \
    {                                                                                                                 \
        return OR_ERROR(instance_leave_initialization(me));                                                           \
    }                                                                                                                 \
    EXPORTED fmi##Status fmi##Terminate(instance *me)                                                                 \
    {                                                                                                                 \
        return OR_ERROR(instance_phase(me, STEPPING, #fmi "Terminate") && (me->now->phase = TERMINATED));             \
    }                                                                                                                 \
    EXPORTED fmi##Status fmi##Get##State(instance *me, void **state) { return OR_ERROR(instance_keep(me, state)); }   \
    EXPORTED fmi##Status fmi##Set##State(instance *me, void *state) { return OR_ERROR(instance_restore(me, state)); } \
    EXPORTED fmi##Status fmi##Free##State(instance *me, void **state) { return (void)me, OR_ERROR(instance_drop(state)); }\
    EXPORTED fmi##Status fmi##Serialized##State##Size(instance *me, void *state, size_t *size)                        \
    {                                                                                                                 \
        return OR_ERROR(instance_state_size(me, state, size));                                                  \
    }                                                                                                                 \
    EXPORTED fmi##Status fmi##Serialize##State(instance *me, void *state, Byte bytes[], size_t size)                  \
    {                                                                                                                 \
        return OR_ERROR(instance_state_bytes(me, state, bytes, size));                                                \
    }                                                                                                                 \
    EXPORTED fmi##Status fmi##Read##State(instance *me, const Byte bytes[], size_t size, void **state)                \
    {                                                                                                                 \
        return OR_ERROR(instance_state_of(me, bytes, size, state));                                                   \
    }

/* Of the model; what fails has been said by instance_refuse and returns 0. */
int model_make(instance *me, const char *resources);
void model_free(instance *me);
int model_reset(instance *me);
int model_begin(instance *me);
int model_get(instance *me, const unsigned *references, size_t count, double *values);
int model_set(instance *me, const unsigned *references, size_t count, const double *values);
enum outcome model_step(instance *me, long long count, long long *taken);
const void *model_keep(instance *me, size_t *size); /* bytes of what moves beside the progress, until the next call */
int model_restore(instance *me, const void *bytes, size_t size);
#endif
