/* SPDX-License-Identifier: Apache-2.0 */
/* Two pairs of threads that have nothing to do with each other: 6 * 6 traces, but each of the few local states
 * is in many of them. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int v[2];
static void *adds(void *p)
{
    atomic_fetch_add((atomic_int *)p, 1);
    atomic_fetch_add((atomic_int *)p, 1);
    return NULL;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, adds, &v[i / 2]);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
