/* SPDX-License-Identifier: Apache-2.0 */
/* A detached thread gets its name before it may end.
 *
 * treadle:
 * expect: verdict complete */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

static pthread_t w;
static atomic_int go;
static void *work(void *p)
{
    while (!atomic_load(&go))
        continue;
    return p;
}

int main(void)
{
    pthread_create(&w, 0, work, 0);
    pthread_detach(w);
    pthread_setname_np(w, "worker");
    atomic_store(&go, 1);
    return 0;
}
