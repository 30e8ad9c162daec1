/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/explore_int.h"

#include "base/assert.h"
#include "explore/scene.h"

/* Every side of every branch, by few interferences (con2colic testing).
 *
 * Runs fill the forest; each decision in it that went one way only gives a target, and a
 * candidate without interferences for it. Candidates are checked by growing degree, the number
 * of their interferences. One that is possible is run. One that is not becomes others: one of the
 * reads that are to blame sees a write of another thread, or a thread goes on to where it opens
 * what another waits for. Both are looked for again when a run shows new writes.
 *
 * What a run does beyond its candidate goes into the forest as well. Each branch side has the
 * least degree at which it was shown: that of the candidate, or of what led to it in a run. A
 * side that was shown by chance is aimed at all the same, at degrees that are smaller.
 *
 * Reading: Farzan et al., Con2colic testing, 2013, section 7. */

enum {
    MAX_DEGREE = 100,
    MAX_VALUES = 64,       /* of an address or length that are tried */
    CHECKS_AT_ONCE = 2000, /* until the caller may look at its budget */
};

typedef struct side {
    uint32_t site, number;
    uint32_t k; /* XPL_NONE: not taken yet */
} side;

/* A candidate that a new write, or a new end of a thread, may help. */
typedef struct waiter {
    uint32_t scene;
    uint32_t read; /* node; of a need: the node it follows; of a wait: tree that helps */
    uint8_t kind;  /* of a need; of what waits */
    exp_ref must;  /* of a read: what it has to make true; none: not known */
} waiter;

TD_VEC(side, side_vec);
TD_VEC(waiter, waiter_vec);
TD_VEC(waiter_vec, waiter_vec_vec);
TD_VEC(xpl_target, target_vec);
TD_VEC(uint64_t, offset_vec);

typedef struct queue {
    xpl_u32_vec urgent, others; /* candidates */
    size_t urgent_at, others_at;
} queue;

typedef struct interfere {
    xpl head;
    xpl_opts opts;
    pth *path;
    xpl_forest forest;
    xpl_checker checker;
    target_vec targets;
    td_id_set known_targets, known_scenes;
    xpl_u32_vec words; /* of all candidates */
    offset_vec scenes; /* by candidate: where it starts in words */
    queue queues[MAX_DEGREE + 1];
    waiter_vec_vec by_place, by_object, by_tree;
    side_vec sides;
    xpl_map side_of;  /* site and number */
    xpl_map branches; /* sites that are branches */
    uint32_t n_taken;
    uint32_t degree; /* that is being searched */
    xpl_scene scene, child;
    /* the run under way */
    bool is_open;
    uint32_t flight;
    uint64_t n_fatal;
    uint64_t n_jobs, n_checks;
    uint64_t n_missed, n_lost, n_undecided, n_values, n_deep, n_high;
    bool is_tired;  /* more to do, but the caller has to look at its budget */
    side_vec fails; /* site of a failure, the side that led to it, interferences */
    /* scratch, of a run: by thread, operations that count; by operation; by variable */
    xpl_u32_vec need, is_counted, is_needed, interfering;
    exp_u32_vec wanted;
    xpl_map reader;
} interfere;

static bool is_off(const interfere *x, uint32_t what)
{
    return (x->opts.interfere_off & what) != 0;
}

static xpl *interfere_new(const xpl_opts *opts)
{
    interfere *x = td_alloc(sizeof *x);
    x->head.search = &xpl_interfere;
    x->opts = *opts;
    x->path = pth_new();
    xpl_forest_init(&x->forest, x->path);
    xpl_checker_init(&x->checker, &x->forest, opts);
    x->checker.couples_all = is_off(x, XPL_OFF_LAZY);
    return &x->head;
}

static void waiters_fini(waiter_vec_vec *v)
{
    for (size_t i = 0; i < v->len; i++)
        waiter_vec_fini(&v->at[i]);
    waiter_vec_vec_fini(v);
}

static void interfere_free(xpl *head)
{
    interfere *x = (interfere *)head;
    if (!x)
        return;
    xpl_checker_fini(&x->checker);
    xpl_forest_fini(&x->forest);
    pth_free(x->path);
    target_vec_fini(&x->targets);
    td_id_set_fini(&x->known_targets);
    td_id_set_fini(&x->known_scenes);
    xpl_u32_vec_fini(&x->words);
    offset_vec_fini(&x->scenes);
    for (size_t i = 0; i <= MAX_DEGREE; i++) {
        xpl_u32_vec_fini(&x->queues[i].urgent);
        xpl_u32_vec_fini(&x->queues[i].others);
    }
    waiters_fini(&x->by_place);
    waiters_fini(&x->by_object);
    waiters_fini(&x->by_tree);
    side_vec_fini(&x->sides);
    xpl_map_fini(&x->side_of);
    xpl_map_fini(&x->branches);
    xpl_scene_fini(&x->scene);
    xpl_scene_fini(&x->child);
    side_vec_fini(&x->fails);
    xpl_u32_vec_fini(&x->need);
    xpl_u32_vec_fini(&x->is_counted);
    xpl_u32_vec_fini(&x->is_needed);
    xpl_u32_vec_fini(&x->interfering);
    exp_u32_vec_fini(&x->wanted);
    xpl_map_fini(&x->reader);
    td_free(x);
}

