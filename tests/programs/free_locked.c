/* SPDX-License-Identifier: Apache-2.0 */
/* Memory is given back while a thread holds the mutex in it; or locks it later.
 *
 * treadle: -k
 * expect: runs 3
 * expect: events 9
 * expect: verdict bug
 * expect: finding mutex free_locked.c:50
 * expect: finding memory free_locked.c:39
 * expect: finding race free_locked.c:50 free_locked.c:40
 * expect: ledger race free_locked.c:50
 * expect: ledger race free_locked.c:40
 * expect: ledger cut short free_locked.c:39
 * expect: ledger cut short free_locked.c:50
 *
 * treadle: --search=all -k
 * expect: runs 3
 * expect: events 13
 * expect: verdict bug
 * expect: finding mutex free_locked.c:50
 * expect: finding memory free_locked.c:39
 * expect: finding race free_locked.c:50 free_locked.c:40
 * expect: ledger race free_locked.c:50
 * expect: ledger race free_locked.c:40
 * expect: ledger cut short free_locked.c:39
 * expect: ledger cut short free_locked.c:50 */
#include <pthread.h>
#include <stdlib.h>

struct item {
    int x;
    pthread_mutex_t m;
};

static struct item *p;

static void *use(void *arg)
{
    pthread_mutex_lock(&p->m);
    pthread_mutex_unlock(&p->m);
    return arg;
}

int main(void)
{
    pthread_t t;
    p = calloc(1, sizeof *p);
    pthread_mutex_init(&p->m, NULL);
    pthread_create(&t, NULL, use, NULL);
    free(p);
    pthread_join(t, NULL);
    return 0;
}
