/* Phases, times and values of an instance: what is asked is checked here, a model is asked only what it can do. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "instance.h"

#define SAME_TIME 1e-6 /* of an internal step: times that count as equal */

static const char *const phases[] = {"before initialization", "in initialization", "in stepping", "after termination"};

const char *const categories[CATEGORIES] = {"logStatusError", "logStatusDiscard", "logEvents"};

static void said(instance *me, enum category category, const char *format, va_list arguments)
{
    if (vsnprintf(me->message, sizeof me->message, format, arguments) >= (int)sizeof me->message) {
        size_t end = sizeof me->message - 1; /* no letter of several bytes (UTF-8) is cut in two */
        while (end && (me->message[end - 1] & 0xC0) == 0x80) --end;
        if (end && (me->message[end - 1] & 0xC0) == 0xC0) --end;
        me->message[end] = 0;
    }
    if (me->log && (category == AS_ERROR || me->logged >> category & 1)) me->log(me, category, me->message);
}

/* 0, after the message has been logged. */
int instance_refuse(instance *me, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    said(me, AS_ERROR, format, arguments);
    va_end(arguments);
    return 0;
}

/* PARTLY, after the message has been logged where it is asked for. */
enum outcome instance_discard(instance *me, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    said(me, AS_DISCARD, format, arguments);
    va_end(arguments);
    return PARTLY;
}

static int event(instance *me, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    said(me, AS_EVENT, format, arguments);
    va_end(arguments);
    return 1;
}

/* Categories that are logged from now on: those named, or all where none is. */
int instance_debug(instance *me, int on, size_t count, const char *const names[])
{
    unsigned chosen = count ? 0 : (1u << CATEGORIES) - 1;
    for (size_t i = 0; i < count; ++i) {
        int k = 0;
        while (k < CATEGORIES && strcmp(categories[k], names[i])) ++k;
        if (k == CATEGORIES)
            return instance_refuse(me, "log category %s: expected %s, %s or %s", names[i], categories[0], categories[1],
                                   categories[2]);
        chosen |= 1u << k;
    }
    me->logged = on ? me->logged * !!count | chosen : count ? me->logged & ~chosen : 0;
    return 1;
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
    return model_make(me, resources ? resources : "") && instance_reset(me) && event(me, "instance made");
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
    return event(me, "initialized at t = %.9g s", me->now->start);
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
    if (!(number >= 1.0 && number < 9e15 && fabs(length - number * dt) <= SAME_TIME * dt + 4e-16 * fabs(at)))
        return instance_discard(me, "communication step of %.9g s: expected a whole multiple of the internal step of "
                                    "%.9g s", length, dt);
    if (at + length > me->now->stop + 0.5 * dt) {
        instance_refuse(me, "a step to t = %.9g s: beyond the stop time %.9g s", at + length, me->now->stop);
        return REFUSED;
    }
    outcome = model_step(me, (long long)number, &taken);
    me->now->steps += taken;
    return outcome;
}

/* A state as the importer keeps it. */
typedef struct {
    size_t size; /* of what follows: the progress, and the bytes of the model */
    char bytes[];
} kept;

/* Bytes that a state takes in a file. */
int instance_state_size(instance *me, const void *state, size_t *size)
{
    if (!state) return instance_refuse(me, "no state to serialize");
    *size = ((const kept *)state)->size;
    return 1;
}

/* A state of two pieces, in place of the one there may be. */
static int made(instance *me, const void *head, const void *tail, size_t size, void **state)
{
    kept *it;
    if (size < sizeof(progress)) return instance_refuse(me, "a state of %zu bytes is none of this unit", size);
    it = realloc(*state, sizeof *it + size);
    if (!it) return instance_refuse(me, "no memory for a state");
    it->size = size;
    memcpy(it->bytes, head, sizeof(progress));
    memcpy(it->bytes + sizeof(progress), tail, size - sizeof(progress));
    *state = it;
    return 1;
}

int instance_keep(instance *me, void **state)
{
    size_t size = 0;
    const void *bytes = model_keep(me, &size);
    return bytes && made(me, me->now, bytes, sizeof(progress) + size, state);
}

int instance_state_of(instance *me, const void *bytes, size_t size, void **state)
{
    return made(me, bytes, (const char *)bytes + sizeof(progress), size, state);
}

/* Bytes of a state, which may have more room. */
int instance_state_bytes(instance *me, const void *state, void *bytes, size_t size)
{
    const kept *it = state;
    if (!it || size < it->size)
        return instance_refuse(me, "a state has %zu bytes, not %zu", it ? it->size : (size_t)0, size);
    memcpy(bytes, it->bytes, it->size);
    return 1;
}

int instance_restore(instance *me, const void *state)
{
    const kept *it = state;
    if (!it) return instance_refuse(me, "no state to go back to");
    if (!model_restore(me, it->bytes + sizeof(progress), it->size - sizeof(progress))) return 0;
    memcpy(me->now, it->bytes, sizeof(progress));
    return event(me, "state of t = %.9g s restored", instance_time(me));
}

int instance_drop(void **state)
{
    free(*state);
    *state = NULL;
    return 1;
}
