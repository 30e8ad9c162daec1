/* SPDX-License-Identifier: Apache-2.0 */
/* The parties of a finding: the accesses of a race, the threads that allocated and freed a block, the
 * waiting threads. */
#include "report/text/report_int.h"

#include <string.h>

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* "ring.c:2 in\tproducer" */
static void print_where(const char *file, uint32_t line, const char *function,
                        td_text *out)
{
    rep_put_clean(out, rep_base_name(file));
    td_text_add(out, ":%u in\t", line);
    rep_put_clean(out, function);
}

static rep_party *add(rep_party_vec *v, const char *role, uint32_t thread)
{
    rep_party_vec_push(
        v, (rep_party){.role = role, .thread = thread, .file = "?", .function = "?"});
    return &v->at[v->len - 1];
}

static void put_place(rep_party *p, const char *file, const char *function, uint32_t line)
{
    p->file = file != NULL ? file : "?";
    p->function = function != NULL ? function : "?";
    p->line = line;
}

/* ---- waiting threads ---- */

/* " as writer": how a read-write lock is held or wanted; nothing of another lock. */
static void print_share(uint8_t kind, td_text *out)
{
    if (mdl_type_of(kind) == WIRE_TYPE_RWLOCK)
        td_text_add(out, mdl_takes_to_read(kind) ? "\tas\treader" : "\tas\twriter");
}

static void print_taken(const rep_scene *c, uint32_t act, uint32_t n, td_text *out)
{
    const rep_act *a = &c->story->acts.at[act];
    trc_site site = rep_act_site(c->story, a);
    td_text_add(out, "%s\t", n > 0 ? " and" : "holds");
    rep_print_object(c->labels, a->object, out);
    print_share(a->kind, out);
    td_text_add(out, "\ttaken\t");
    rep_print_place(&site, out);
}

bool rep_still_reads(const rep_story *s, uint32_t act)
{
    const rep_act *a = &s->acts.at[act];
    uint32_t depth = 1;
    if (!mdl_takes_to_read(a->kind) || !mdl_is_lock(a->kind))
        return false;
    for (uint32_t i = act + 1; i < s->acts.len && depth > 0; i++) {
        const rep_act *b = &s->acts.at[i];
        if (b->thread != a->thread || b->object != a->object)
            continue;
        depth += mdl_takes_to_read(b->kind);
        depth -= mdl_does(b->kind) == WIRE_DOES_GIVE_READ;
    }
    return depth > 0;
}

static void print_held(const rep_scene *c, const rep_lock_vec *held, uint32_t thread,
                       td_text *out)
{
    const rep_story *s = c->story;
    uint32_t n = 0;
    for (size_t i = 0; i < held->len; i++)
        print_taken(c, held->at[i].act, n++, out);
    for (uint32_t i = 0; i < s->acts.len; i++)
        if (s->acts.at[i].thread == thread && rep_still_reads(s, i))
            print_taken(c, i, n++, out);
    td_text_add(out, n == 0 ? "holds\tnothing  " : "  ");
}

/* Returns the last act of a thread that could have ended this wait, or NULL. */
static const rep_act *last_help(const rep_story *s, const rep_act *wait)
{
    for (size_t i = s->acts.len; i-- > 0;) {
        const rep_act *a = &s->acts.at[i];
        enum wire_does does = mdl_does(a->kind);
        if (a->kind != REP_WAITS && a->object == wait->object &&
            (does == WIRE_DOES_WAKE || does == WIRE_DOES_WAKE_ALL ||
             does == WIRE_DOES_UP))
            return a;
    }
    return NULL;
}

/* "; last signal: T4 at q.c:70" */
static void print_help(const rep_scene *c, const rep_act *wait, td_text *out)
{
    const rep_act *a = rep_act_waits_for_anybody(wait) ? last_help(c->story, wait) : NULL;
    if (a == NULL)
        return;
    trc_site site = rep_act_site(c->story, a);
    td_text_add(out, "; last\t%s:\t", mdl_kind_text(a->kind));
    rep_print_thread(a->thread, out);
    td_text_add(out, "\tat\t");
    rep_print_place(&site, out);
}

