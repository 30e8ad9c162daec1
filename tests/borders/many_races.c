/* SPDX-License-Identifier: Apache-2.0 */
/* Twenty races in one run, and an assertion after them: each is found, none hides another.
 * treadle: -k --runs=300
 * expect: verdict bug
 * expect: ledger runs
 * expect: finding race many_races.c:37 many_races.c:37
 * expect: finding race many_races.c:38 many_races.c:38
 * expect: finding race many_races.c:39 many_races.c:39
 * expect: finding race many_races.c:40 many_races.c:40
 * expect: finding race many_races.c:41 many_races.c:41
 * expect: finding race many_races.c:42 many_races.c:42
 * expect: finding race many_races.c:43 many_races.c:43
 * expect: finding race many_races.c:44 many_races.c:44
 * expect: finding race many_races.c:45 many_races.c:45
 * expect: finding race many_races.c:46 many_races.c:46
 * expect: finding race many_races.c:47 many_races.c:47
 * expect: finding race many_races.c:48 many_races.c:48
 * expect: finding race many_races.c:49 many_races.c:49
 * expect: finding race many_races.c:50 many_races.c:50
 * expect: finding race many_races.c:51 many_races.c:51
 * expect: finding race many_races.c:52 many_races.c:52
 * expect: finding race many_races.c:53 many_races.c:53
 * expect: finding race many_races.c:54 many_races.c:54
 * expect: finding race many_races.c:55 many_races.c:55
 * expect: finding race many_races.c:56 many_races.c:56
 * expect: finding assert many_races.c:69 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int g0, g1, g2, g3, g4, g5, g6, g7, g8, g9;
static int g10, g11, g12, g13, g14, g15, g16, g17, g18, g19;
static atomic_int x;

static void touch(void)
{
    g0++;
    g1++;
    g2++;
    g3++;
    g4++;
    g5++;
    g6++;
    g7++;
    g8++;
    g9++;
    g10++;
    g11++;
    g12++;
    g13++;
    g14++;
    g15++;
    g16++;
    g17++;
    g18++;
    g19++;
}

static void *a(void *p)
{
    touch();
    atomic_store(&x, 1);
    return p;
}

static void *b(void *p)
{
    touch();
    assert(atomic_load(&x) == 0);
    return p;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, a, 0);
    pthread_create(&t, 0, b, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
