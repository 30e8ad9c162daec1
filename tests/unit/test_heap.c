/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of runtime/memory: which addresses malloc gives, when they come again, and where blocks are. */
#include "unit/runtime.h"

#include <errno.h>
#include <malloc.h>

#include "base/rng.h"
#include "runtime/memory/accesses.h"
#include "runtime/symbolic/values.h"

void *__treadle_malloc(size_t size);
void __treadle_free(void *p);
void *__treadle_calloc(size_t n, size_t size);
void *__treadle_realloc(void *p, size_t size);
void *__treadle_memalign(size_t align, size_t size);

enum { SITE = 7, WAITING = 32 /* freed blocks of a class that wait */, SLOTS = 4 };

/* ---- what the heap calls ---- */

static unsigned n_gaps, n_operations, n_asked;
static bool answer;          /* of rt_choice */
static rt_object objects[8]; /* of what was freed, by address */

uint32_t rt_call_site(void)
{
    return SITE;
}

bool rt_choice(const char *what, uint32_t site)
{
    n_asked++;
    return answer;
}

void rt_gap(enum wire_gap kind, uint32_t site, const char *text)
{
    assert_int_equal(kind, WIRE_GAP_MEMORY);
    n_gaps++;
}

void rt_gap_once(enum wire_gap kind, uint32_t site, const char *text)
{
}

uint64_t rt_operation(void)
{
    assert_int_equal(rt->self->pending.kind, WIRE_SET);
    n_operations++;
    return 0;
}

rt_object *rt_object_at(uint64_t address)
{
    size_t i = 0;
    while (objects[i].address != 0 && objects[i].address != address)
        i++;
    objects[i].address = address;
    return &objects[i];
}

rt_block *rt_watch_free(uint64_t p, uint32_t site)
{
    rt_block *b = rt_block_before(p);
    assert_true(b && b->mark == RT_LIVE && rt_block_start(b) == p);
    return b;
}

void *rt_saved_alloc(size_t size)
{
    return rt_bump(size);
}

void rt_access(uint64_t p, uint64_t size, bool is_write, uint32_t site)
{
}
void rt_access_made(uint64_t p, uint64_t size, uint32_t site)
{
}
void rt_access_copied(uint64_t p, uint64_t size)
{
}
void rt_access_freed(uint64_t p, uint64_t size, uint32_t site)
{
}
void rt_access_reused(uint64_t p, uint64_t size, uint64_t start, uint64_t end)
{
}
void rt_footprint_add(uint64_t p, uint64_t size, uint8_t how, uint32_t site)
{
}
void rt_sym_copy(uint64_t to, uint64_t from, uint64_t size)
{
}
void rt_sym_forget(uint64_t p, uint64_t size)
{
}
void rt_sync_free(uint64_t start, uint64_t end, uint32_t site)
{
}

/* ---- a process with two threads ---- */

/* The heaps of the first slots, main's and that of large blocks, with room for what is noted of heads. */
static void map_heaps(void)
{
    const uint64_t starts[] = {PLAN_SLOTS, PLAN_MAIN_HEAP, PLAN_BIG_HEAP};
    for (size_t i = 0; i < 3; i++) {
        uint64_t size = i == 0 ? SLOTS * PLAN_SLOT_SIZE : UINT64_C(1) << 32;
        map_at(starts[i], size);
        map_at(starts[i] ^ PLAN_SITE_XOR, size);
    }
}

static int start(void **state)
{
    map_state();
    map_heaps();
    memset(objects, 0, sizeof objects);
    n_gaps = n_operations = n_asked = 0;
    answer = false;
    rt->shm->heap_limit = UINT64_C(1) << 40;
    rt->shm->reuse = 0;
    rt->big_heap = (rt_heap){.base = PLAN_BIG_HEAP,
                             .top = PLAN_BIG_HEAP,
                             .end = PLAN_BIG_HEAP + PLAN_BIG_HEAP_SIZE};
    rt_heap_init(&rt->main_heap, 0);
    rt->n_threads = 2;
    for (uint32_t i = 0; i < 2; i++) {
        rt->threads[i].id = i;
        rt_heap_init(&rt->threads[i].heap, i);
    }
    rt->self = &rt->threads[0];
    return 0;
}

/* The run begins: main goes on with the heap it has. */
static void begin(void)
{
    rt_heap_saved();
    rt->threads[0].heap = rt->main_heap;
    rt->active = true;
}

static void *take(uint32_t thread, size_t size)
{
    rt->self = &rt->threads[thread];
    rt_controlled = true;
    void *p = __treadle_malloc(size);
    rt_controlled = false;
    return p;
}

static void give(uint32_t thread, void *p)
{
    rt->self = &rt->threads[thread];
    rt_controlled = true;
    __treadle_free(p);
    rt_controlled = false;
}