static void print_wanted(const rep_scene *c, const rep_act *a, td_text *out)
{
    trc_site site = rep_act_site(c->story, a);
    if (mdl_joins(a->wants)) {
        td_text_add(out, "joins\t");
        rep_print_thread(a->other, out);
    } else {
        const char *what = det_wait_text(a->wants);
        td_text_add(out, mdl_spins(a->wants) ? "spins\ton\t"
                         : what[0] != '\0'   ? "waits\tfor\t"
                                             : "wants\t");
        for (; *what != '\0'; what++)
            td_text_put(out, *what == ' ' ? "\t" : what, 1);
        rep_print_object(c->labels, a->object, out);
        print_share(a->wants, out);
    }
    td_text_add(out, "\tat\t");
    rep_print_place(&site, out);
    rep_print_calls(c->story, a->path, out);
    print_help(c, a, out);
    uint32_t reads[REP_LAST_READS];
    for (size_t i = rep_last_reads(c, a, reads); i-- > 0;) {
        td_text_add(out, "; ");
        rep_print_last_read(c, reads[i], out);
    }
}

static void add_wait(const rep_scene *c, const rep_act *a, rep_party_vec *out)
{
    trc_site site = rep_act_site(c->story, a);
    rep_party *p = add(out, "waits", a->thread);
    rep_lock_vec held = {0};
    put_place(p, site.file, site.function, site.line);
    rep_story_holds(c->story, a->thread, (uint32_t)c->story->acts.len, &held);
    if (held.len > 0 || !mdl_joins(a->wants))
        print_held(c, &held, a->thread, &p->text);
    print_wanted(c, a, &p->text);
    rep_lock_vec_fini(&held);
}

/* Adds which thread waits for which: first those that wait for a lock, then those that join. */
static void add_waits(const rep_scene *c, rep_party_vec *out)
{
    uint32_t n_threads = (uint32_t)c->story->run->threads.len;
    for (uint32_t k = 0; k < 2 * n_threads; k++)
        for (size_t i = 0; i < c->story->acts.len; i++) {
            const rep_act *a = &c->story->acts.at[i];
            if (a->kind == REP_WAITS && a->thread == k % n_threads &&
                mdl_joins(a->wants) == (k >= n_threads))
                add_wait(c, a, out);
        }
}

/* ---- the same as a graph ---- */

static const char *share_of(uint8_t kind)
{
    if (mdl_type_of(kind) != WIRE_TYPE_RWLOCK)
        return "";
    return mdl_takes_to_read(kind) ? "reader" : "writer";
}

static void add_edge(const rep_scene *c, const char *role, const rep_act *a,
                     const char *how, rep_edge_vec *out)
{
    rep_edge_vec_push(out, (rep_edge){.role = role,
                                      .thread = a->thread,
                                      .other = REP_NONE,
                                      .object = a->object,
                                      .how = how,
                                      .at = rep_act_site(c->story, a)});
}

static void add_held_edges(const rep_scene *c, uint32_t thread, rep_edge_vec *out)
{
    const rep_story *s = c->story;
    rep_lock_vec held = {0};
    rep_story_holds(s, thread, (uint32_t)s->acts.len, &held);
    for (size_t i = 0; i < held.len; i++) {
        const rep_act *a = &s->acts.at[held.at[i].act];
        add_edge(c, "holds", a, share_of(a->kind), out);
    }
    for (uint32_t i = 0; i < s->acts.len; i++)
        if (s->acts.at[i].thread == thread && rep_still_reads(s, i))
            add_edge(c, "holds", &s->acts.at[i], "reader", out);
    rep_lock_vec_fini(&held);
}

static void add_wait_edges(const rep_scene *c, const rep_act *a, rep_edge_vec *out)
{
    const rep_act *help = rep_act_waits_for_anybody(a) ? last_help(c->story, a) : NULL;
    add_held_edges(c, a->thread, out);
    add_edge(c, mdl_joins(a->wants) ? "joins" : "wants", a, share_of(a->wants), out);
    if (mdl_joins(a->wants))
        out->at[out->len - 1].other = a->other;
    if (help != NULL)
        add_edge(c, "last", help, mdl_kind_text(help->kind), out);
}

