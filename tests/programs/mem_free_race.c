/* SPDX-License-Identifier: Apache-2.0 */
/* A free that no lock orders after the access of another thread, which comes first here.
 *
 * treadle: -k
 * expect: verdict bug
 * expect: finding race mem_free_race.c:23 mem_free_race.c:32
 * expect: finding memory mem_free_race.c:23
 * expect: ledger race mem_free_race.c:32
 * expect: says use after free: the free and this access to the block are unordered: '*arg'
 * expect: ledger cut short mem_free_race.c:23
 * treadle: --search=all -k
 * expect: verdict bug
 * expect: finding race mem_free_race.c:23 mem_free_race.c:32
 * expect: finding memory mem_free_race.c:23
 * expect: ledger race mem_free_race.c:32
 * expect: ledger cut short mem_free_race.c:23 */
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg)
{
    /* Before its first operation the thread runs at once. */
    *(int *)arg = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *value = malloc(sizeof *value);
    pthread_create(&t, NULL, worker, value);
    free(value);
    pthread_join(t, NULL);
    return 0;
}
