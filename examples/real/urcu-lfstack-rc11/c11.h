/* SPDX-License-Identifier: Apache-2.0
 * liburcu as on a machine that has no file of its own in the library: atomics of the compiler. An exchange that
 * succeeds orders what is before and after it, as the library's documentation says; a read that another read depends
 * on comes first, as on every machine but Alpha, where C11 wants an acquire fence. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#undef __x86_64__
#undef __x86_64
#undef __amd64__
#undef __amd64
#define __aarch64__ 1 /* its header names generic atomics only */

#define cmm_read_barrier_depends() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#include <urcu/arch.h>
#include <urcu/uatomic.h>
#undef uatomic_cmpxchg
#undef uatomic_xchg
#define uatomic_cmpxchg(at, old, new)                                                    \
    ({                                                                                   \
        __typeof__(*(at)) old_ = (old), new_ = (new);                                    \
        __atomic_thread_fence(__ATOMIC_SEQ_CST);                                         \
        __atomic_compare_exchange_n(at, &old_, new_, 0, __ATOMIC_SEQ_CST,                \
                                    __ATOMIC_RELAXED);                                   \
        __atomic_thread_fence(__ATOMIC_SEQ_CST);                                         \
        old_;                                                                            \
    })
#define uatomic_xchg(at, new)                                                            \
    ({                                                                                   \
        __atomic_thread_fence(__ATOMIC_SEQ_CST);                                         \
        __typeof__(*(at)) old_ = __atomic_exchange_n(at, new, __ATOMIC_SEQ_CST);         \
        __atomic_thread_fence(__ATOMIC_SEQ_CST);                                         \
        old_;                                                                            \
    })
#undef __aarch64__
#define __x86_64__ 1
