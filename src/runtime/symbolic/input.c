/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs: values that treadle chooses. A job names them by key, which depends on the thread and
 * on how many inputs it made before, not on the schedule. */
#include "runtime/symbolic/values.h"

#include <stdlib.h>
#include <string.h>

#include "wire/sym.h"

/* As include/treadle.h does where it is compiled by another compiler. */
void rt_input_fixed(void *object, size_t size, const char *name)
{
    const char *seed = rt_on() ? NULL : getenv("TREADLE_SEED");
    uint64_t state = seed ? (uint64_t)strtoull(seed, NULL, 0) : 0;
    for (; *name; name++)
        state = (state ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    for (size_t i = 0; i < size; i++) {
        uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        ((uint8_t *)object)[i] = (uint8_t)(z >> 56);
    }
}

uint64_t rt_input_key(rt_thread *t)
{
    RT_ASSERT(t == rt->self);
    uint64_t state = t->path + WIRE_INPUT_STEP * ++t->n_inputs;
    return rt_random(&state);
}

static wire_input job_input(uint32_t i)
{
    uint64_t at = rt->job.inputs_at + 2 * (uint64_t)i;
    return (wire_input){rt->shm->jobs[at & (WIRE_JOB_WORDS - 1)],
                        rt->shm->jobs[(at + 1) & (WIRE_JOB_WORDS - 1)]};
}

/* Draws a value for a random search. Small numbers of either sign are as likely as all others. */
static uint64_t by_chance(uint64_t key)
{
    uint64_t state = rt->job.head.seed ^ key;
    uint64_t way = rt_random(&state) % 4, any = rt_random(&state);
    return way == 0 ? any % 16 : way == 1 ? -(any % 16) : any;
}

/* The job names inputs in the order in which they are expected. */
static bool chosen(uint64_t key, uint64_t *value)
{
    uint32_t n = rt->job.head.n_inputs;
    for (uint32_t i = 0; i < n; i++) {
        wire_input in = job_input((rt->input_at + i) % n);
        if (in.key != key)
            continue;
        *value = in.value;
        rt->input_at = (rt->input_at + i + 1) % n;
        return true;
    }
    if (rt->job.head.policy == WIRE_POLICY_FIRST)
        return false;
    *value = by_chance(key);
    return true;
}

/* Name[i], or the name alone. */
static void tell_name(const char *name, long i)
{
    char text[120];
    size_t n = strnlen(name, 90);
    memcpy(text, name, n);
    if (i >= 0) {
        char digits[20];
        size_t k = 0;
        do
            digits[k++] = (char)('0' + i % 10);
        while ((i /= 10) > 0);
        text[n++] = '[';
        while (k > 0)
            text[n++] = digits[--k];
        text[n++] = ']';
    }
    text[n] = 0;
    rt_emit_text(text);
}

uint32_t rt_input_make(uint64_t key, uint32_t type, uint64_t *value, const char *name,
                       long i, uint32_t site)
{
    uint32_t bits = type & 0xff;
    RT_ASSERT(bits > 0 && bits <= 64);
    if (chosen(key, value) && bits < 64)
        *value &= (UINT64_C(1) << bits) - 1;
    if (rt->n_inputs == WIRE_SYM_MAX_INPUTS)
        return 0;
    rt_flush();
    rt_changed();
    wire_rec *r = rt_emit(WIRE_NOTE_INPUT);
    r->thread = rt->self->id;
    r->site = site;
    r->size = (uint8_t)bits;
    r->order = (uint8_t)(type >> 8);
    r->object = key;
    r->value = *value;
    r->count = rt->n_inputs;
    tell_name(name, i);
    uint32_t number = rt->n_inputs++;
    return rt->symbolic ? rt_sym_input(bits, *value, number) : 0;
}

bool rt_choice(const char *what, uint32_t site)
{
    uint64_t value = 0;
    uint32_t number = rt->n_inputs;
    uint32_t label =
        rt_input_make(rt_input_key(rt->self), RT_INPUT_TYPE(1, WIRE_UNSIGNED), &value,
                      what, -1, site);
    if (number < rt->n_inputs && label == 0)
        label = rt_sym_input(1, value, number);
    rt_sym_branch(label, value != 0, site);
    return value != 0;
}

struct rt_sites {
    uint32_t site;
    struct rt_sites *next;
};

bool rt_choice_once(rt_sites **asked, const char *what, uint32_t site)
{
    const rt_sites *s = *asked;
    while (s && s->site != site)
        s = s->next;
    if (s)
        return false;
    rt_sites *more = rt_bump(sizeof *more);
    *more = (rt_sites){site, *asked};
    *asked = more;
    return rt_choice(what, site);
}