/* ---- candidates in and out ---- */

/* Words of a candidate: target, degree, number of ends, ends, edges up to the next one. */
static uint32_t keep(interfere *x, const xpl_scene *s)
{
    uint32_t number = (uint32_t)x->scenes.len;
    offset_vec_push(&x->scenes, x->words.len);
    xpl_u32_vec_push(&x->words, s->target);
    xpl_u32_vec_push(&x->words, s->degree);
    xpl_u32_vec_push(&x->words, (uint32_t)s->ends.len);
    xpl_u32_vec_append(&x->words, s->ends.at, s->ends.len);
    for (size_t i = 0; i < s->edges.len; i++) {
        xpl_u32_vec_push(&x->words, s->edges.at[i].read);
        xpl_u32_vec_push(&x->words, s->edges.at[i].write);
    }
    return number;
}

static void load(const interfere *x, uint32_t number, xpl_scene *out)
{
    bool is_last = number + 1 == x->scenes.len;
    uint64_t at = x->scenes.at[number];
    uint64_t end = is_last ? x->words.len : x->scenes.at[number + 1];
    const uint32_t *w = x->words.at;
    out->target = w[at];
    out->degree = w[at + 1];
    uint32_t n = w[at + 2];
    xpl_u32_vec_clear(&out->ends);
    xpl_edge_vec_clear(&out->edges);
    xpl_u32_vec_append(&out->ends, w + at + 3, n);
    for (uint64_t i = at + 3 + n; i < end; i += 2)
        xpl_edge_vec_push(&out->edges, (xpl_edge){w[i], w[i + 1]});
}

static bool is_new(interfere *x, const xpl_scene *s)
{
    size_t before = x->words.len;
    xpl_u32_vec *w = &x->words; /* scratch at its end */
    xpl_u32_vec_push(w, s->target);
    xpl_u32_vec_push(w, (uint32_t)s->ends.len);
    xpl_u32_vec_append(w, s->ends.at, s->ends.len);
    xpl_u32_vec_append(w, (const uint32_t *)s->edges.at, 2 * s->edges.len);
    td_id id = td_id_hash(w->at + before, (w->len - before) * sizeof w->at[0]);
    w->len = before;
    return td_id_set_add(&x->known_scenes, id) || is_off(x, XPL_OFF_DUPLICATES);
}

static bool is_urgent(const interfere *x, const xpl_target *t)
{
    return !is_off(x, XPL_OFF_PRIORITIES) && t->cover != XPL_NONE &&
           x->sides.at[t->cover].k == XPL_NONE;
}

static void enqueue(interfere *x, const xpl_scene *s)
{
    if (s->degree > MAX_DEGREE || s->degree > x->opts.interferences) {
        x->n_high++;
        return;
    }
    queue *q = &x->queues[s->degree];
    uint32_t number = keep(x, s);
    xpl_u32_vec_push(is_urgent(x, &x->targets.at[s->target]) ? &q->urgent : &q->others,
                     number);
}

static uint32_t pop(xpl_u32_vec *v, size_t *at)
{
    uint32_t number = v->at[(*at)++];
    if (*at == v->len) {
        xpl_u32_vec_clear(v);
        *at = 0;
    }
    return number;
}

/* The next candidate, of the least degree; XPL_NONE: there is none. */
static uint32_t next_scene(interfere *x)
{
    for (uint32_t k = 0; k <= MAX_DEGREE; k++) {
        queue *q = &x->queues[k];
        if (q->urgent.len == 0 && q->others.len == 0)
            continue;
        x->degree = k;
        return q->urgent.len > 0 ? pop(&q->urgent, &q->urgent_at)
                                 : pop(&q->others, &q->others_at);
    }
    return XPL_NONE;
}

/* ---- targets ---- */

static uint32_t target_add(interfere *x, xpl_target t)
{
    uint64_t words[7] = {t.aim,
                         t.kind,
                         (uint64_t)t.tree << 32 | t.before,
                         (uint64_t)t.question << 32 | t.object,
                         t.side,
                         t.is_last,
                         t.other};
    if (!td_id_set_add(&x->known_targets, td_id_hash(words, sizeof words)))
        return XPL_NONE;
    target_vec_push(&x->targets, t);
    return (uint32_t)x->targets.len - 1;
}

static void aim(interfere *x, xpl_target t)
{
    uint32_t number = target_add(x, t);
    if (number == XPL_NONE)
        return;
    xpl_scene s = {.target = number};
    if (is_new(x, &s))
        enqueue(x, &s);
}

static uint64_t side_key(uint32_t site, uint64_t number)
{
    return (uint64_t)site << 32 | (uint32_t)number;
}

static uint32_t side_number(interfere *x, uint32_t site, uint64_t number)
{
    uint32_t next = (uint32_t)x->sides.len;
    uint32_t i = xpl_map_put(&x->side_of, side_key(site, number), next);
    if (i == next)
        side_vec_push(&x->sides, (side){site, (uint32_t)number, XPL_NONE});
    return i;
}

