/* SPDX-License-Identifier: Apache-2.0 */
/* As mem_free_race.c, but the free comes after the join.
 *
 * treadle: --leaks
 * expect: runs 1
 * expect: events 1
 * expect: verdict complete
 * treadle: --search=all --leaks
 * expect: runs 1
 * expect: events 4
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *value = malloc(sizeof *value);
    pthread_create(&t, NULL, worker, value);
    pthread_join(t, NULL);
    free(value);
    return 0;
}
