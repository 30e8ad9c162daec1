/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of runtime/core/rounds.c: what a round of a loop read and changed, and when a thread that waits in one
 * can go on. */
#include "unit/runtime.h"

#include "runtime/core/above.h"
#include "runtime/core/spin.h"

/* ---- what the rest of the runtime would say ---- */

static rt_object object;
static bool has_inputs;
static int n_segments;

rt_object *rt_object_at(uint64_t address)
{
    object.address = address;
    return &object;
}

uint64_t rt_peek(uint64_t address, uint32_t size)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)address, size);
    return value;
}

const wire_site *rt_site_by_number(uint32_t number)
{
    static const wire_site sites[] = {{.kind = WIRE_SITE_READ},
                                      {.kind = WIRE_SITE_WRITE}};
    return &sites[number % 2];
}

/* Those of numbers from 10 on cannot be operations. */
bool rt_can_be_promoted(uint32_t site)
{
    return site < 10;
}

bool rt_retry_is_time(const rt_thread *self, const wire_loop *loop,
                      const wire_round *since, const rt_write *w)
{
    return false;
}

void rt_fold_did(rt_fold *f, uint8_t kind)
{
    fail();
}

void rt_fold_wrote(rt_thread *t, uint64_t p, uint64_t size)
{
    fail(); /* no loop is told here */
}

void rt_cut_access(rt_thread *self, uint64_t p, uint64_t size)
{
}

void rt_cut_after(rt_thread *t, const wire_rec *r, bool is_read)
{
}

bool rt_retry_is_half(const rt_thread *t, const wire_rec *r)
{
    return false;
}

void rt_segment_start(rt_thread *t)
{
    n_segments++;
}

void rt_segment_show(const rt_thread *t)
{
}

void rt_gap(enum wire_gap kind, uint32_t site, const char *text)
{
}

static bool by_inputs(uint64_t p, uint64_t size)
{
    return has_inputs;
}

/* ---- a thread at the header of a loop ---- */

static rt_read reads[RT_MAX_READS];
static rt_write writes[RT_MAX_WRITES];
static rt_thread *self;
static wire_loop loop;

static void start(void)
{
    static rt_above above;
    map_state();
    memcpy(&above, &(rt_above){.by_inputs = by_inputs}, sizeof above);
    rt->above = &above;
    self = rt_bump(sizeof *self);
    self->spin.reads = reads;
    self->spin.writes = writes;
    loop = (wire_loop){0};
    object = (rt_object){0};
    has_inputs = false;
}

static wire_round header(void)
{
    return (wire_round){.n_own = self->spin.n_own,
                        .changes = self->spin.changes,
                        .n_writes = self->spin.n_writes};
}

static void write_at(uint64_t *p, uint64_t value)
{
    rt_spin_access(self, (uint64_t)p, sizeof *p, true, 1);
    *p = value;
}

static bool changed(const wire_round *since)
{
    return rt_round_left_changes(self, &loop, since);
}

/* ---- plain writes ---- */

static void test_same_value(void **state)
{
    static uint64_t x = 3;
    start();
    wire_round since = header();
    assert_false(changed(&since));
    write_at(&x, 3);
    assert_false(changed(&since));
    write_at(&x, 4);
    assert_true(changed(&since));
    write_at(&x, 3); /* as the first write found it */
    assert_false(changed(&since));
}

/* What was there at the header counts, not what the last write found. */
static void test_first_write_counts(void **state)
{
    static uint64_t x = 1;
    start();
    wire_round since = header();
    write_at(&x, 2);
    write_at(&x, 2);
    assert_true(changed(&since));
    wire_round later = header();
    write_at(&x, 2);
    assert_false(changed(&later));
    assert_true(changed(&since));
}

static void test_many_writes(void **state)
{
    static uint64_t x[RT_MAX_WRITES + 1];
    start();
    wire_round since = header();
    for (uint32_t i = 0; i < RT_MAX_WRITES; i++)
        write_at(&x[i], 0);
    assert_false(changed(&since));
    write_at(&x[RT_MAX_WRITES], 0); /* the first one is forgotten */
    assert_true(changed(&since));
}