/* The thread has answered the question before: it cannot go another way now. */
static bool is_settled_before(const xpl_forest *f, uint32_t before, uint32_t question)
{
    for (; before != XPL_NONE; before = f->nodes.at[before].before)
        if (f->nodes.at[before].question == question)
            return true;
    return false;
}

static void aim_at_side(interfere *x, const xpl_node *n, uint64_t number)
{
    bool is_branch =
        n->kind == WIRE_DECIDE && xpl_map_get(&x->branches, n->site) != XPL_NONE;
    xpl_target t = {.aim = XPL_AIM_SIDE,
                    .tree = n->tree,
                    .before = n->before,
                    .question = n->question,
                    .object = XPL_NONE,
                    .other = XPL_NONE,
                    .cover = is_branch ? side_number(x, n->site, number) : XPL_NONE,
                    .side = number};
    bool is_there =
        xpl_forest_side(&x->forest, n->tree, n->before, n->question, number) != XPL_NONE;
    if (is_there && (t.cover == XPL_NONE || x->sides.at[t.cover].k == 0))
        return;
    aim(x, t);
}

static void aim_beside(interfere *x, uint32_t node)
{
    xpl_node n = *xpl_node_at(&x->forest, node);
    uint8_t other = xpl_outcome_other(n.kind);
    uint64_t held = n.before == XPL_NONE ? 0 : x->forest.nodes.at[n.before].held;
    /* What a thread has itself turns out in one way. */
    bool is_own = n.object < 64 && (held >> n.object & 1);
    if (other != WIRE_NONE && !is_own)
        aim(x, (xpl_target){.aim = XPL_AIM_OUTCOME,
                            .kind = other,
                            .is_last = n.kind == WIRE_BARRIER && !n.is_last,
                            .tree = n.tree,
                            .before = n.before,
                            .question = XPL_NONE,
                            .object = n.object,
                            .other = XPL_NONE,
                            .cover = XPL_NONE});
    if (n.question == XPL_NONE || is_settled_before(&x->forest, n.before, n.question))
        return;
    uint32_t n_sides = pth_n_sides(x->path, n.question);
    for (uint32_t i = 0; i < n_sides; i++)
        aim_at_side(x, &n, i);
    if (n_sides == 0)
        aim(x, (xpl_target){.aim = XPL_AIM_OTHER,
                            .tree = n.tree,
                            .before = n.before,
                            .question = n.question,
                            .object = XPL_NONE,
                            .other = XPL_NONE,
                            .cover = XPL_NONE});
}

/* The thread waits for itself, whatever others do. */
static bool is_stuck(const trc *t, uint32_t thread)
{
    for (size_t i = 0; i < t->waits.len; i++)
        if (t->waits.at[i].thread == thread && t->waits.at[i].kind != WIRE_NONE &&
            t->waits.at[i].other == thread)
            return true;
    return false;
}

/* Threads that were cut short: nothing is known of what they do next. */
static void aim_on(interfere *x, const trc *t)
{
    xpl_forest *f = &x->forest;
    for (size_t i = 0; i < t->nexts.len && t->done != WIRE_DONE_DEPTH; i++) {
        const trc_next *n = &t->nexts.at[i];
        uint32_t tree = f->tree_of.at[n->thread], before = f->ends.at[n->thread];
        bool has_object =
            xpl_has_object(n->kind) && xpl_outcome_other(n->kind) == WIRE_NONE;
        if (xpl_forest_first(f, tree, before) != XPL_NONE || is_stuck(t, n->thread))
            continue;
        aim(x, (xpl_target){
                   .aim = XPL_AIM_ON,
                   .kind = n->kind,
                   .tree = tree,
                   .before = before,
                   .question = XPL_NONE,
                   .object = has_object ? xpl_forest_object(f, n->object) : XPL_NONE,
                   .other = n->other == UINT32_MAX ? XPL_NONE : f->tree_of.at[n->other],
                   .cover = XPL_NONE});
    }
}

static uint32_t n_values(const interfere *x, const xpl_target *t)
{
    uint32_t n = 0;
    for (uint32_t i = xpl_forest_first(&x->forest, t->tree, t->before); i != XPL_NONE;
         i = x->forest.nodes.at[i].next)
        n += x->forest.nodes.at[i].question == t->question;
    return n;
}

/* Some node is what the target aims at. */
static bool is_reached(const interfere *x, const xpl_target *t)
{
    const xpl_forest *f = &x->forest;
    if (t->aim == XPL_AIM_SIDE)
        return xpl_forest_side(f, t->tree, t->before, t->question, t->side) != XPL_NONE;
    if (t->aim == XPL_AIM_OTHER)
        return false;
    if (t->aim == XPL_AIM_ON)
        return xpl_forest_first(f, t->tree, t->before) != XPL_NONE;
    uint32_t i = xpl_forest_first(f, t->tree, t->before);
    while (i != XPL_NONE &&
           (f->nodes.at[i].kind != t->kind || f->nodes.at[i].is_last != t->is_last))
        i = f->nodes.at[i].next;
    return i != XPL_NONE;
}