/* ---- blocks ---- */

static void test_sizes(void **state)
{
    uint64_t end = 0;
    begin();
    for (size_t size = 0; size < 70000; size += size < 600 ? 1 : 997) {
        uint64_t p = (uint64_t)take(0, size);
        assert_true(p >= end + sizeof(rt_block)); /* a head between two blocks */
        assert_int_equal(p % 16, 0);
        assert_int_equal(malloc_usable_size((void *)p), size);
        memset((void *)p, 0xff, size);
        end = p + size;
        const rt_block *b = rt_block_before(p);
        assert_int_equal(b->size, size);
        assert_ptr_equal(rt_block_before(end > p ? end - 1 : p), b);
    }
}

static void test_alignment(void **state)
{
    begin();
    for (size_t align = 1; align <= 1 << 16; align *= 2) {
        rt_controlled = true;
        uint64_t p = (uint64_t)__treadle_memalign(align, 40);
        rt_controlled = false;
        assert_int_equal(p % align, 0);
        memset((void *)p, 0xff, 40);
        assert_int_equal(rt_block_before(p + 39)->size, 40);
    }
}

static void test_contents(void **state)
{
    begin();
    char *p = take(0, 40);
    memset(p, 'x', 40);
    rt_controlled = true;
    char *q = __treadle_realloc(p, 4000);
    for (int i = 0; i < WAITING; i++)
        __treadle_free(__treadle_malloc(40));
    char *again = __treadle_calloc(10, 4);
    rt_controlled = false;
    assert_memory_equal(q, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 40);
    assert_ptr_equal(again, p); /* it was the first that was freed */
    for (int i = 0; i < 40; i++)
        assert_int_equal(again[i], 0);
}

/* ---- which addresses ---- */

/* What a thread gets does not depend on what others do meanwhile. */
static void test_own_addresses(void **state)
{
    void *alone[200], *kept[2] = {0};
    begin();
    for (int i = 0; i < 200; i++) {
        alone[i] = take(1, (size_t)i % 7 * 24);
        if (i % 3 == 0)
            give(1, alone[i]);
    }
    start(state);
    begin();
    for (int i = 0; i < 200; i++) {
        kept[0] = take(0, (size_t)i % 5 * 24);
        assert_ptr_equal(take(1, (size_t)i % 7 * 24), alone[i]);
        if (i % 3 == 0)
            give(1, alone[i]);
        if (i % 2 == 0)
            give(0, kept[0]);
    }
}

/* A thread takes again what it freed itself, the oldest first, once enough wait. */
static void test_oldest_first(void **state)
{
    void *freed[WAITING + 2];
    begin();
    for (int i = 0; i < WAITING + 2; i++)
        freed[i] = take(0, 64);
    for (int i = 0; i < WAITING; i++) {
        give(0, freed[i]);
        void *p = take(0, 64);
        for (int k = 0; k <= i; k++)
            assert_ptr_not_equal(p, freed[k]);
    }
    give(0, freed[WAITING]);
    assert_ptr_equal(take(0, 64), freed[0]);
    give(0, freed[WAITING + 1]);
    assert_ptr_equal(take(0, 64), freed[1]);
}

/* What was freed by another thread is the freeing thread's. */
static void test_freed_by_another(void **state)
{
    void *p[WAITING + 1];
    begin();
    for (int i = 0; i < WAITING + 1; i++)
        p[i] = take(0, 64);
    for (int i = 0; i < WAITING + 1; i++)
        give(1, p[i]);
    assert_ptr_not_equal(take(0, 64), p[0]);
    assert_ptr_equal(take(1, 64), p[0]);
}

/* A block whose head was written over is left alone. */
static void test_head_written_over(void **state)
{
    void *p[WAITING + 1];
    begin();
    for (int i = 0; i < WAITING + 1; i++)
        p[i] = take(0, 64);
    for (int i = 0; i < WAITING + 1; i++)
        give(0, p[i]);
    memset((char *)p[0] - sizeof(rt_block), 0xee, sizeof(rt_block));
    void *q = take(0, 64);
    for (int i = 0; i < WAITING + 1; i++)
        assert_ptr_not_equal(q, p[i]);
}

/* In programs that look at addresses a thread chooses, once, to get what it freed last. */
static void test_chosen_reuse(void **state)
{
    begin();
    rt->uses = WIRE_USES_ADDRESSES;
    answer = true;
    void *a = take(0, 64), *b = take(0, 64);
    assert_int_equal(n_asked, 0); /* nothing was freed yet */
    give(0, a);
    give(0, b);
    assert_ptr_equal(take(0, 64), b);
    assert_int_equal(n_asked, 1);
    assert_ptr_not_equal(take(0, 64), a);
    assert_int_equal(n_asked, 1);
}