void rep_edges(const rep_scene *c, rep_edge_vec *out)
{
    const rep_story *s = c->story;
    if (!det_is_stuck(c->finding->kind))
        return;
    for (size_t i = 0; i < s->acts.len; i++)
        if (s->acts.at[i].kind == REP_WAITS)
            add_wait_edges(c, &s->acts.at[i], out);
}

/* ---- data race ---- */

/* Returns where the lock was acquired: in the user's code, if the run recorded that. */
static trc_site taken_at(const rep_scene *c, const det_lock *l, uint32_t thread,
                         uint32_t act)
{
    trc_site at = {.file = l->file, .line = l->line};
    rep_lock_vec held = {0};
    if (act != REP_NONE && det_is_library(l->file))
        rep_story_holds(c->story, thread, act, &held);
    for (size_t i = 0; i < held.len; i++)
        if (held.at[i].object == l->object)
            at = rep_act_site(c->story, &c->story->acts.at[held.at[i].act]);
    rep_lock_vec_fini(&held);
    return at;
}

static void print_side_locks(const rep_scene *c, const det_side *s, uint32_t act,
                             td_text *out)
{
    if (!s->locks_known)
        return;
    td_text_add(out, ";  %s", s->locks.len == 0 ? "holds\tnothing" : "holds");
    for (size_t i = 0; i < s->locks.len; i++) {
        const det_lock *l = &s->locks.at[i];
        td_text_add(out, "%s\t", i > 0 ? " and" : "");
        if (rep_is_inner_name(l->name)) /* a parameter of the library */
            rep_print_object(c->labels, l->object, out);
        else
            rep_put_clean(out, l->name[0] ? l->name : "?");
        td_text_add(out, "%s\ttaken\tat\t", l->is_reader ? "\tas\treader" : "");
        trc_site at = taken_at(c, l, s->thread, act);
        rep_print_place(&at, out);
    }
}

/* "writes ring.tail (4 bytes) at ring.c:2 in producer; holds nothing" */
static void add_side(const rep_scene *c, const det_side *s, uint32_t act,
                     rep_party_vec *out)
{
    rep_party *p = add(out, s->is_write ? "write" : "read", s->thread);
    put_place(p, s->file, s->function, s->line);
    bool frees = act != REP_NONE && c->story->acts.at[act].kind == REP_FREES;
    td_text_add(&p->text, "%s%s ",
                frees         ? "frees"
                : s->is_write ? "writes"
                              : "reads",
                s->is_atomic ? " atomically" : "");
    rep_put_clean(&p->text, s->name[0] ? s->name : "memory");
    if (s->size > 0 && !frees)
        td_text_add(&p->text, " (%u\tbyte%s)", s->size, plural(s->size));
    td_text_add(&p->text, " at\t");
    print_where(s->file, s->line, s->function, &p->text);
    if (act != REP_NONE)
        rep_print_calls(c->story, c->story->acts.at[act].path, &p->text);
    print_side_locks(c, s, act, &p->text);
}

/* ---- memory ---- */

static void add_block(const rep_scene *c, const char *role, const det_party *who,
                      uint32_t act, rep_party_vec *out)
{
    if (who->file == NULL || who->thread >= c->story->run->threads.len)
        return;
    rep_party *p = add(out, role, who->thread);
    put_place(p, who->file, who->function, who->line);
    td_text_add(&p->text, "%s the block", role);
    if (who->line != 0) {
        td_text_add(&p->text, " at\t");
        print_where(p->file, p->line, p->function, &p->text);
    }
    if (act != REP_NONE)
        rep_print_calls(c->story, c->story->acts.at[act].path, &p->text);
}

/* ---- all of them ---- */

void rep_parties(const rep_scene *c, rep_party_vec *out)
{
    const det_finding *f = c->finding;
    const rep_story *s = c->story;
    if (det_is_stuck(f->kind))
        add_waits(c, out);
    if (f->sides != NULL) /* the earlier access first, as in the table */
        for (size_t i = 0; i < 2; i++)
            add_side(c, &f->sides[i], s->race[i], out);
    add_block(c, "allocated", &f->allocated, REP_NONE, out);
    add_block(c, "freed", &f->freed, s->memory[0], out);
}

void rep_parties_fini(rep_party_vec *v)
{
    for (size_t i = 0; i < v->len; i++)
        td_text_fini(&v->at[i].text);
    rep_party_vec_fini(v);
}
