/* Phases, times and values of an instance: what is asked is checked here, a model is asked only what it can do. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "instance.h"

#define SAME_TIME 1e-6 /* of an internal step: times that count as equal */

static const char *const phases[] = {"before initialization", "in initialization", "in stepping", "after termination"};

/* 0, after the message has been logged. */
int instance_refuse(instance *me, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(me->message, sizeof me->message, format, arguments) >= (int)sizeof me->message) {
        size_t end = sizeof me->message - 1; /* no letter of several bytes (UTF-8) is cut in two */
        while (end && (me->message[end - 1] & 0xC0) == 0x80) --end;
        if (end && (me->message[end - 1] & 0xC0) == 0xC0) --end;
        me->message[end] = 0;
    }
    va_end(arguments);
    if (me->log) me->log(me, me->name, me->message);
    return 0;
}

/* Whether the instance is where it has to be. */
int instance_phase(instance *me, int phase, const char *what)
{
    if (me->now->phase == phase) return 1;
    return instance_refuse(me, "%s: called %s, expected %s", what, phases[me->now->phase], phases[phase]);
}

/* NULL without memory or where the token is another's. */
instance *instance_make(const char *name, const char *token)
{
    instance *me;
    if (!token || strcmp(token, TOKEN)) return NULL;
    me = calloc(1, sizeof *me);
    if (!me) return NULL;
    me->name = calloc(1, strlen(name ? name : "") + 1);
    if (!me->name) { free(me); return NULL; }
    strcpy(me->name, name ? name : "");
    return me;
}

/* Model made, once the logger is known. */
int instance_open(instance *me, const char *resources)
{
    return model_make(me, resources ? resources : "") && instance_reset(me);
}

void instance_free(instance *me)
{
    if (!me) return;
    model_free(me);
    free(me->name);
    free(me);
}

int instance_reset(instance *me)
{
    me->now->start = 0.0;
    me->now->stop = HUGE_VAL;
    me->now->steps = 0;
    me->now->phase = INSTANTIATED;
    return model_reset(me);
}

double instance_time(const instance *me) { return me->now->start + me->now->steps * TIME_STEP; }

int instance_setup(instance *me, double start, double stop)
{
    if (!isfinite(start) || !(stop > start))
        return instance_refuse(me, "start %g s, stop %g s: expected a finite start before the stop", start, stop);
    me->now->start = start;
    me->now->stop = stop;
    return 1;
}

int instance_leave_initialization(instance *me)
{
    if (!instance_phase(me, INITIALIZING, "leaving initialization") || !model_begin(me)) return 0;
    me->now->phase = STEPPING;
    return 1;
}

int instance_get(instance *me, const unsigned *references, size_t count, double *values)
{
    for (size_t i = 0; i < count; ++i)
        if (references[i] >= VARIABLES) return instance_refuse(me, "no variable has the reference %u", references[i]);
    if (!count || !model_get(me, references, count, values)) return !count;
    for (size_t i = 0; i < count; ++i)
        if (variables[references[i]].kind == TIME) values[i] = instance_time(me);
    return 1;
}

int instance_set(instance *me, const unsigned *references, size_t count, const double *values)
{
    for (size_t i = 0; i < count; ++i) {
        const struct variable *v = variables + references[i];
        if (references[i] >= VARIABLES) return instance_refuse(me, "no variable has the reference %u", references[i]);
        if (v->kind != INPUT && v->kind != PARAMETER)
            return instance_refuse(me, "%s is neither input nor parameter and cannot be set", v->name);
        if (v->kind == PARAMETER && me->now->phase > INITIALIZING)
            return instance_refuse(me, "parameter %s is fixed after initialization", v->name);
        if (!(v->least <= values[i] && values[i] <= v->most))
            return instance_refuse(me, "%s = %g: expected a number from %g to %g", v->name, values[i], v->least,
                                   v->most);
    }
    return !count || model_set(me, references, count, values);
}

/* From time `at` [s], which must be the present one, over `length` [s], a whole number of internal steps. */
enum outcome instance_do_step(instance *me, double at, double length)
{
    const double dt = TIME_STEP, number = floor(length / dt + 0.5);
    long long taken = 0;
    enum outcome outcome;
    if (!instance_phase(me, STEPPING, "a step")) return REFUSED;
    if (!(fabs(at - instance_time(me)) <= SAME_TIME * dt + 4e-16 * fabs(at))) {
        instance_refuse(me, "a step from t = %.9g s: the unit is at t = %.9g s", at, instance_time(me));
        return REFUSED;
    }
    if (!(number >= 1.0 && number < 9e15 && fabs(length - number * dt) <= SAME_TIME * dt + 4e-16 * fabs(at))) {
        instance_refuse(me, "communication step of %.9g s: expected a whole multiple of the internal step of %.9g s",
                        length, dt);
        return REFUSED;
    }
    if (at + length > me->now->stop + 0.5 * dt) {
        instance_refuse(me, "a step to t = %.9g s: beyond the stop time %.9g s", at + length, me->now->stop);
        return REFUSED;
    }
    outcome = model_step(me, (long long)number, &taken);
    me->now->steps += taken;
    return outcome;
}

/* Whether states can be kept, and have as many bytes. */
static int fits(instance *me, size_t size)
{
    if (!me->size) return instance_refuse(me, "the state of this unit cannot be kept");
    return size == me->size || instance_refuse(me, "a state has %zu bytes, not %zu", me->size, size);
}

/* Bytes that a state takes as the importer keeps it. */
int instance_state_size(instance *me, size_t *size)
{
    *size = me->size;
    return fits(me, me->size);
}

/* A state, made where there is none, of bytes. */
int instance_state_of(instance *me, const void *bytes, size_t size, void **state)
{
    if (!fits(me, size)) return 0;
    if (!*state) *state = malloc(size);
    if (!*state) return instance_refuse(me, "no memory for a state");
    memcpy(*state, bytes, size);
    return 1;
}

int instance_keep(instance *me, void **state) { return instance_state_of(me, me->now, me->size, state); }

/* Bytes of a state, which may have more room. */
int instance_state_bytes(instance *me, const void *state, void *bytes, size_t size)
{
    if (!fits(me, size < me->size ? size : me->size)) return 0;
    memcpy(bytes, state, me->size);
    return 1;
}

int instance_restore(instance *me, const void *state)
{
    return fits(me, me->size) && memcpy(me->now, state, me->size);
}

int instance_drop(void **state)
{
    free(*state);
    *state = NULL;
    return 1;
}
