/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs by names that differ. */
#include "trace/trace.h"

#include "base/assert.h"

typedef struct name_slot {
    uint32_t first;   /* index of the first input of this name, plus 1; 0: free */
    uint32_t n_times; /* inputs of this name up to now */
} name_slot;

static const char *name_of(const trc *t, size_t i)
{
    TD_DASSERT(t->inputs.at[i].text < t->texts.len);
    const char *name = t->texts.at + t->inputs.at[i].text;
    return *name ? name : "input";
}

/* Returns how many of the inputs up to i have the name of input i. */
static uint32_t nth_of_name(const trc *t, size_t i, name_slot *slots, size_t cap)
{
    TD_DASSERT(i < t->inputs.len && cap > i && (cap & (cap - 1)) == 0);
    const char *name = name_of(t, i);
    size_t at = td_id_hash(name, strlen(name)).lo & (cap - 1);
    while (slots[at].first && strcmp(name_of(t, slots[at].first - 1), name) != 0)
        at = (at + 1) & (cap - 1);
    if (!slots[at].first)
        slots[at].first = (uint32_t)i + 1;
    return ++slots[at].n_times;
}

void trc_input_names(const trc *t, td_text *texts, trc_u32_vec *at)
{
    size_t cap = 8;
    while (cap < 2 * t->inputs.len)
        cap *= 2;
    name_slot *slots = td_alloc(cap * sizeof *slots);
    td_text_clear(texts);
    trc_u32_vec_clear(at);
    for (size_t i = 0; i < t->inputs.len; i++) {
        trc_u32_vec_push(at, (uint32_t)texts->len);
        uint32_t nth = nth_of_name(t, i, slots, cap);
        td_text_add(texts, nth > 1 ? "%s#%u" : "%s", name_of(t, i), nth);
        td_text_put(texts, "", 1);
    }
    TD_ASSERT(at->len == t->inputs.len);
    td_free(slots);
}
