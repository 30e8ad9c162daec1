/* SPDX-License-Identifier: Apache-2.0 */
/* Why a thread waits on a condition variable or futex: its reads of memory that other threads write, since
 * it last acquired the mutex or passed the object. */
#include "report/text/report_int.h"

#include "base/assert.h"

#define LOOK_BACK 100000u /* acts */

static bool is_memory(const rep_act *a)
{
    return a->size > 0 && (rep_act_reads(a) || rep_act_writes(a));
}

static bool overlap(const rep_act *a, const rep_act *b)
{
    return a->object < b->object + b->size && b->object < a->object + a->size;
}

static bool is_from_other(const rep_act *write, const rep_act *read)
{
    return write->thread != read->thread && !write->set_up && is_memory(write) &&
           rep_act_writes(write) && overlap(write, read);
}

/* Returns the first write of another thread after it, or NULL. */
static const rep_act *write_after(const rep_story *s, uint32_t read)
{
    for (uint32_t i = read + 1; i < s->acts.len; i++)
        if (is_from_other(&s->acts.at[i], &s->acts.at[read]))
            return &s->acts.at[i];
    return NULL;
}

static bool is_shared(const rep_story *s, const rep_act *read)
{
    for (size_t i = 0; i < s->acts.len; i++)
        if (is_from_other(&s->acts.at[i], read))
            return true;
    return false;
}

/* The write of another thread that it sees; NULL: it sees another one. */
static const rep_act *write_seen(const rep_story *s, uint32_t read)
{
    for (uint32_t i = read; i-- > 0;) {
        const rep_act *a = &s->acts.at[i];
        if (is_memory(a) && rep_act_writes(a) && overlap(a, &s->acts.at[read]))
            return is_from_other(a, &s->acts.at[read]) ? a : NULL;
    }
    return NULL;
}

/* The operation that put the thread to sleep; of a futex the wait itself. */
static uint32_t sleep_of(const rep_story *s, const rep_act *wait)
{
    uint32_t i = (uint32_t)(wait - s->acts.at);
    TD_ASSERT(i < s->acts.len);
    if (mdl_type_of(wait->wants) != WIRE_TYPE_COND)
        return i;
    while (i-- > 0)
        if (s->acts.at[i].thread == wait->thread &&
            s->acts.at[i].object == wait->object &&
            mdl_does(s->acts.at[i].kind) == WIRE_DOES_SLEEP)
            return i;
    return REP_NONE;
}

/* True if the thread began to check its condition here. */
static bool begins(const rep_act *a)
{
    return mdl_does(a->kind) == WIRE_DOES_WOKEN ||
           (mdl_is_op(a->kind) && mdl_locks_alone(a->kind));
}

static bool is_known(const rep_story *s, const uint32_t *reads, size_t n,
                     const rep_act *a)
{
    for (size_t i = 0; i < n; i++)
        if (overlap(&s->acts.at[reads[i]], a))
            return true;
    return false;
}

/* True for hidden members of the C++ library, whose names and values are meaningless to users. */
static bool is_hidden(const rep_scene *c, const rep_act *a)
{
    td_text name = {0};
    trc_site site = rep_act_site(c->story, a);
    rep_print_object(c->labels, a->object, &name);
    bool hidden = c->story->paths.at[a->path].library &&
                  (site.type == WIRE_TYPE_POINTER || rep_is_inner_name(name.at));
    td_text_fini(&name);
    return hidden;
}

size_t rep_last_reads(const rep_scene *c, const rep_act *wait,
                      uint32_t out[REP_LAST_READS])
{
    const rep_story *s = c->story;
    uint8_t type = mdl_type_of(wait->wants);
    bool decides = type == WIRE_TYPE_COND || type == WIRE_TYPE_FUTEX;
    uint32_t i = decides ? sleep_of(s, wait) : REP_NONE;
    size_t n = 0;
    for (uint32_t looked = 0;
         i != REP_NONE && i-- > 0 && looked < LOOK_BACK && n < REP_LAST_READS; looked++) {
        const rep_act *a = &s->acts.at[i];
        if (a->thread != wait->thread)
            continue;
        if (begins(a))
            break;
        if (is_memory(a) && rep_act_loads(a) && !a->no_value && a->size <= 8 &&
            !is_known(s, out, n, a) && is_shared(s, a) &&
            (!is_hidden(c, a) || write_after(s, i)))
            out[n++] = i;
    }
    return n;
}

static void print_place(const rep_scene *c, const rep_act *a, td_text *out)
{
    trc_site site = rep_act_site(c->story, a);
    td_text_add(out, " at\t");
    rep_print_place(&site, out);
    if (a->step != 0)
        td_text_add(out, "\t(#%u)", a->step);
}

static void print_inside(const rep_scene *c, const rep_act *a, td_text *out)
{
    const char *library = c->story->paths.at[a->path].library;
    if (library) {
        td_text_add(out, ", inside\t");
        rep_put_clean(out, library);
    }
}

/* "before main wrote true at pool.cpp:31" */
static void print_after(const rep_scene *c, const rep_act *w, bool hidden, td_text *out)
{
    trc_site site = rep_act_site(c->story, w);
    td_text_add(out, "%s before ", hidden ? "," : "");
    rep_print_thread(w->thread, out);
    td_text_add(out, "\twrote");
    if (!hidden && !w->no_value) {
        td_text_add(out, "\t");
        rep_print_act_value(c->labels, &site, w, w->value, out);
    }
    print_place(c, w, out);
    if (hidden)
        print_inside(c, w, out);
}

void rep_print_last_read(const rep_scene *c, uint32_t read, td_text *out)
{
    const rep_story *s = c->story;
    const rep_act *a = &s->acts.at[read], *after = write_after(s, read);
    const rep_act *seen = write_seen(s, read);
    trc_site site = rep_act_site(s, a);
    bool hidden = is_hidden(c, a);
    td_text_add(out, "read");
    if (!hidden) {
        td_text_add(out, "\t");
        rep_print_object(c->labels, a->object, out);
        td_text_add(out, "\t->\t");
        rep_print_act_value(c->labels, &site, a, a->value, out);
    }
    print_place(c, a, out);
    if (hidden)
        print_inside(c, a, out);
    if (after) {
        print_after(c, after, hidden, out);
    } else if (seen) {
        td_text_add(out, ", written by\t");
        rep_print_thread(seen->thread, out);
        print_place(c, seen, out);
    }
}