/* Nothing is to be gained by the candidate. */
static bool is_idle(interfere *x, const xpl_scene *s)
{
    const xpl_target *t = &x->targets.at[s->target];
    if (t->aim == XPL_AIM_OTHER && n_values(x, t) >= MAX_VALUES) {
        x->n_values++;
        return true;
    }
    if (!is_reached(x, t))
        return false;
    return t->cover == XPL_NONE || x->sides.at[t->cover].k <= s->degree;
}

/* ---- more candidates ---- */

static bool writes_place(const xpl_node *n, uint32_t place)
{
    return n->written.ix && n->place == place;
}

/* Its thread writes the place again before end, which is behind it. */
static bool is_overwritten(const xpl_forest *f, uint32_t write, uint32_t end)
{
    uint32_t place = xpl_node_at(f, write)->place;
    for (; end != write && end != XPL_NONE; end = f->nodes.at[end].before)
        if (writes_place(xpl_node_at(f, end), place))
            return true;
    return false;
}

/* Nobody who takes one of these mutexes sees it: its thread always writes the place again before
 * it gives them back, as far as there is only one way for it to go on. */
static bool is_hidden(const xpl_forest *f, uint32_t write, uint64_t common)
{
    uint32_t place = xpl_node_at(f, write)->place;
    uint32_t i = xpl_node_at(f, write)->first;
    while (i != XPL_NONE && f->nodes.at[i].next == XPL_NONE &&
           (f->nodes.at[i].held & common) == common) {
        if (writes_place(xpl_node_at(f, i), place))
            return true;
        i = f->nodes.at[i].first;
    }
    return false;
}

/* The reader wrote the place itself since it has one of these mutexes. */
static bool is_own(const xpl_forest *f, uint32_t read, uint64_t common)
{
    uint32_t place = xpl_node_at(f, read)->place;
    for (uint32_t i = xpl_node_at(f, read)->before;
         i != XPL_NONE && (f->nodes.at[i].held & common); i = f->nodes.at[i].before) {
        common &= f->nodes.at[i].held;
        if (writes_place(xpl_node_at(f, i), place))
            return true;
    }
    return false;
}

/* Whatever the order is, the read does not see the write. */
static bool is_out_of_sight(const xpl_scene *s, const xpl_forest *f, const xpl_target *t,
                            uint32_t read, uint32_t write)
{
    if (xpl_scene_before(s, f, write, read))
        return is_overwritten(f, write,
                              xpl_scene_end(s, f, t, xpl_node_at(f, write)->tree));
    uint64_t common = xpl_node_at(f, read)->held & xpl_node_at(f, write)->held;
    return common && (is_own(f, read, common) || is_hidden(f, write, common));
}

/* The candidate at hand, with a read that sees the write. */
static void couple(interfere *x, const waiter *w, uint32_t write)
{
    const xpl_forest *f = &x->forest;
    const xpl_scene *s = &x->scene;
    const xpl_target *t = &x->targets.at[s->target];
    uint32_t read = w->read;
    if (xpl_node_at(f, read)->tree == xpl_node_at(f, write)->tree)
        return;
    if (w->must.ix && !is_off(x, XPL_OFF_CORES) &&
        !xpl_would_hold(f, w->must, read, write))
        return;
    xpl_scene_copy(&x->child, s);
    if (!xpl_scene_reach(&x->child, f, t, write) ||
        (!is_off(x, XPL_OFF_CORES) && is_out_of_sight(s, f, t, read, write)))
        return;
    xpl_scene_couple(&x->child, read, write);
    x->child.degree += !xpl_scene_before(&x->child, f, write, read);
    if (is_new(x, &x->child))
        enqueue(x, &x->child);
}

/* The thread of node goes on to it. */
static void lead_on(interfere *x, const xpl_scene *s, uint32_t node)
{
    const xpl_target *t = &x->targets.at[s->target];
    xpl_scene_copy(&x->child, s);
    if (xpl_scene_reach(&x->child, &x->forest, t, node) && is_new(x, &x->child))
        enqueue(x, &x->child);
}

/* What one does to the object may let the other go on. */
static bool opens(uint8_t kind, uint8_t waiting)
{
    switch (waiting) {
    case WIRE_SEM_WAIT:
    case WIRE_SEM_TRYWAIT:
        return kind == WIRE_SEM_POST;
    case WIRE_SEM_BUSY:
        return kind == WIRE_SEM_WAIT || kind == WIRE_SEM_TRYWAIT;
    case WIRE_COND_WAKE:
        return kind == WIRE_SIGNAL || kind == WIRE_BROADCAST;
    case WIRE_BARRIER:
    case WIRE_BARRIER_LEAVE:
        return kind == WIRE_BARRIER;
    case WIRE_ONCE_DONE:
        return kind == WIRE_ONCE_END;
    default:
        return true;
    }
}