static void test_long_writes(void **state)
{
    static uint8_t bytes[256];
    start();
    uint64_t changes = self->spin.changes;
    wire_round since = header();
    rt_spin_access(self, (uint64_t)bytes, 100, true, 1);
    assert_int_equal(self->spin.changes, changes);
    assert_int_equal(self->spin.n_writes - since.n_writes, 7);
    bytes[99] = 1; /* in the last piece */
    assert_true(changed(&since));
    bytes[99] = 0;
    assert_false(changed(&since));
    rt_spin_access(self, (uint64_t)bytes, 200, true, 1);
    assert_int_equal(self->spin.changes, changes + 1);
}

/* What a function that was called in the round left on the stack is gone; what is above may have held anything,
 * unless the round before wrote there. */
static void test_own_stack(void **state)
{
    start();
    uint64_t top = rt_stack_top(0);
    map_at((top & ~UINT64_C(4095)) - 8192, 8192);
    uint64_t *frame = (uint64_t *)((top & ~UINT64_C(4095)) - 4096), *gone = frame - 8;
    self->spin.frames_end = (uint64_t)frame;
    wire_round since = header();
    write_at(gone, 7);
    assert_false(changed(&since));
    write_at(frame, 0);
    assert_true(changed(&since));
    loop.has_before = true;
    loop.before = since.n_writes;
    loop.last = header();
    since = header();
    write_at(frame, 0);
    assert_false(changed(&since));
    write_at(frame, 1);
    assert_true(changed(&since));
}

/* ---- operations ---- */

static void operation(uint8_t kind, uint64_t *p, uint64_t value, uint64_t old)
{
    self->pending = (rt_op){.kind = kind, .object = (uint64_t)p, .model = &object};
    wire_rec r = {.kind = kind, .size = 8, .object = (uint64_t)p, .value = value};
    rt_spin_before(self);
    rt_spin_after(self, &r, old);
}

static void test_reads_change_nothing(void **state)
{
    static uint64_t x;
    start();
    operation(WIRE_LOAD, &x, 5, 5);
    assert_int_equal(self->spin.changes, 0);
    assert_int_equal(self->spin.n_own, 1);
    operation(WIRE_CAS_FAIL, &x, 5, 5);
    operation(WIRE_RMW, &x, 5, 5); /* it wrote what was there */
    assert_int_equal(self->spin.changes, 0);
    operation(WIRE_RMW, &x, 6, 5);
    operation(WIRE_STORE, &x, 5, 5);
    assert_int_equal(self->spin.changes, 2);
    self->pending.flags = WIRE_F_FORCED;
    wire_rec r = {.kind = WIRE_LOAD, .size = 8, .object = (uint64_t)&x};
    rt_spin_after(self, &r, 0); /* what is no choice cannot be waited for */
    assert_int_equal(self->spin.changes, 3);
    assert_int_equal(self->spin.n_own, 6);
}

static void test_inputs_are_no_reads(void **state)
{
    static uint64_t x;
    start();
    has_inputs = true;
    operation(WIRE_LOAD, &x, 5, 5);
    assert_int_equal(self->spin.changes, 0); /* values are not followed */
    rt->symbolic = true;
    operation(WIRE_LOAD, &x, 5, 5);
    assert_int_equal(self->spin.changes, 1);
}

/* ---- going on ---- */

/* The last operation of a round of n is undone. */
static void wait_after(uint32_t n)
{
    self->spin.n_round = n;
    self->spin.n_own--;
    self->pending.spins = true;
}

static void test_goes_on_when_it_changes(void **state)
{
    static uint64_t x;
    start();
    x = 5;
    operation(WIRE_LOAD, &x, 5, 5);
    wait_after(1);
    assert_false(rt_spin_enabled(self));
    x = 6;
    assert_true(rt_spin_enabled(self));
    x = 5;
    assert_false(rt_spin_enabled(self));
}

