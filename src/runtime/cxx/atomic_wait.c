/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting at atomic objects of C++20, which libstdc++ has in headers up to version 15 and in the
 * shared library from 16 on. An object of 4 bytes is a futex itself; any other has one of a few
 * counters in its place, which every notification changes. Waiters are not counted and do not spin:
 * the library does so for speed, and what it could do wrong with the count is not seen here. */
#include "runtime/cxx/cxx_int.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A std::__detail::__wait_args_base. */
typedef struct wait_args {
    uint32_t flags;
    int32_t order;
    uint64_t old;
    void *counter; /* counter of the awaited object, once it is known */
    const void *futex;
    uint8_t size; /* size of the object at futex */
} wait_args;
_Static_assert(offsetof(wait_args, size) == 32 && sizeof(wait_args) == 40,
               "the library's");

enum { MAY_SPIN = 4, ONLY_SPINS = 8 };

/* A std::__detail::__wait_result_type. */
typedef struct wait_result {
    uint64_t value;
    uint8_t is_loaded : 1, is_timeout : 1, unused : 6;
} wait_result;

enum { N_COUNTERS = 16, FUTEX_BYTES = 4 };

static struct {
    _Alignas(64) int32_t value;
} counters[N_COUNTERS];

static int32_t *counter_of(const void *object)
{
    return &counters[((uintptr_t)object >> 2) % N_COUNTERS].value;
}

bool uses_counter(wait_args *a, const void *object)
    CXX_NAME("_ZNSt8__detail11__wait_args19_M_setup_proxy_waitEPKv");
bool uses_counter(wait_args *a, const void *object)
{
    if (!a->counter && a->size == FUTEX_BYTES)
        return false;
    if (!a->counter)
        a->counter = counter_of(object);
    a->futex = a->counter;
    a->size = FUTEX_BYTES;
    a->old = (uint64_t)__atomic_load_n((int32_t *)a->counter, __ATOMIC_ACQUIRE);
    return true;
}

/* Sleeps until a notification, if the object still has the old value. False: the time is over. */
static bool sleep_at(const wait_args *a, const struct timespec *until)
{
    return syscall(SYS_futex, a->futex, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG,
                   (int)a->old, until, NULL, FUTEX_BITSET_MATCH_ANY) == 0 ||
           errno != ETIMEDOUT;
}

static bool only_spins(const wait_args *a)
{
    return (a->flags & MAY_SPIN) && (a->flags & ONLY_SPINS);
}

/* Reads the value once, for all of these checks. */
static wait_result look(const wait_args *a)
{
    uint64_t seen =
        (uint64_t)__atomic_load_n((const int32_t *)a->futex, __ATOMIC_ACQUIRE);
    return (wait_result){.value = seen, .is_loaded = 1, .is_timeout = seen == a->old};
}

wait_result wait_at(const void *object, wait_args *a)
    CXX_NAME("_ZNSt8__detail11__wait_implEPKvRNS_16__wait_args_baseE");
wait_result wait_at(const void *object, wait_args *a)
{
    (void)object;
    if (only_spins(a))
        return look(a);
    sleep_at(a, NULL);
    return (wait_result){.value = a->old};
}

/* until: on the steady clock. */
wait_result wait_until(const void *object, wait_args *a, const int64_t *until)
    CXX_NAME("_ZNSt8__detail17__wait_until_implEPKvRNS_16__wait_args_"
             "baseERKNSt6chrono8durationIlSt5ratioILl1ELl1000000000EEEE");
wait_result wait_until(const void *object, wait_args *a, const int64_t *until)
{
    (void)object;
    if (only_spins(a))
        return look(a);
    int64_t ns = *until > 0 ? *until : 0;
    struct timespec time = {ns / 1000000000, ns % 1000000000};
    bool is_timeout = !sleep_at(a, &time);
    return (wait_result){.value = a->old, .is_timeout = is_timeout};
}

void notify(const void *object, bool all, const wait_args *a)
    CXX_NAME("_ZNSt8__detail13__notify_implEPKvbRKNS_16__wait_args_baseE");
void notify(const void *object, bool all, const wait_args *a)
{
    const void *futex = object;
    if (a->size != FUTEX_BYTES) {
        int32_t *counter = counter_of(object);
        __atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST);
        futex = counter;
        all = true; /* other objects may have the same counter */
    }
    syscall(SYS_futex, futex, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, all ? INT_MAX : 1);
}
