/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual repairs: operations that the program does not have, where threads enter and leave source lines.
 *
 * A thread is looked at only at points, which are all that other threads can notice: it enters a part before its
 * first point inside, and leaves it before its first point outside. */
#include "runtime/core/added_ops.h"

#include "runtime/core/core.h"

/* Return addresses of self, innermost first, then the frame pointers of the functions that they return to. */
typedef struct stack {
    uint64_t at[2 * RT_FRAMES];
    uint32_t n;
} stack;

void rt_repair_reset(void)
{
    uint32_t n = rt->shm->n_repairs;
    rt->is_repaired = n > 0 && n <= WIRE_MAX_REPAIRS;
    for (uint32_t i = 0; i < WIRE_MAX_REPAIRS; i++)
        rt->n_left_first[i] = 0;
    rt->repairs_made = false;
}

static bool is_code_of(uint64_t address, uint32_t repair, uint32_t part)
{
    uint32_t n = rt->shm->n_parts;
    for (uint32_t i = 0; i < n && i < WIRE_MAX_PARTS; i++) {
        const wire_part *p = &rt->shm->parts[i];
        if (p->repair == repair && p->part == part && address >= p->low &&
            address < p->high)
            return true;
    }
    return false;
}

/* The outermost frame in a part, or -1; *n becomes the number of frames in it. A call is before the address that it
 * returns to. */
static int outermost_in(const stack *s, uint32_t repair, uint32_t part, uint32_t *n)
{
    int found = -1;
    *n = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (is_code_of(s->at[i] - 1, repair, part)) {
            found = (int)i;
            ++*n;
        }
    return found;
}

static uint64_t hash_to(const stack *s, int end)
{
    uint64_t state = (uint64_t)end;
    for (int i = 0; i <= end; i++) {
        state ^= s->at[i];
        state = rt_random(&state);
    }
    return state;
}

/* ---- operations ---- */

static void operate(uint8_t kind, uint32_t site, uint64_t object, uint8_t type,
                    bool is_recursive)
{
    rt_thread *self = rt->self;
    rt_op saved = self->pending;
    uint64_t called_at = self->called_at;
    self->is_repairing = true;
    rt_sync_op_at(site, kind, (const void *)object, type)->a = is_recursive;
    rt_sync_operation();
    self->is_repairing = false;
    self->pending = saved;
    self->called_at = called_at;
}

/* Self has left part 0 of an order. */
static void left_first(uint32_t i, uint32_t site)
{
    const wire_repair *r = &rt->shm->repairs[i];
    if (++rt->n_left_first[i] == r->count)
        operate(WIRE_SEM_POST, site, r->object, RT_SEM, false);
}

/* The semaphores of orders, before there is a second thread. */
static void make_objects(uint32_t site)
{
    rt->repairs_made = true;
    for (uint32_t i = 0; i < rt->shm->n_repairs; i++)
        if (rt->shm->repairs[i].kind == WIRE_REPAIR_ORDER)
            operate(WIRE_INIT, site, rt->shm->repairs[i].object, RT_SEM, false);
}

/* ---- sections ---- */

static void leave_section(rt_inside *in, const wire_repair *r, uint32_t site)
{
    in->is_in = false;
    operate(WIRE_UNLOCK, site, r->object, RT_MUTEX, false);
}

/* The lines may begin in a section of the program: it then lasts. A thread that enters once more, in an activation
 * inside the other, waits for itself. */
static void enter_section(const rt_inside *in, const wire_repair *r, uint32_t site)
{
    operate(WIRE_LOCK, site, r->object, RT_MUTEX, !in->is_in);
}

/* A function that is called in the part and takes the mutex itself does not take it again. */
static void take_once(const wire_repair *r, uint32_t site)
{
    rt_op *op = &rt->self->pending;
    bool takes = op->kind == WIRE_LOCK || op->kind == WIRE_TRYLOCK;
    if (takes && op->site == site && op->object == r->object)
        op->a = 1;
}

