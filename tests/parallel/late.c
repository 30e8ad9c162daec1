/* SPDX-License-Identifier: Apache-2.0 */
/* The race shows in the first runs; the search that orders its accesses takes some thousand more. */
#include <pthread.h>
#include <stdatomic.h>

static int plain;
static atomic_int turns;

static void *work(void *arg)
{
    for (int i = 0; i < 2; i++) {
        plain++;
        atomic_fetch_add(&turns, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
