/* SPDX-License-Identifier: Apache-2.0 */
/* A mapping goes while another thread may still use it: a race, also where nothing crashes.
 *
 * treadle:
 *
 * expect: finding race munmap_race.c:15 munmap_race.c:25
 * expect: verdict bug */
#include <pthread.h>
#include <sys/mman.h>

static int *p;

static void *use(void *arg)
{
    p[3] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, NULL, use, NULL);
    p[0] = 1;
    munmap(p, 4096);
    pthread_join(t, NULL);
    return 0;
}
