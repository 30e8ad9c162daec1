/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of runtime/memory/snapshot.c, each in a process of its own: all its memory is put back, that of the test
 * included. What must survive lies in memory that both processes share. */
#include "unit/runtime.h"

#include "runtime/memory/accesses.h"

enum { PAGE = 4096, HUGE_PAGES = 4096 };

static uint8_t
    untouched[HUGE_PAGES * PAGE]; /* zero, and never written before the snapshot */
static volatile uint64_t value = 7;
static uint32_t *shared;

static void in_runner(void (*body)(void))
{
    shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(shared, MAP_FAILED);
    in_child(NULL, body);
    munmap(shared, PAGE);
}

/* ---- data ---- */

static void data_body(void)
{
    volatile uint64_t *heap = malloc(64 * PAGE);
    heap[0] = 1;
    heap[2000] = 2;
    rt_snapshot_take();
    for (uint32_t run = 1; run <= 3; run++) {
        EXPECT(value == 7 && heap[0] == 1 && heap[2000] == 2);
        value = 8;
        heap[0] = heap[2000] = run;
        untouched[5 * PAGE + run] = 1;
        *shared = run;
        rt_snapshot_restore();
        EXPECT(untouched[5 * PAGE + run] == 0);
        EXPECT(*shared == run); /* shared memory is not the process's own */
    }
    EXPECT(value == 7 && heap[0] == 1);
}

static void test_data_is_put_back(void **state)
{
    in_runner(data_body);
}

/* ---- pages that are first written after a restore ---- */

static void late_body(void)
{
    rt_snapshot_take();
    for (uint32_t i = 0; i < 64; i++) {
        volatile uint8_t *p = &untouched[(uint64_t)i * 61 % HUGE_PAGES * PAGE + i];
        EXPECT(*p == 0);
        *p = 1;
        rt_snapshot_restore();
        EXPECT(*p == 0);
    }
}

static void test_new_pages_are_found(void **state)
{
    in_runner(late_body);
}

/* ---- mappings ---- */

static void mapping_body(void)
{
    volatile uint8_t *before =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    before[1] = 5;
    rt_snapshot_take();
    volatile uint8_t *after =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    shared[1] = (uint32_t)((uint64_t)after >> 12);
    shared[2] = (uint32_t)((uint64_t)after >> 44);
    before[1] = 6;
    after[1] = 6;
    rt_snapshot_restore();
    EXPECT(before[1] == 5);
    after = (volatile uint8_t *)((uint64_t)shared[1] << 12 | (uint64_t)shared[2] << 44);
    EXPECT(after[1] == 6); /* was not there then: the list of mappings has it */
}

static void test_mappings(void **state)
{
    in_runner(mapping_body);
}

/* ---- stacks of threads ---- */

static void stack_body(void)
{
    uint64_t top = rt_stack_top(0), page = top & ~UINT64_C(4095);
    map_at(rt_stack_bottom(0), PLAN_STACK_SIZE);
    rt->n_threads = 1;
    rt->threads[0] = (rt_thread){.stack_low = page - PAGE};
    rt_snapshot_take();
    volatile uint64_t *seen = (uint64_t *)(page - PAGE);
    volatile uint64_t *below = (uint64_t *)(page - PAGE - 256);
    volatile uint64_t *far = (uint64_t *)(page - 64 * PAGE);
    *seen = *below = *far = 1;
    rt_snapshot_restore();
    EXPECT(*seen == 0);
    EXPECT(*below == 0); /* calls between operations may have written there */
    EXPECT(*far == 1);   /* behind a stretch of zeros nobody was */
}

static void test_stacks_are_wiped(void **state)
{
    in_runner(stack_body);
}

/* ---- visiting ---- */

static void note_page(uint64_t start, uint64_t end)
{
    EXPECT(end - start == PAGE);
    shared[3] += start <= (uint64_t)&value && (uint64_t)&value < end;
    shared[4] += start == ((uint64_t)&untouched[9 * PAGE] & ~UINT64_C(4095));
}

static void visit_body(void)
{
    value = 9;
    rt_snapshot_visit(note_page);
    EXPECT(shared[3] == 1);
    EXPECT(shared[4] == 0); /* a page that nobody touched is not there */
}

static void test_visits_pages_once(void **state)
{
    in_runner(visit_body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data_is_put_back),
        cmocka_unit_test(test_new_pages_are_found),
        cmocka_unit_test(test_mappings),
        cmocka_unit_test(test_stacks_are_wiped),
        cmocka_unit_test(test_visits_pages_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
