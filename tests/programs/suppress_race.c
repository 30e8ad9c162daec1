/* SPDX-License-Identifier: Apache-2.0 */
/* A race that is suppressed does not end the run; its orders are explored, and what it causes
 * is found.
 *
 * treadle:
 * suppress: # statistics
 * suppress: race:^hits$
 * expect: verdict complete
 * expect: ledger suppressed suppress_race.c:45 race:^hits$
 * treadle:
 * args: lost
 * suppress: race:hits
 * expect: verdict bug
 * expect: finding assert suppress_race.c:60
 * expect: ledger suppressed suppress_race.c:45 race:hits
 * treadle:
 * suppress: race:count*
 * expect: verdict complete
 * expect: ledger suppressed suppress_race.c:45 race:count*
 * treadle:
 * suppress: race:programs/suppress_*.c$
 * expect: verdict complete
 * expect: ledger suppressed suppress_race.c:45 race:programs/suppress_*.c$
 * treadle:
 * suppress: race:^ount
 * suppress: deadlock:hits
 * suppress: signal:hits
 * expect: verdict bug
 * expect: finding race suppress_race.c:45
 * treadle: -k --search=random --runs=200 --seed=3
 * suppress: race_top:count_hit
 * args: lost
 * expect: verdict bug
 * expect: finding assert suppress_race.c:60
 * expect: ledger suppressed suppress_race.c:45 race_top:count_hit
 * expect: ledger runs */
#include <assert.h>
#include <pthread.h>

/* How often the worker was called. */
static int hits;

static void count_hit(void)
{
    hits++;
}

static void *worker(void *arg)
{
    count_hit();
    return arg;
}
int main(int argc, char **argv)
{
    (void)argv;
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    count_hit();
    pthread_join(t, NULL);
    assert(argc == 1 || hits == 2);
    return 0;
}