/* The next thing that its thread does to the object, if the candidate does not have it. */
static bool is_nearest(const interfere *x, const xpl_scene *s, uint32_t node,
                       uint8_t waiting)
{
    const xpl_forest *f = &x->forest;
    const xpl_node *n = xpl_node_at(f, node);
    uint32_t end = xpl_scene_end(s, f, &x->targets.at[s->target], n->tree);
    if (end != XPL_NONE && (end == node || !xpl_forest_leads(f, end, node)))
        return false;
    for (uint32_t i = n->before; i != end && i != XPL_NONE; i = f->nodes.at[i].before)
        if (f->nodes.at[i].object == n->object && opens(f->nodes.at[i].kind, waiting))
            return false;
    return true;
}

static bool helps(const interfere *x, const xpl_scene *s, const xpl_helper *h,
                  uint32_t node)
{
    const xpl_node *n = xpl_node_at(&x->forest, node);
    return (h->tree == XPL_NONE || h->tree == n->tree) && opens(n->kind, h->kind) &&
           is_nearest(x, s, node, h->kind);
}

static bool fits_need(const interfere *x, uint32_t node, uint32_t after, uint8_t kind)
{
    const xpl_forest *f = &x->forest;
    if (xpl_node_at(f, node)->kind != kind ||
        (after != XPL_NONE && !xpl_forest_leads(f, after, node)))
        return false;
    if (kind == WIRE_END)
        return true;
    for (uint32_t i = xpl_node_at(f, node)->before; i != after && i != XPL_NONE;
         i = f->nodes.at[i].before)
        if (f->nodes.at[i].kind == kind)
            return false;
    return true;
}

static waiter_vec *waiters(waiter_vec_vec *v, uint32_t i)
{
    while (v->len <= i)
        waiter_vec_vec_push(v, (waiter_vec){0});
    return &v->at[i];
}

/* Without guidance every read by default is to blame. */
static void blame_everything(interfere *x)
{
    xpl_checker *c = &x->checker;
    xpl_u32_vec_clear(&c->core);
    for (size_t i = 0; i < c->nodes.len; i++)
        if (c->nodes.at[i] != XPL_NONE &&
            xpl_node_at(&x->forest, c->nodes.at[i])->variable != XPL_NONE &&
            xpl_scene_source(&x->scene, c->nodes.at[i]) == XPL_NONE)
            xpl_u32_vec_push(&c->core, c->nodes.at[i]);
}

static void extend(interfere *x, uint32_t number)
{
    const xpl_forest *f = &x->forest;
    const xpl_checker *c = &x->checker;
    if (is_off(x, XPL_OFF_CORES))
        blame_everything(x);
    for (size_t i = 0; i < c->core.len; i++) {
        uint32_t read = c->core.at[i], place = xpl_node_at(f, read)->place;
        waiter w = {.scene = number, .read = read, .must = c->broken};
        waiter_vec_push(waiters(&x->by_place, place), w);
        for (size_t k = 0; k < f->places.at[place].writes.len; k++)
            couple(x, &w, f->places.at[place].writes.at[k]);
    }
    for (size_t i = 0; i < c->helpers.len; i++) {
        xpl_helper h = c->helpers.at[i];
        waiter_vec_push(waiters(&x->by_object, h.object),
                        (waiter){.scene = number, .read = h.tree, .kind = h.kind});
        for (size_t k = 0; k < f->objects.at[h.object].nodes.len; k++)
            if (helps(x, &x->scene, &h, f->objects.at[h.object].nodes.at[k]))
                lead_on(x, &x->scene, f->objects.at[h.object].nodes.at[k]);
    }
}

static void meet_need(interfere *x, uint32_t number)
{
    const xpl_forest *f = &x->forest;
    uint32_t tree = x->checker.need_tree, after = x->checker.need_after;
    uint8_t kind = x->checker.need_kind;
    waiter_vec_push(waiters(&x->by_tree, tree),
                    (waiter){.scene = number, .read = after, .kind = kind});
    if (kind == WIRE_END) {
        for (size_t i = 0; i < f->trees.at[tree].ends.len; i++)
            if (fits_need(x, f->trees.at[tree].ends.at[i], after, kind))
                lead_on(x, &x->scene, f->trees.at[tree].ends.at[i]);
        return;
    }
    for (uint32_t i = 0; i < f->nodes.len; i++)
        if (f->nodes.at[i].tree == tree && fits_need(x, i, after, kind))
            lead_on(x, &x->scene, i);
}

/* ---- what a new node means for candidates that wait ---- */

static void offer_write(interfere *x, uint32_t node)
{
    uint32_t place = xpl_node_at(&x->forest, node)->place;
    for (size_t i = 0; place < x->by_place.len && i < x->by_place.at[place].len; i++) {
        waiter w = x->by_place.at[place].at[i];
        load(x, w.scene, &x->scene);
        couple(x, &w, node);
    }
}

static void offer_object(interfere *x, uint32_t node)
{
    uint32_t object = xpl_node_at(&x->forest, node)->object;
    for (size_t i = 0; object < x->by_object.len && i < x->by_object.at[object].len;
         i++) {
        waiter w = x->by_object.at[object].at[i];
        xpl_helper h = {object, w.read, w.kind};
        load(x, w.scene, &x->scene);
        if (helps(x, &x->scene, &h, node))
            lead_on(x, &x->scene, node);
    }
}

