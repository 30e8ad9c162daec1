/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of many bytes is no single access: its order cannot be explored, and the ledger says
 * so.
 *
 * treadle: -k
 * expect: verdict bug
 * expect: finding race promote_copy.c:19 promote_copy.c:28
 * expect: ledger race promote_copy.c:19
 * expect: ledger race promote_copy.c:28 */
#include <pthread.h>
#include <string.h>

static struct wide {
    char bytes[100];
} shared, other;

static void *worker(void *arg)
{
    memcpy(&shared, &other, sizeof shared);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct wide mine;
    pthread_create(&t, NULL, worker, NULL);
    memcpy(&mine, &shared, sizeof mine);
    pthread_join(t, NULL);
    return mine.bytes[0];
}
