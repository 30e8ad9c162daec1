/* SPDX-License-Identifier: Apache-2.0 */
/* madvise empties a page that another thread writes to.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race pages_emptied.c:29 pages_emptied.c:19
 *
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static char *page;

static void *thread(void *arg)
{
    if (page == MAP_FAILED)
        return arg;
    page[5] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, NULL, thread, NULL);
    madvise(page, 4096, MADV_WILLNEED);
    madvise(page, 4096, MADV_DONTNEED);
    pthread_join(t, NULL);
    return 0;
}