static void offer_end(interfere *x, uint32_t node)
{
    uint32_t tree = xpl_node_at(&x->forest, node)->tree;
    for (size_t i = 0; tree < x->by_tree.len && i < x->by_tree.at[tree].len; i++) {
        waiter w = x->by_tree.at[tree].at[i];
        if (!fits_need(x, node, w.read, w.kind))
            continue;
        load(x, w.scene, &x->scene);
        lead_on(x, &x->scene, node);
    }
}

static void offer(interfere *x, uint32_t node)
{
    const xpl_node *n = xpl_node_at(&x->forest, node);
    bool writes = n->written.ix != 0 && n->place != XPL_NONE,
         ends = n->kind == WIRE_END || n->kind == WIRE_ATOMIC_END;
    bool has_object = n->object != XPL_NONE;
    if (writes)
        offer_write(x, node);
    if (has_object)
        offer_object(x, node);
    if (ends)
        offer_end(x, node);
}

/* ---- jobs ---- */

/* All sides are taken, and none could be with fewer interferences. */
static bool is_full(const interfere *x)
{
    if (x->opts.n_sides == 0 || x->n_taken < x->opts.n_sides)
        return false;
    for (size_t i = 0; i < x->sides.len; i++)
        if (x->sides.at[i].k != XPL_NONE && x->sides.at[i].k > x->degree)
            return false;
    return true;
}

/* Checks one candidate; true: it is to be run. */
static bool work_on(interfere *x, uint32_t number)
{
    load(x, number, &x->scene);
    if (is_idle(x, &x->scene))
        return false;
    x->n_checks++;
    switch (xpl_check(&x->checker, &x->scene, &x->targets.at[x->scene.target])) {
    case XPL_POSSIBLE:
        return true;
    case XPL_IMPOSSIBLE:
        extend(x, number);
        return false;
    case XPL_NEEDS:
        meet_need(x, number);
        return false;
    case XPL_UNDECIDED:
        x->n_undecided++;
        return false;
    case XPL_CONFLICT:
        if (is_off(x, XPL_OFF_CORES))
            extend(x, number);
        return false;
    }
    return false;
}

static bool find_job(interfere *x)
{
    x->is_tired = false;
    trc_step_vec_clear(&x->checker.steps);
    trc_chosen_vec_clear(&x->checker.inputs);
    x->flight = XPL_NONE;
    if (x->n_jobs == 0)
        return true;
    for (uint32_t i = 0; i < CHECKS_AT_ONCE; i++) {
        uint32_t number = is_full(x) ? XPL_NONE : next_scene(x);
        if (number == XPL_NONE)
            return false;
        if (work_on(x, number)) {
            x->flight = number;
            return true;
        }
    }
    x->is_tired = true;
    return false;
}

static bool interfere_next(xpl *head, xpl_job *out)
{
    interfere *x = (interfere *)head;
    if (x->is_open || (x->opts.runs > 0 && x->n_jobs >= x->opts.runs) || !find_job(x))
        return false;
    x->is_open = true;
    x->n_fatal = x->forest.n_fatal;
    x->n_jobs++;
    *out = (xpl_job){.id = x->n_jobs,
                     .policy = WIRE_POLICY_FIRST,
                     .flags = WIRE_JOB_READS | WIRE_JOB_SIDES | WIRE_JOB_DETAIL |
                              WIRE_JOB_NEXT,
                     .seed = xpl_seed(x->opts.seed, x->n_jobs),
                     .steps = x->checker.steps.at,
                     .n_steps = x->checker.steps.len,
                     .inputs = x->checker.inputs.at,
                     .n_inputs = x->checker.inputs.len};
    return true;
}

/* ---- branch sides of a run ---- */

/* Who wrote what operation i read is another thread, and not because it was created or joined. */
static bool interferes(const interfere *x, const trc *t, uint32_t i)
{
    const xpl_forest *f = &x->forest;
    uint32_t source = f->source.at[i];
    if (source == XPL_NONE || t->ops.at[source].thread == t->ops.at[i].thread)
        return false;
    uint32_t write = f->node_of.at[source], read = f->node_of.at[i];
    /* Of the run, every thread that was joined has ended. */
    xpl_scene s = {0};
    for (size_t k = 0; k < f->ends.len; k++)
        if (f->ends.at[k] != XPL_NONE && xpl_node_at(f, f->ends.at[k])->kind == WIRE_END)
            xpl_u32_vec_push(&s.ends, f->ends.at[k]);
    bool is_before = xpl_scene_before(&s, f, write, read);
    xpl_scene_fini(&s);
    return !is_before;
}

static void need(interfere *x, uint32_t thread, uint32_t n_ops)
{
    if (x->need.at[thread] < n_ops)
        x->need.at[thread] = n_ops;
}

static void need_values(interfere *x, exp_ref e)
{
    const exp_dag *d = pth_dag(x->path);
    exp_set_list(d, exp_inputs(d, e), &x->wanted);
}

