/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting at atomic objects with libc++: std::atomic<int> is a futex itself, any other object has one of a few counters in
 * its place, which every notification changes. Waiters are not counted: the library does so for speed only. */
#include "runtime/cxx/cxx_int.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N_COUNTERS = 16 };

static struct {
    _Alignas(64) int32_t value;
} counters[N_COUNTERS];

static int32_t *counter_of(const void *object)
{
    return &counters[((uintptr_t)object >> 2) % N_COUNTERS].value;
}

static void sleep_at(const int32_t *futex, int32_t seen)
{
    syscall(SYS_futex, futex, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, seen, NULL);
}

static void wake(const int32_t *futex, int n)
{
    syscall(SYS_futex, futex, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, n);
}

/* The four of an int are told from the four of other objects by what they are given. */
#define OF_INT "PVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE"
#define OF_OTHER "PVKv"

int32_t monitor(const int32_t *futex)
    CXX_NAME("_ZNSt3__123__libcpp_atomic_monitorE" OF_INT);
int32_t monitor(const int32_t *futex)
{
    return __atomic_load_n(futex, __ATOMIC_ACQUIRE);
}

void wait_at(const int32_t *futex, int32_t seen)
    CXX_NAME("_ZNSt3__120__libcpp_atomic_waitE" OF_INT "i");
void wait_at(const int32_t *futex, int32_t seen)
{
    sleep_at(futex, seen);
}

void notify_one(const int32_t *futex)
    CXX_NAME("_ZNSt3__123__cxx_atomic_notify_oneE" OF_INT);
void notify_one(const int32_t *futex)
{
    wake(futex, 1);
}

void notify_all(const int32_t *futex)
    CXX_NAME("_ZNSt3__123__cxx_atomic_notify_allE" OF_INT);
void notify_all(const int32_t *futex)
{
    wake(futex, INT_MAX);
}

int32_t monitor_other(const void *object)
    CXX_NAME("_ZNSt3__123__libcpp_atomic_monitorE" OF_OTHER);
int32_t monitor_other(const void *object)
{
    return monitor(counter_of(object));
}

void wait_at_other(const void *object, int32_t seen)
    CXX_NAME("_ZNSt3__120__libcpp_atomic_waitE" OF_OTHER "i");
void wait_at_other(const void *object, int32_t seen)
{
    sleep_at(counter_of(object), seen);
}

/* Other objects may have the same counter: all waiters look. */
void notify_other(const void *object)
    CXX_NAME("_ZNSt3__123__cxx_atomic_notify_oneE" OF_OTHER);
void notify_other(const void *object)
{
    __atomic_fetch_add(counter_of(object), 1, __ATOMIC_SEQ_CST);
    wake(counter_of(object), INT_MAX);
}

void notify_all_other(const void *object)
    CXX_NAME("_ZNSt3__123__cxx_atomic_notify_allE" OF_OTHER);
void notify_all_other(const void *object)
{
    notify_other(object);
}
