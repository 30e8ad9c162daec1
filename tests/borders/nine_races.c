/* SPDX-License-Identifier: Apache-2.0 */
/* Nine races, each told from both of its sides: more than sixteen reports in a run.
 * treadle: -k --runs=300
 * expect: verdict bug
 * expect: ledger runs
 * expect: finding race nine_races.c:21 nine_races.c:21
 * expect: finding race nine_races.c:22 nine_races.c:22
 * expect: finding race nine_races.c:23 nine_races.c:23
 * expect: finding race nine_races.c:24 nine_races.c:24
 * expect: finding race nine_races.c:25 nine_races.c:25
 * expect: finding race nine_races.c:26 nine_races.c:26
 * expect: finding race nine_races.c:27 nine_races.c:27
 * expect: finding race nine_races.c:28 nine_races.c:28
 * expect: finding race nine_races.c:29 nine_races.c:29 */
#include <pthread.h>

static int g0, g1, g2, g3, g4, g5, g6, g7, g8;

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
}

static void *a(void *p)
{
    touch();
    return p;
}

static void *b(void *p)
{
    touch();
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