/* Operation i is needed: what it decides, and who made it possible, is as well. */
static void need_op(interfere *x, const trc *t, uint32_t i)
{
    const trc_op *op = &t->ops.at[i];
    const xpl_node *n = xpl_node_at(&x->forest, x->forest.node_of.at[i]);
    if (n->question != XPL_NONE)
        need_values(x, pth_condition(x->path, n->question, n->side));
    if (op->kind == WIRE_JOIN && t->threads.at[op->value].end_op != UINT32_MAX)
        need(x, (uint32_t)op->value, t->threads.at[op->value].end_op + 1);
    if (op->thread > 0)
        need(x, t->threads.at[op->thread].parent,
             t->threads.at[op->thread].create_op + 1);
}

/* The value that operation i read is needed: so is who wrote it. 1 if it is an interference. */
static uint32_t need_read(interfere *x, const trc *t, uint32_t i)
{
    uint32_t source = x->forest.source.at[i];
    if (x->is_counted.at[i])
        return 0;
    x->is_counted.at[i] = 1;
    if (source == XPL_NONE)
        return 0;
    need(x, t->ops.at[source].thread, source + 1);
    need_values(x, xpl_node_at(&x->forest, x->forest.node_of.at[source])->written);
    return x->interfering.at[i];
}

static void need_start(interfere *x, const trc *t)
{
    xpl_u32_vec_reserve(&x->need, t->threads.len);
    memset(x->need.at, 0, t->threads.len * sizeof x->need.at[0]);
    xpl_u32_vec_reserve(&x->is_counted, t->ops.len + 1);
    memset(x->is_counted.at, 0, t->ops.len * sizeof x->is_counted.at[0]);
    xpl_u32_vec_reserve(&x->is_needed, t->ops.len + 1);
    memset(x->is_needed.at, 0, t->ops.len * sizeof x->is_needed.at[0]);
    exp_u32_vec_clear(&x->wanted);
}

/* Interferences that led thread to where it has done n_ops of the run's operations: reads of others
 * whose values decide what it, or who wrote these values, did. */
static uint32_t degree_at(interfere *x, const trc *t, uint32_t thread, uint32_t n_ops)
{
    uint32_t degree = 0;
    need_start(x, t);
    need(x, thread, n_ops);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < t->ops.len; i++) {
            if (i >= x->need.at[t->ops.at[i].thread] || x->is_needed.at[i])
                continue;
            x->is_needed.at[i] = 1;
            more = true;
            need_op(x, t, i);
        }
        while (x->wanted.len > 0) {
            uint32_t op = xpl_map_get(&x->reader, exp_u32_vec_pop(&x->wanted));
            degree += op == XPL_NONE ? 0 : need_read(x, t, op);
        }
    }
    return degree;
}

/* A branch decides right after its side was noted. */
static uint32_t degree_of(interfere *x, const trc *t, const trc_side *at)
{
    uint32_t n = at->before_op;
    bool decides = n < t->ops.len && t->ops.at[n].kind == WIRE_DECIDE &&
                   t->ops.at[n].thread == at->thread && t->ops.at[n].site == at->site;
    return degree_at(x, t, at->thread, n + decides);
}

static void take_side(interfere *x, uint32_t number, uint32_t degree)
{
    side *s = &x->sides.at[number];
    x->n_taken += s->k == XPL_NONE;
    s->k = degree < s->k ? degree : s->k;
}

/* Which operations interfere, and which has read a variable. */
static void look_at_reads(interfere *x, const trc *t)
{
    const xpl_forest *f = &x->forest;
    xpl_u32_vec_reserve(&x->interfering, t->ops.len + 1);
    xpl_map_clear(&x->reader);
    for (uint32_t i = 0; i < t->ops.len; i++) {
        x->interfering.at[i] = interferes(x, t, i);
        uint32_t node = f->node_of.at[i];
        if (xpl_node_at(f, node)->is_outcome)
            node = xpl_node_at(f, node)->before;
        if (xpl_node_at(f, node)->variable != XPL_NONE)
            xpl_map_set(&x->reader, xpl_node_at(f, node)->variable, i);
    }
}

static void take_sides(interfere *x, const trc *t)
{
    look_at_reads(x, t);
    for (size_t i = 0; i < t->sides.len; i++) {
        const trc_side *at = &t->sides.at[i];
        xpl_map_put(&x->branches, at->site, 0);
        uint32_t number = side_number(x, at->site, at->side);
        if (x->sides.at[number].k > 0)
            take_side(x, number, degree_of(x, t, at));
    }
}

/* The side that the thread took last leads to the failure. */
static void take_fail(interfere *x, const trc *t)
{
    if (t->done != WIRE_DONE_FAIL || t->fails.len == 0)
        return;
    const trc_fail *fail = &t->fails.at[t->fails.len - 1];
    uint32_t last = XPL_NONE;
    for (size_t i = 0; i < t->sides.len; i++)
        if (t->sides.at[i].thread == fail->thread)
            last = side_number(x, t->sides.at[i].site, t->sides.at[i].side);
    side_vec_push(&x->fails, (side){fail->site, last,
                                    degree_at(x, t, fail->thread, (uint32_t)t->ops.len)});
}

/* ---- runs ---- */

