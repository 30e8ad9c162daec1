/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of shared memory is not an operation; the ledger reports it.
 *
 * treadle: --goal=branches
 * expect: verdict incomplete
 * expect: ledger shared branch_copy.c:19
 * expect: ledger shared branch_copy.c:28 */
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pair[8];

static void *writer(void *arg)
{
    int now[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    pthread_mutex_lock(&lock);
    memcpy(pair, now, sizeof pair);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *reader(void *arg)
{
    int mine[8];
    pthread_mutex_lock(&lock);
    memcpy(mine, pair, sizeof mine);
    pthread_mutex_unlock(&lock);
    return mine[0] ? NULL : arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_exit(NULL);
}
