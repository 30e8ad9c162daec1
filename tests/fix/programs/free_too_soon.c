/* SPDX-License-Identifier: Apache-2.0 */
/* fix: order
 * edit
 * idea: free after the join */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *shared;

static void *use(void *arg)
{
    atomic_fetch_add(shared, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    shared = calloc(1, sizeof *shared);
    pthread_create(&t, NULL, use, NULL);
    free(shared);
    pthread_join(t, NULL);
    return 0;
}