/* The run came where the candidate wanted it? Else it is tried again if we know more now. */
static void land(interfere *x)
{
    x->is_open = false;
    if (x->flight == XPL_NONE)
        return;
    load(x, x->flight, &x->scene);
    const xpl_target *t = &x->targets.at[x->scene.target];
    bool another = t->aim == XPL_AIM_OTHER && x->forest.added.len > 0;
    if (is_reached(x, t)) {
        if (t->cover != XPL_NONE)
            take_side(x, t->cover, x->scene.degree);
    } else if (another || x->n_fatal != x->forest.n_fatal) {
        enqueue(x, &x->scene);
    } else {
        x->n_missed++;
    }
}

static void interfere_feed(xpl *head, const trc *t)
{
    interfere *x = (interfere *)head;
    xpl_forest_add(&x->forest, t);
    pth_values(x->path, t, &x->checker.values);
    x->n_deep += t->done == WIRE_DONE_DEPTH;
    take_sides(x, t);
    take_fail(x, t);
    land(x);
    for (size_t i = 0; i < x->forest.added.len; i++)
        offer(x, x->forest.added.at[i]);
    for (size_t i = 0; i < x->forest.added.len; i++)
        aim_beside(x, x->forest.added.at[i]);
    aim_on(x, t);
}

static void interfere_lost(xpl *head, uint64_t job)
{
    interfere *x = (interfere *)head;
    (void)job;
    x->is_open = false;
    x->n_lost++;
}

static bool interfere_works(const xpl *head)
{
    return ((const interfere *)head)->is_tired;
}

static bool interfere_complete(const xpl *head)
{
    const interfere *x = (const interfere *)head;
    if (x->n_jobs == 0 || x->is_open || x->is_tired)
        return false;
    for (size_t i = 0; i <= MAX_DEGREE && !is_full(x); i++)
        if (x->queues[i].urgent.len > 0 || x->queues[i].others.len > 0)
            return false;
    return true;
}

/* ---- what came of it ---- */

static void interfere_count(const xpl *head, xpl_counts *out)
{
    const interfere *x = (const interfere *)head;
    const xpl_forest *f = &x->forest;
    td_id *ids = td_alloc((f->nodes.len + 1) * sizeof *ids);
    *out = (xpl_counts){.events = f->nodes.len};
    for (size_t i = 0; i < f->nodes.len; i++) {
        const xpl_node *n = &f->nodes.at[i];
        struct {
            td_id before;
            uint64_t kind, side, site;
        } words = {.before =
                       n->before == XPL_NONE ? f->trees.at[n->tree].name : ids[n->before],
                   .kind = n->kind,
                   .side = n->side,
                   .site = n->site};
        ids[i] = td_id_hash(&words, sizeof words);
        out->digest = td_id_sum(out->digest, ids[i]);
    }
    td_free(ids);
}

static void interfere_sides(const xpl *head, xpl_side_vec *out, uint64_t *n_candidates)
{
    const interfere *x = (const interfere *)head;
    for (size_t i = 0; i < x->sides.len; i++) {
        const side *s = &x->sides.at[i];
        if (s->k != XPL_NONE)
            xpl_side_vec_push(out, (xpl_side){s->site, s->number, s->k});
    }
    *n_candidates = x->n_checks;
}

static void interfere_fails(const xpl *head, xpl_side_vec *out)
{
    const interfere *x = (const interfere *)head;
    for (size_t i = 0; i < x->fails.len; i++) {
        const side *f = &x->fails.at[i];
        uint32_t k = f->number == XPL_NONE ? XPL_NONE : x->sides.at[f->number].k;
        xpl_side_vec_push(out, (xpl_side){f->site, 0, k < f->k ? k : f->k});
    }
}

static size_t interfere_gaps(const xpl *head, xpl_gap *out, size_t max)
{
    const interfere *x = (const interfere *)head;
    const xpl_forest_lost *lost = &x->forest.lost;
    if (is_full(x))
        return 0;
    const xpl_gap all[] = {
        {"depth", "runs that were cut at the depth limit", x->n_deep},
        {"interferences", "candidates with more interferences than are tried", x->n_high},
        {"not reached", "a schedule did not lead where it should", x->n_missed},
        {"changed", "a thread went on in another way without a decision", lost->changed},
        {"values", "reads of what no operation wrote", lost->values},
        {"values", "values of other threads that came by ways that are not followed",
         x->checker.n_unbound},
        {"values", "addresses or lengths with more values than were tried", x->n_values},
        {"mixed sizes", "accesses of different sizes overlap", lost->mixed},
        {"operations", "operations whose order is not modelled by this search",
         lost->kinds},
        {"large", "writes whose value is not known", lost->large},
        {"solver", "candidates that could not be decided", x->n_undecided},
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].count > 0 && n < max)
            out[n++] = all[i];
    return n;
}

const xpl_search xpl_interfere = {
    .name = "interfere",
    .text = "every side of every branch, by growing numbers of interferences",
    .covers = XPL_BRANCHES,
    .new = interfere_new,
    .next = interfere_next,
    .feed = interfere_feed,
    .lost = interfere_lost,
    .works = interfere_works,
    .complete = interfere_complete,
    .count = interfere_count,
    .sides = interfere_sides,
    .fails = interfere_fails,
    .gaps = interfere_gaps,
    .free = interfere_free,
};
