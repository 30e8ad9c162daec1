/* SPDX-License-Identifier: Apache-2.0 */
/* The two sides of a data race: access, thread, and locks held. */
#include "base/assert.h"
#include "detect/detect_int.h"

/* Where in the run an access is. */
typedef struct spot {
    uint32_t n_ops; /* operations before it, itself included if it is one */
    uint32_t size;
    bool found, is_atomic;
    uint32_t stack; /* in trc.stacks; 0: not known */
} spot;

/* ---- which locks ---- */

typedef struct held {
    uint64_t object;
    uint32_t site, depth;
    bool is_reader;
} held;

TD_VEC(held, held_vec);

static void take(held_vec *v, const trc_op *op)
{
    for (size_t i = 0; i < v->len; i++)
        if (v->at[i].object == op->object) {
            v->at[i].depth++;
            return;
        }
    held_vec_push(v, (held){op->object, op->site, 1, mdl_takes_to_read(op->kind)});
}

static void give(held_vec *v, const trc_op *op)
{
    for (size_t i = 0; i < v->len; i++) {
        if (v->at[i].object != op->object || --v->at[i].depth > 0)
            continue;
        memmove(&v->at[i], &v->at[i + 1], (v->len - i - 1) * sizeof v->at[0]);
        v->len--;
        return;
    }
}

static void held_after(const trc *t, uint32_t thread, uint32_t n_ops, held_vec *v)
{
    for (uint32_t i = 0; i < n_ops && i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        if (op->thread != thread)
            continue;
        if (mdl_locks(op->kind))
            take(v, op);
        else if (mdl_unlocks(op->kind))
            give(v, op);
    }
}

static void find_locks(const trc *t, const spot *at, trc_sites *sites, det_side *out)
{
    held_vec v = {0};
    held_after(t, out->thread, at->n_ops, &v);
    for (size_t i = 0; i < v.len; i++) {
        trc_site site = trc_site_at(sites, v.at[i].site);
        const char *name = site.name;
        if (!name[0])
            name = trc_object_name(sites, v.at[i].object);
        det_lock_vec_push(&out->locks, (det_lock){.name = td_strdup(name),
                                                  .file = td_strdup(site.file),
                                                  .function = td_strdup(site.function),
                                                  .line = site.line,
                                                  .is_reader = v.at[i].is_reader,
                                                  .object = v.at[i].object});
    }
    held_vec_fini(&v);
}

/* ---- where ---- */

static bool overlaps(uint64_t a, uint32_t a_size, uint64_t b, uint32_t b_size)
{
    return a < b + b_size && b < a + a_size;
}

/* Finds the thread's last operation at the site, or its last recorded plain access. */
static spot find_earlier(const trc *t, const trc_fail *f)
{
    spot at = {0};
    uint32_t size = f->size ? f->size : 1;
    for (uint32_t i = f->after_op; i-- > 0 && !at.found;) {
        const trc_op *op = &t->ops.at[i];
        if (op->thread == f->other_thread && op->site == f->other_site &&
            mdl_is_access(trc_turned(op)) &&
            overlaps(op->object + op->offset, op->n_bytes, f->object, size))
            at = (spot){i + 1, op->n_bytes, true, !trc_is_promoted(op), op->stack};
    }
    for (size_t i = t->accesses.len; i-- > 0;) {
        const trc_access *x = &t->accesses.at[i];
        if (x->before_op > f->after_op || x->thread != f->other_thread ||
            x->site != f->other_site || !overlaps(x->object, x->size, f->object, size))
            continue;
        if (!at.found || x->before_op > at.n_ops)
            at = (spot){x->before_op, x->size, true, false, x->stack};
        break;
    }
    return at;
}

static spot find_later(const trc *t, const trc_fail *f)
{
    TD_ASSERT(f->after_op <= t->ops.len);
    const trc_op *op = f->after_op > 0 ? &t->ops.at[f->after_op - 1] : NULL;
    bool is_atomic = op && op->thread == f->thread && op->site == f->site &&
                     mdl_is_access(trc_turned(op)) && !trc_is_promoted(op);
    return (spot){f->after_op, f->size, true, is_atomic, f->stack};
}

uint32_t det_earlier_stack(const trc *t, const trc_fail *f)
{
    return f->other_thread < t->threads.len ? find_earlier(t, f).stack : 0;
}

/* ---- sides ---- */

static void find_created(const trc *t, trc_sites *sites, det_side *out)
{
    if (out->thread == 0 || out->thread >= t->threads.len)
        return;
    trc_site site = trc_site_at(sites, t->threads.at[out->thread].create_site);
    out->created_file = td_strdup(site.file);
    out->created_function = td_strdup(site.function);
    out->created_line = site.line;
}

/* A site of a call has the name of the first argument; the accessed object may be another one. */
static const char *accessed_name(trc_site site)
{
    return site.kind == WIRE_SITE_CALL ? "" : site.name;
}

/* What people call the object; the other side may know. */
static char *name_of(const trc_fail *f, trc_site site, trc_site other, trc_sites *sites)
{
    const char *name = accessed_name(site);
    if (!name[0])
        name = trc_object_name(sites, f->object);
    if (!name[0])
        name = accessed_name(other);
    return td_strdup(name);
}

static void find_side(const trc *t, const trc_fail *f, bool later, trc_sites *sites,
                      det_side *out)
{
    spot at = later ? find_later(t, f) : find_earlier(t, f);
    trc_site site = trc_site_at(sites, later ? f->site : f->other_site);
    trc_site other = trc_site_at(sites, later ? f->other_site : f->site);
    *out = (det_side){.thread = later ? f->thread : f->other_thread,
                      .is_write = later ? f->value != 0 : f->other_is_write,
                      .is_atomic = at.is_atomic,
                      .size = at.size ? at.size : site.size,
                      .file = td_strdup(site.file),
                      .function = td_strdup(site.function),
                      .name = name_of(f, site, other, sites),
                      .line = site.line,
                      .column = site.column,
                      .locks_known = at.found};
    find_created(t, sites, out);
    if (at.found)
        find_locks(t, &at, sites, out);
}

void det_race_sides(const trc *t, const trc_fail *f, trc_sites *sites, det_finding *out)
{
    TD_ASSERT(f->kind == WIRE_FAIL_RACE && out->sides == NULL);
    if (f->other_thread >= t->threads.len)
        return;
    out->sides = td_alloc(2 * sizeof *out->sides);
    find_side(t, f, false, sites, &out->sides[0]);
    find_side(t, f, true, sites, &out->sides[1]);
}

void det_sides_free(det_side *sides)
{
    for (size_t i = 0; sides && i < 2; i++) {
        det_side *s = &sides[i];
        for (size_t k = 0; k < s->locks.len; k++) {
            td_free(s->locks.at[k].name);
            td_free(s->locks.at[k].file);
            td_free(s->locks.at[k].function);
        }
        det_lock_vec_fini(&s->locks);
        td_free(s->file);
        td_free(s->function);
        td_free(s->name);
        td_free(s->created_file);
        td_free(s->created_function);
    }
    td_free(sides);
}
