/* SPDX-License-Identifier: Apache-2.0 */
/* A mapping is removed and made again by another thread: no race between old and new contents.
 *
 * treadle: -k
 *
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static atomic_int x;

static void *map(void *arg)
{
    int *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *p = 1;
    munmap(p, 4096);
    atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, map, NULL);
    pthread_create(&b, NULL, map, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