/* Of a round with more operations the first ones are the past. */
static void test_long_rounds_stay(void **state)
{
    static uint64_t x, y;
    start();
    operation(WIRE_LOAD, &x, 0, 0);
    operation(WIRE_LOAD, &y, 0, 0);
    wait_after(2);
    x = 1;
    assert_true(rt_spin_is_stale(self));
    assert_false(rt_spin_enabled(self));
    rt->job.head.flags |= WIRE_JOB_WAKE;
    assert_true(rt_spin_enabled(self));
    x = 0;
    assert_false(rt_spin_enabled(self));
    y = 1;
    assert_true(rt_spin_enabled(self));
}

/* Who tries to take a lock learns whether it is held, and nothing else. */
static void test_waits_for_a_lock(void **state)
{
    static uint64_t m;
    start();
    object.state = RT_OBJECT_HELD;
    object.n_states = 3;
    self->pending =
        (rt_op){.kind = WIRE_TRYLOCK, .object = (uint64_t)&m, .model = &object};
    wire_rec r = {.kind = WIRE_TRYLOCK_BUSY, .object = (uint64_t)&m};
    rt_spin_after(self, &r, 0);
    assert_int_equal(self->spin.changes, 0);
    wait_after(1);
    object.n_states = 5; /* somebody else holds it now */
    assert_false(rt_spin_enabled(self));
    object.state = RT_OBJECT_FREE;
    assert_true(rt_spin_enabled(self));
}

/* ---- rounds without operations ---- */

static void test_lists_reads_first(void **state)
{
    static uint64_t x;
    start();
    self->spin.lists = true;
    rt_spin_access(self, (uint64_t)&x, 8, true, 1);
    assert_int_equal(self->spin.n_accesses, 1);
    rt_spin_access(self, (uint64_t)&x, 8, false, 2);
    rt_spin_access(self, (uint64_t)&x, 8, false, 2);
    rt_spin_access(self, (uint64_t)&x, 8, true, 3);
    rt_spin_access(self, (uint64_t)&x, 8, false, 4);
    assert_int_equal(self->spin.n_accesses, 2);
    assert_int_equal(self->spin.accesses[0], 2);
    assert_int_equal(self->spin.accesses[1], 4);
    assert_false(self->spin.reads_others);
    rt_spin_access(self, (uint64_t)&x, 8, false, 12);
    assert_true(self->spin.reads_others);
    assert_int_equal(self->spin.n_accesses, 2);
}

/* After so many accesses a new segment serves as well; a round that is looked at is given up. */
static void test_armed(void **state)
{
    static uint64_t x;
    start();
    n_segments = 0;
    self->spin.armed = 3;
    for (int i = 0; i < 2; i++)
        rt_spin_access(self, (uint64_t)&x, 8, false, 2);
    assert_int_equal(n_segments, 0);
    rt_spin_access(self, (uint64_t)&x, 8, false, 2);
    rt_spin_access(self, (uint64_t)&x, 8, false, 2);
    assert_int_equal(n_segments, 1);
    self->spin.armed = 1;
    self->spin.lists = true;
    uint64_t changes = self->spin.changes;
    rt_spin_access(self, (uint64_t)&x, 8, false, 2);
    assert_false(self->spin.lists);
    assert_int_equal(self->spin.changes, changes + 1);
    assert_int_equal(n_segments, 1);
}

static void test_takes_over(void **state)
{
    start();
    self->spin.armed = 9;
    PLAN_CTL->changed = 1;
    rt_spin_take(self);
    rt_spin_take(self);
    assert_int_equal(self->spin.changes, 1);
    assert_int_equal(self->spin.armed, 0);
    assert_int_equal(PLAN_CTL->changed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_value),
        cmocka_unit_test(test_first_write_counts),
        cmocka_unit_test(test_many_writes),
        cmocka_unit_test(test_long_writes),
        cmocka_unit_test(test_own_stack),
        cmocka_unit_test(test_reads_change_nothing),
        cmocka_unit_test(test_inputs_are_no_reads),
        cmocka_unit_test(test_goes_on_when_it_changes),
        cmocka_unit_test(test_long_rounds_stay),
        cmocka_unit_test(test_waits_for_a_lock),
        cmocka_unit_test(test_lists_reads_first),
        cmocka_unit_test(test_armed),
        cmocka_unit_test(test_takes_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
