/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold of a finding that is data. */
#include "report/page.h"

#include <stdio.h>

static bool broken(char *why, size_t size, const char *what, size_t at)
{
    if (why != NULL)
        snprintf(why, size, "%s (at %zu)", what, at);
    return false;
}

static bool place_valid(const rep_page_place *at)
{
    return at->file != NULL && at->function != NULL;
}

static bool texts_valid(const rep_page *p)
{
    const char *const texts[] = {p->id,       p->kind,      p->title,   p->message,
                                 p->values,   p->program,   p->version, p->recording,
                                 p->schedule, p->condition, p->hidden,  p->text,
                                 p->output,   p->output_of};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i] == NULL)
            return false;
    return place_valid(&p->at);
}

/* An index of an act that came before act i, or none (P2). */
static bool is_before(uint32_t index, size_t i)
{
    return index == REP_PAGE_NONE || index < i;
}

static bool act_valid(const rep_page_act *a, size_t i)
{
    return a->kind != NULL && a->text != NULL && a->object != NULL && a->value != NULL &&
           a->old != NULL && is_before(a->from, i) && is_before(a->after, i);
}

/* Steps follow each other, and each act belongs to the step that counts it. */
static bool steps_valid(const rep_page *p, char *why, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < p->steps.len; i++) {
        const rep_page_step *s = &p->steps.at[i];
        if (s->thread >= p->threads.len || !place_valid(&s->at) || s->source == NULL ||
            s->stop == NULL || s->calls == NULL)
            return broken(why, size, "a step without a thread or its texts", i);
        if (s->first_act != n || s->n_acts > p->acts.len - n)
            return broken(why, size, "P1: acts of a step", i);
        for (; n < (size_t)s->first_act + s->n_acts; n++)
            if (p->acts.at[n].step != i)
                return broken(why, size, "an act of another step", n);
    }
    return n == p->acts.len || broken(why, size, "an act without a step", n);
}

bool rep_page_valid(const rep_page *p, char *why, size_t size)
{
    if (!texts_valid(p))
        return broken(why, size, "a text is missing", 0);
    for (size_t i = 0; i < p->acts.len; i++)
        if (!act_valid(&p->acts.at[i], i))
            return broken(why, size, "P2: an act after its effect, or without a text", i);
    for (size_t i = 0; i < p->parties.len; i++)
        if (p->parties.at[i].thread >= p->threads.len)
            return broken(why, size, "a party without a thread", i);
    for (size_t i = 0; i < p->waits.len; i++) {
        const rep_page_edge *e = &p->waits.at[i];
        if (e->thread >= p->threads.len ||
            (e->other != REP_PAGE_NONE && e->other >= p->threads.len) || !e->role ||
            !e->object || !e->how || !place_valid(&e->at))
            return broken(why, size, "an arrow without a thread or its texts", i);
    }
    return steps_valid(p, why, size);
}
