/* The real-time locomotive as the model of an instance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "instance.h"
#include "locomotive.h"

typedef struct {
    progress now;
    double w[WORK];
} locomotive;

static const char *const statuses[] = {"good", "the contact point left the profile", "the wheel lifted off the rail",
    "the solution is not finite", "the contact constraints did not converge", "beyond the end of the track"};

#define WORK_OF(me) (((locomotive *)(me)->model)->w)

int model_make(instance *me, const char *resources)
{
    locomotive *model = calloc(1, sizeof *model);
    (void)resources;
    if (!model) return 0;
    me->model = model;
    me->now = &model->now;
    return 1;
}

void model_free(instance *me) { free(me->model); }

int model_reset(instance *me)
{
    memcpy(WORK_OF(me), initial_work, sizeof(double) * WORK);
    return 1;
}

/* Parameters take effect; what a step evaluates where it begins is taken from a first step, which is taken back. */
int model_begin(instance *me)
{
    double kept[STATE], *w = WORK_OF(me);
    int wheel;
    for (int k = 0; k < EQUALS; ++k) {
        const struct variable *a = variables + equals[k][0], *b = variables + equals[k][1];
        if (w[a->place] != w[b->place])
            return instance_refuse(me, "%s = %g and %s = %g: expected equal values for a spinning body", a->name,
                                   w[a->place], b->name, w[b->place]);
    }
    locomotive_parameters(w);
    memcpy(kept, w, sizeof kept);
    locomotive_step(w, &wheel);
    memcpy(w, kept, sizeof kept);
    return 1;
}

static double value(const double *w, const struct variable *v)
{
    const double *creep = w + AT_creep + v->place, *c = w + AT_creep_coefficient + v->place;
    switch (v->kind) {
    case TIME: return 0.0;
    case FORCE_X: return -c[0] * creep[0] / TIME_STEP; /* coefficients stand times the step */
    case FORCE_Y: return (-c[8] * creep[8] - c[16] * creep[16]) / TIME_STEP;
    case MOMENT_Z: return (c[16] * creep[8] - c[24] * creep[16]) / TIME_STEP;
    case CREEPAGE_X: return creep[0] / fmax(creep[24], 1e-3);
    case CREEPAGE_Y: return creep[8] / fmax(creep[24], 1e-3);
    case CREEPAGE_SPIN: return creep[16] / fmax(creep[24], 1e-3);
    default: return w[v->place];
    }
}

int model_get(instance *me, const unsigned *references, size_t count, double *values)
{
    for (size_t i = 0; i < count; ++i) values[i] = value(WORK_OF(me), variables + references[i]);
    return 1;
}

int model_set(instance *me, const unsigned *references, size_t count, const double *values)
{
    for (size_t i = 0; i < count; ++i) WORK_OF(me)[variables[references[i]].place] = values[i];
    return 1;
}

enum outcome model_step(instance *me, long long count, long long *taken)
{
    for (*taken = 0; *taken < count; ++*taken) {
        int wheel, status = locomotive_step(WORK_OF(me), &wheel);
        if (status == GOOD) continue;
        return instance_discard(me, "%lld steps on from t = %.9g s, wheel %s: %s; the last good state is kept", *taken,
                                instance_time(me), wheel < 0 ? "unknown" : wheels[wheel], statuses[status]);
    }
    return DONE;
}

const void *model_keep(instance *me, size_t *size)
{
    *size = sizeof(double) * WORK;
    return WORK_OF(me);
}

int model_restore(instance *me, const void *bytes, size_t size)
{
    if (size != sizeof(double) * WORK)
        return instance_refuse(me, "a state has %zu numbers, not %zu", (size_t)WORK, size / sizeof(double));
    memcpy(WORK_OF(me), bytes, size);
    return 1;
}
