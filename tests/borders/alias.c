/* SPDX-License-Identifier: Apache-2.0 */
/* A page that is mapped twice: atomics at two addresses are one object. The second mapping is a line of the ledger.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger cannot be undone alias.c:31 memfd_create
 * expect: ledger not watched alias.c:34 mmap of a file that is already mapped
 */
#define _GNU_SOURCE 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* one page mapped twice (mirrored ring): atomics at two addresses are one object */
int memfd_create(const char *, unsigned);
static atomic_int *p, *q;
static void *a(void *unused)
{
    atomic_store(p, 1);
    return 0;
}
static void *b(void *unused)
{
    assert(atomic_load(q) == 0);
    return 0;
}
int main(void)
{
    int fd = memfd_create("r", 0);
    ftruncate(fd, 4096);
    p = mmap(0, 4096, 3, MAP_SHARED, fd, 0);
    q = mmap(0, 4096, 3, MAP_SHARED, fd, 0);
    pthread_t t, u;
    pthread_create(&t, 0, b, 0);
    pthread_create(&u, 0, a, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