/* With --reuse the block that anybody freed last is the next, and who gets it knows who freed it. */
static void test_shared_reuse(void **state)
{
    begin();
    rt->shm->reuse = 1;
    void *a = take(0, 64), *b = take(0, 64);
    rt_clock_set(&rt->threads[0].clock, 0, 41);
    give(0, a);
    give(0, b);
    assert_int_equal(rt_clock_get(&rt->threads[1].clock, 0), 0);
    assert_ptr_equal(take(1, 64), b);
    assert_int_equal(rt_clock_get(&rt->threads[1].clock, 0), 41);
    assert_ptr_equal(take(1, 64), a);
    assert_int_equal(n_operations, 6); /* each of the six touches the class */
}

static void test_limit(void **state)
{
    begin();
    rt->shm->heap_limit = 1000;
    void *p = take(0, 900);
    assert_non_null(p);
    errno = 0;
    assert_null(take(0, 200));
    assert_int_equal(errno, ENOMEM);
    assert_null(take(0, 200));
    assert_int_equal(n_gaps, 1); /* told once a run */
    give(0, p);
    assert_non_null(take(0, 200));
    assert_null(take(0, SIZE_MAX / 2));
}

/* ---- the next run ---- */

/* A restart puts main's heap back, gives the same addresses, and fresh memory is zero. */
static void test_restore(void **state)
{
    char *before = take(0, 100);
    memset(before, 'b', 100);
    begin();
    char *main_one = take(0, 200), *large = take(0, (size_t)1 << 31),
         *other = take(1, 300);
    uint64_t used = rt->heap_used;
    memset(before, 'x', 100);
    memset(main_one, 'x', 200);
    memset(other, 'x', 300);
    large[0] = 'x';
    give(1, other);
    rt->active = false;
    rt_heap_restore();
    rt_heap_init(&rt->threads[1].heap, 1);
    rt->active = true;
    for (int i = 0; i < 100; i++)
        assert_int_equal(before[i], 'b');
    assert_ptr_equal(rt_block_before((uint64_t)main_one),
                     rt_block_before((uint64_t)before));
    assert_ptr_equal(take(0, 200), main_one);
    assert_ptr_equal(take(0, (size_t)1 << 31), large);
    assert_ptr_equal(take(1, 300), other);
    assert_int_equal(rt->heap_used, used);
    assert_int_equal(main_one[0] | main_one[199] | other[0] | other[299] | large[0], 0);
}

/* What was everybody's in the last run is nobody's in the next. */
static void test_restore_shared(void **state)
{
    begin();
    rt->shm->reuse = 1;
    void *p = take(0, 64), *q = take(0, 64);
    give(0, q);
    rt->active = false;
    rt_heap_restore();
    rt->active = true;
    assert_ptr_equal(take(0, 64), p);
    assert_ptr_equal(take(0, 64), q);
}

/* ---- where blocks are ---- */

enum { PLACES = 4096 };

static uint64_t place(uint64_t i)
{
    /* Near each other, and far: every level of bits has to do with it. */
    return PLAN_SLOTS + (i % 64) * 16 + (i / 64 % 8) * 65536 +
           i / 512 * (PLAN_SLOT_SIZE / 2 + 16);
}

static uint64_t naive_before(const bool *there, uint64_t address)
{
    uint64_t last = 0;
    for (uint64_t i = 0; i < PLACES; i++)
        if (there[i] && place(i) <= address && place(i) > last)
            last = place(i);
    return last;
}

static void test_blocks_against_naive(void **state)
{
    bool there[PLACES] = {0};
    td_rng rng = {3};
    for (int step = 0; step < 600; step++) {
        uint64_t i = td_rng_below(&rng, PLACES), k = td_rng_below(&rng, PLACES);
        if (step % 20 == 19) {
            uint64_t from = place(i), to = place(k) + 16;
            for (uint64_t n = 0; n < PLACES && from < to; n++)
                there[n] &= place(n) < from || place(n) >= to;
            if (from < to)
                rt_blocks_forget(from, to);
        } else if (!there[i]) {
            there[i] = true;
            rt_block_add((rt_block *)place(i));
        }
        uint64_t address = place(td_rng_below(&rng, PLACES)) + td_rng_below(&rng, 40);
        assert_int_equal((uint64_t)rt_block_before(address),
                         naive_before(there, address));
    }
}

#define TEST(name) cmocka_unit_test_setup(name, start)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_sizes),
        TEST(test_alignment),
        TEST(test_contents),
        TEST(test_own_addresses),
        TEST(test_oldest_first),
        TEST(test_freed_by_another),
        TEST(test_chosen_reuse),
        TEST(test_head_written_over),
        TEST(test_shared_reuse),
        TEST(test_limit),
        TEST(test_restore),
        TEST(test_restore_shared),
        TEST(test_blocks_against_naive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
