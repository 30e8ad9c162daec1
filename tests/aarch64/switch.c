/* SPDX-License-Identifier: Apache-2.0 */
/* The switch of stacks and thread pointers, alone: two fibers hand over 10,000 times. Each checks its
 * callee-saved registers (through the compiler's use of them), its floating-point values and its
 * own copy of a thread-local variable, lent by a parked thread. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void rt_switch(void **save_sp, void *load_sp, uint64_t tp, long fsgsbase);
void rt_start(void);

/* What else switch.S refers to. */
#define X(name)                                                                          \
    void rt_slow_sym_##name(void);                                                       \
    void rt_slow_sym_##name(void)                                                        \
    {                                                                                    \
    }
X(binary)
X(fit)
X(wide)
X(unary)
X(select)
X(index)
X(load)
X(store)
X(opaque)
X(branch)
X(switch)
X(address)
X(lost)
X(shown)
X(pointer)
#undef X
void rt_slow_read(void);
void rt_library_before(void);
void rt_library_after(void);
void rt_slow_write(void);
void rt_thunk_refused(const char *name, uint64_t first);
void rt_thunk_tainting(const char *name, uint64_t first);
void rt_library_before(void)
{
}
void rt_library_after(void)
{
}
void rt_slow_read(void)
{
}
void rt_slow_write(void)
{
}
void rt_thunk_refused(const char *name, uint64_t first)
{
    (void)name;
    (void)first;
}
void rt_thunk_tainting(const char *name, uint64_t first)
{
    (void)name;
    (void)first;
}

enum { ROUNDS = 10000 };

static __thread long mine;
static void *sp[3]; /* main, and the two fibers */
static uint64_t tp[3];
static long errors, rounds[3];

static void *park(void *arg)
{
    tp[(intptr_t)arg] = (uint64_t)__builtin_thread_pointer();
    for (;;)
        pause();
    return NULL;
}

static void fiber(int self, int other)
{
    double sum = self;
    mine = self;
    for (long i = 0; i < ROUNDS; i++) {
        rt_switch(&sp[self], sp[other], tp[other], 1);
        sum += 0.5;
        rounds[self]++;
        errors += mine != self || sum != self + 0.5 * (double)(i + 1);
    }
    rt_switch(&sp[self], sp[0], tp[0], 1);
}

static void first(void)
{
    fiber(1, 2);
}

static void second(void)
{
    fiber(2, 1);
}

/* As runtime/core/carrier.c prepares it. */
static void *frame(void (*entry)(void))
{
    char *stack = calloc(1, 1 << 18);
#if defined(__x86_64__)
    uint64_t *at = (uint64_t *)(stack + (1 << 18) - 64);
    *--at = (uint64_t)rt_start;
    *--at = 0;
    *--at = (uint64_t)entry;
    for (int i = 0; i < 4; i++)
        *--at = 0;
    *--at = UINT64_C(0x037f) << 32 | 0x1f80;
#else
    uint64_t *at = (uint64_t *)(stack + (1 << 18) - 64 - 176);
    at[0] = (uint64_t)entry;
    at[11] = (uint64_t)rt_start;
#endif
    return at;
}

int main(void)
{
    pthread_t t;
    for (intptr_t i = 1; i <= 2; i++)
        if (pthread_create(&t, NULL, park, (void *)i) != 0)
            return 1;
    while (!__atomic_load_n(&tp[1], __ATOMIC_ACQUIRE) ||
           !__atomic_load_n(&tp[2], __ATOMIC_ACQUIRE))
        usleep(1000);
    tp[0] = (uint64_t)__builtin_thread_pointer();
    sp[1] = frame(first);
    sp[2] = frame(second);
    mine = 77;
    rt_switch(&sp[0], sp[1], tp[1], 1);
    errors += mine != 77;
    printf("%ld and %ld switches, %ld errors\n", rounds[1], rounds[2], errors);
    return errors != 0 || rounds[1] + rounds[2] < 2 * ROUNDS - 2;
}