/* The part that the outermost frame of all parts is in. *k becomes that frame, or -1. */
static uint32_t part_of(const stack *s, uint32_t repair, int *k, uint32_t *n)
{
    uint32_t part = 0;
    *k = -1;
    for (uint32_t i = 0; i < WIRE_MAX_PLACES; i++) {
        uint32_t frames;
        int at = outermost_in(s, repair, i, &frames);
        if (at > *k) {
            *k = at;
            *n = frames;
            part = i;
        }
    }
    return part;
}

static void at_section(const stack *s, uint32_t i, uint32_t site)
{
    const wire_repair *r = &rt->shm->repairs[i];
    rt_inside *in = &rt->self->inside[i];
    int k;
    uint32_t n = 0, part = part_of(s, i, &k, &n);
    if (k < 0) {
        if (in->is_in)
            leave_section(in, r, site);
        return;
    }
    rt_inside now = {.n_activations = n,
                     .part = part,
                     .frame = s->at[RT_FRAMES + k],
                     .returns = (uint32_t)k + 1 < s->n ? s->at[k + 1] : 0,
                     .entry = hash_to(s, k)};
    bool is_same = in->is_in && in->part == part && in->frame == now.frame &&
                   in->returns == now.returns;
    bool is_again = is_same && r->is_in_loop && in->entry == now.entry;
    if (is_same && !is_again && n <= in->n_activations) {
        take_once(r, site);
        return;
    }
    if (in->is_in && (!is_same || is_again))
        leave_section(in, r, site);
    enter_section(in, r, site);
    *in = now;
    in->is_in = true;
    take_once(r, site);
}

/* ---- orders ---- */

static void at_order(const stack *s, uint32_t i, uint32_t site)
{
    const wire_repair *r = &rt->shm->repairs[i];
    rt_inside *in = &rt->self->inside[i];
    uint32_t n;
    bool is_first = outermost_in(s, i, 0, &n) >= 0;
    bool is_second = outermost_in(s, i, 1, &n) >= 0;
    bool was_first = in->is_in, was_second = in->is_before;
    in->is_in = is_first;
    in->is_before = is_second;
    if (was_first && !is_first)
        left_first(i, site);
    if (is_second && !was_second) {
        operate(WIRE_SEM_WAIT, site, r->object, RT_SEM, false);
        operate(WIRE_SEM_POST, site, r->object, RT_SEM, false);
    }
}

/* ---- points ---- */

void rt_repair_point(uint32_t site)
{
    rt_thread *self = rt->self;
    stack s;
    if (self->is_repairing || rt->exiting || rt->atomic > 0 || !rt->active)
        return;
    if (!rt->repairs_made)
        make_objects(site);
    s.n = rt_frames_collect(self, (uint64_t)__builtin_frame_address(0), s.at);
    /* Functions further out may be in a part. */
    if (s.n == RT_FRAMES)
        rt_gap_once(WIRE_GAP_UNWATCHED, site, "a repair, on a stack that is too deep");
    for (uint32_t i = 0; i < rt->shm->n_repairs && i < WIRE_MAX_REPAIRS; i++)
        switch (rt->shm->repairs[i].kind) {
        case WIRE_REPAIR_SECTION:
            at_section(&s, i, site);
            break;
        case WIRE_REPAIR_ORDER:
            at_order(&s, i, site);
            break;
        case WIRE_REPAIR_WAKE_ALL: {
            uint32_t n;
            int k;
            if (self->pending.kind == WIRE_SIGNAL && self->pending.site == site &&
                part_of(&s, i, &k, &n) < WIRE_MAX_PLACES && k >= 0)
                self->pending.kind = WIRE_BROADCAST;
            break;
        }
        default:
            break;
        }
}

void rt_repair_end(void)
{
    rt_thread *self = rt->self;
    if (self->is_repairing || rt->exiting)
        return;
    for (uint32_t i = 0; i < rt->shm->n_repairs && i < WIRE_MAX_REPAIRS; i++) {
        rt_inside *in = &self->inside[i];
        const wire_repair *r = &rt->shm->repairs[i];
        if (in->is_in && r->kind == WIRE_REPAIR_SECTION)
            leave_section(in, r, 0);
        else if (in->is_in && r->kind == WIRE_REPAIR_ORDER)
            left_first(i, 0);
        in->is_in = false;
    }
}
