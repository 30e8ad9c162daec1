/* SPDX-License-Identifier: Apache-2.0 */
/* A file that is mapped is written and cut by calls, while another thread uses the mapping.
 *
 * treadle:
 * args: write
 * expect: verdict incomplete
 * expect: ledger cannot be undone mapping_file.c:32 memfd_create
 * expect: ledger not watched mapping_file.c:37 a call on a file that is mapped
 *
 * treadle:
 * args: cut
 * expect: verdict incomplete
 * expect: ledger cannot be undone mapping_file.c:32 memfd_create
 * expect: ledger not watched mapping_file.c:39 a call on a file that is mapped
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile char *p;

static void *uses(void *none)
{
    p[3] = 1;
    return none;
}

int main(int argc, char **argv)
{
    pthread_t t;
    int fd = memfd_create("file", 0);
    ftruncate(fd, 4096);
    p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    pthread_create(&t, NULL, uses, NULL);
    if (argc > 1 && argv[1][0] == 'w')
        pwrite(fd, "abcdef", 6, 0);
    else
        ftruncate(fd, 0);
    pthread_join(t, NULL);
    return 0;
}
