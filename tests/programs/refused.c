/* SPDX-License-Identifier: Apache-2.0 */
/* What is not modelled stops the run with its name; nothing reaches the real library.
 *
 * treadle: --search=all
 * args: cond
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:113 pthread_cond_wait
 *
 * treadle: --search=all
 * args: signal
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:115 pthread_cond_signal
 *
 * treadle: --search=all
 * args: sem
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:117 sem_wait
 *
 * treadle: --search=all
 * args: rwlock
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:119 pthread_rwlock_rdlock
 *
 * treadle: --search=all
 * args: barrier
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:121 pthread_barrier_wait
 *
 * treadle: --search=all
 * args: once
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:123 pthread_once
 *
 * treadle: --search=all
 * args: key
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:125 pthread_key_create
 *
 * treadle: --search=all
 * args: spin
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:127 pthread_spin_lock
 *
 * treadle: --search=all
 * args: timed
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:129 pthread_mutex_timedlock
 *
 * treadle: --search=all
 * args: mtx
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:131 mtx_lock
 *
 * treadle: --search=all
 * args: thrd
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:133 thrd_create
 *
 * treadle: --search=all
 * args: cancel
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:135 pthread_cancel
 *
 * treadle: --search=all
 * args: fork
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:137 fork
 *
 * treadle: --search=all
 * args: unknown
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:139 pthread_setconcurrency
 *
 * treadle: --search=all
 * args: none
 * expect: runs 1
 * expect: verdict complete */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_key_t key;
static sem_t sem;
static mtx_t mtx;

static void nothing(void)
{
}

static int start(void *arg)
{
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argv[argc - 1];
    struct timespec soon = {0, 0};
    thrd_t thrd;

    pthread_mutex_lock(&m);
    if (!strcmp(what, "cond"))
        pthread_cond_wait(&cond, &m);
    if (!strcmp(what, "signal"))
        pthread_cond_signal(&cond);
    if (!strcmp(what, "sem"))
        sem_wait(&sem);
    if (!strcmp(what, "rwlock"))
        pthread_rwlock_rdlock(&rwlock);
    if (!strcmp(what, "barrier"))
        pthread_barrier_wait(&barrier);
    if (!strcmp(what, "once"))
        pthread_once(&once, nothing);
    if (!strcmp(what, "key"))
        pthread_key_create(&key, NULL);
    if (!strcmp(what, "spin"))
        pthread_spin_lock(&spin);
    if (!strcmp(what, "timed"))
        pthread_mutex_timedlock(&m, &soon);
    if (!strcmp(what, "mtx"))
        mtx_lock(&mtx);
    if (!strcmp(what, "thrd"))
        thrd_create(&thrd, start, NULL);
    if (!strcmp(what, "cancel"))
        pthread_cancel(pthread_self());
    if (!strcmp(what, "fork"))
        fork();
    if (!strcmp(what, "unknown"))
        pthread_setconcurrency(2);
    pthread_mutex_unlock(&m);
    return 0;
}
