/* SPDX-License-Identifier: Apache-2.0 */
/* A file that is mapped, and memory that is: both are new in every run.
 *
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 2
 * hand: 0
 * model: main: begin, create A, end, store x, join A, exit
 * model: A: store y */
#define _GNU_SOURCE 1
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x, y;

static void *worker(void *arg)
{
    atomic_store(&y, 1);
    return arg;
}

static void file(void)
{
    char c = 0;
    int fd = open("file_mapped.txt", O_RDWR | O_CREAT | O_EXCL, 0600);
    assert(fd >= 0 && ftruncate(fd, 8192) == 0);
    char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(p != MAP_FAILED && p[5000] == 0);
    p[5000] = 7;
    assert(pread(fd, &c, 1, 5000) == 1 && c == 7);
    assert(pwrite(fd, "z", 1, 1) == 1 && p[1] == 'z');
    assert(msync(p, 8192, MS_SYNC) == 0 && munmap(p, 4096) == 0);
    assert(unlink("file_mapped.txt") == 0);
    close(fd);
}

/* Not unmapped. */
static void memory(void)
{
    char *p =
        mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(p != MAP_FAILED && p[100] == 0 && p[40000] == 0);
    p[100] = p[40000] = 1;
    assert(madvise(p + 32768, 32768, MADV_DONTNEED) == 0 && p[40000] == 0);
    char *q = mremap(p, 65536, 131072, MREMAP_MAYMOVE);
    assert(q != MAP_FAILED && q[100] == 1 && q[131071] == 0);
    assert(mprotect(q, 4096, PROT_READ) == 0);
}

int main(void)
{
    pthread_t t;
    file();
    memory();
    __VERIFIER_atomic_begin();
    pthread_create(&t, NULL, worker, NULL);
    __VERIFIER_atomic_end();
    atomic_store(&x, 1);
    pthread_join(t, NULL);
    return 0;
}
