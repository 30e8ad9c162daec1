/* SPDX-License-Identifier: Apache-2.0 */
/* Litmus tests: small programs with known numbers of execution graphs. -DTEST=NAME chooses one,
 * -DFORBIDDEN makes an outcome that some models allow an assertion failure. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define SC memory_order_seq_cst

#define ST(x, v, o) atomic_store_explicit(&x, v, o)
#define LD(x, o) atomic_load_explicit(&x, o)

enum {
    SB,
    SBF,
    SBSC,
    W22,
    W22SC,
    LB,
    MP,
    MPRA,
    MPF,
    IRIW,
    IRIWSC,
    CORR,
    ADDS,
    RELSEQ,
    CASES
};

static atomic_int x, y;
static int r[8];

static void *t1(void *p)
{
#if TEST == 0 /* SB */
    ST(x, 1, RLX);
    r[0] = LD(y, RLX);
#elif TEST == 1               /* SBF */
    ST(x, 1, RLX);
    atomic_thread_fence(SC);
    r[0] = LD(y, RLX);
#elif TEST == 2               /* SBSC */
    ST(x, 1, SC);
    r[0] = LD(y, SC);
#elif TEST == 3 || TEST == 4  /* W22, W22SC */
    ST(x, 1, TEST == 4 ? SC : RLX);
    ST(y, 2, TEST == 4 ? SC : RLX);
#elif TEST == 5               /* LB */
    r[0] = LD(x, RLX);
    ST(y, 1, RLX);
#elif TEST == 6 || TEST == 7  /* MP, MPRA */
    ST(x, 1, RLX);
    ST(y, 1, TEST == 7 ? REL : RLX);
#elif TEST == 8               /* MPF */
    ST(x, 1, RLX);
    atomic_thread_fence(REL);
    ST(y, 1, RLX);
#elif TEST == 9 || TEST == 10 /* IRIW, IRIWSC */
    ST(x, 1, TEST == 10 ? SC : RLX);
#elif TEST == 11              /* CORR */
    ST(x, 1, RLX);
    ST(x, 2, RLX);
#elif TEST == 12              /* ADDS */
    atomic_fetch_add_explicit(&x, 1, RLX);
#elif TEST == 13              /* RELSEQ */
    ST(x, 1, RLX);
    ST(y, 1, REL);
#elif TEST == 14              /* CASES */
    int z = 0;
    atomic_compare_exchange_strong_explicit(&x, &z, 1, RLX, RLX);
#endif
    return p;
}

static void *t2(void *p)
{
#if TEST == 0
    ST(y, 1, RLX);
    r[1] = LD(x, RLX);
#elif TEST == 1
    ST(y, 1, RLX);
    atomic_thread_fence(SC);
    r[1] = LD(x, RLX);
#elif TEST == 2
    ST(y, 1, SC);
    r[1] = LD(x, SC);
#elif TEST == 3 || TEST == 4
    ST(y, 1, TEST == 4 ? SC : RLX);
    ST(x, 2, TEST == 4 ? SC : RLX);
#elif TEST == 5
    r[1] = LD(y, RLX);
    ST(x, 1, RLX);
#elif TEST == 6 || TEST == 7
    r[0] = LD(y, TEST == 7 ? ACQ : RLX);
    r[1] = LD(x, RLX);
#elif TEST == 8
    r[0] = LD(y, RLX);
    atomic_thread_fence(ACQ);
    r[1] = LD(x, RLX);
#elif TEST == 9 || TEST == 10
    ST(y, 1, TEST == 10 ? SC : RLX);
#elif TEST == 11
    r[0] = LD(x, RLX);
    r[1] = LD(x, RLX);
#elif TEST == 12
    atomic_fetch_add_explicit(&x, 1, RLX);
#elif TEST == 13
    atomic_fetch_add_explicit(&y, 1, RLX);
#elif TEST == 14
    int z = 0;
    atomic_compare_exchange_strong_explicit(&x, &z, 2, RLX, RLX);
#endif
    return p;
}

#if TEST == 9 || TEST == 10
static void *t3(void *p)
{
    r[0] = LD(x, TEST == 10 ? SC : ACQ);
    r[1] = LD(y, TEST == 10 ? SC : ACQ);
    return p;
}
static void *t4(void *p)
{
    r[2] = LD(y, TEST == 10 ? SC : ACQ);
    r[3] = LD(x, TEST == 10 ? SC : ACQ);
    return p;
}
#elif TEST == 13
static void *t3(void *p)
{
    r[0] = LD(y, ACQ);
    r[1] = LD(x, RLX);
    return p;
}
#elif TEST == 12 || TEST == 14
static void *t3(void *p)
{
    return t1(p);
}
#endif

static int is_forbidden(void)
{
    switch (TEST) {
    case SB:
    case SBF:
    case SBSC:
        return r[0] == 0 && r[1] == 0;
    case W22:
    case W22SC:
        return x == 1 && y == 1;
    case LB:
        return r[0] == 1 && r[1] == 1;
    case MP:
    case MPRA:
    case MPF:
        return r[0] == 1 && r[1] == 0;
    case IRIW:
    case IRIWSC:
        return r[0] == 1 && r[1] == 0 && r[2] == 1 && r[3] == 0;
    case CORR:
        return r[0] > r[1];
    case RELSEQ:
        return r[0] == 2 && r[1] == 0;
    default:
        return 0;
    }
}

int main(void)
{
    pthread_t t[4];
    int n = 2;
    pthread_create(&t[0], 0, t1, 0);
    pthread_create(&t[1], 0, t2, 0);
#if TEST == 9 || TEST == 10 || TEST == 12 || TEST == 13 || TEST == 14
    pthread_create(&t[n++], 0, t3, 0);
#endif
#if TEST == 9 || TEST == 10
    pthread_create(&t[n++], 0, t4, 0);
#endif
    for (int i = 0; i < n; i++)
        pthread_join(t[i], 0);
#ifdef FORBIDDEN
    assert(!is_forbidden());
#else
    (void)is_forbidden;
#endif
    return 0;
}
