/* SPDX-License-Identifier: Apache-2.0 */
/* The __atomic_* and __sync_* functions of GCC.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <stdbool.h>

static int x;
static char flag;

static void is(int want, int got)
{
    assert(want == got);
}

static void modern(void)
{
    int v = 7, w = 8;
    __atomic_store_n(&x, 5, __ATOMIC_RELEASE);
    is(5, __atomic_load_n(&x, __ATOMIC_ACQUIRE));
    is(5, __atomic_fetch_add(&x, 2, __ATOMIC_RELAXED));
    is(8, __atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST));
    is(6, __atomic_sub_fetch(&x, 2, __ATOMIC_ACQ_REL));
    is(6, __atomic_fetch_nand(&x, 3, __ATOMIC_SEQ_CST));
    is(~2, __atomic_exchange_n(&x, 9, __ATOMIC_SEQ_CST));
    __atomic_store(&x, &v, __ATOMIC_SEQ_CST);
    __atomic_exchange(&x, &w, &v, __ATOMIC_SEQ_CST);
    is(7, v);
    is(false,
       __atomic_compare_exchange_n(&x, &v, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    is(8, v);
    is(true,
       __atomic_compare_exchange(&x, &v, &w, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    is(false, __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    is(true, __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    __atomic_clear(&flag, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void old(void)
{
    x = 0;
    is(0, __sync_fetch_and_add(&x, 10));
    is(15, __sync_add_and_fetch(&x, 5));
    is(15, __sync_fetch_and_sub(&x, 1));
    is(14, __sync_fetch_and_or(&x, 1));
    is(15, __sync_fetch_and_and(&x, 7));
    is(7, __sync_fetch_and_xor(&x, 2));
    is(true, __sync_bool_compare_and_swap(&x, 5, 6));
    is(6, __sync_val_compare_and_swap(&x, 5, 7));
    is(6, __sync_lock_test_and_set(&x, 1));
    __sync_lock_release(&x);
    is(0, x);
    __sync_synchronize();
}

int main(void)
{
    modern();
    old();
    return 0;
}
