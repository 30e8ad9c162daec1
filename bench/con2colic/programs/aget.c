/* SPDX-License-Identifier: Apache-2.0 */
/* aget: a thread downloads a file in pieces while another one saves a log to resume from.
 *
 * After the download accelerator: Table 1 has 3 threads, no inputs, k = 2. The downloader moves its
 * own offset without the lock, and adds to the total under it. The saver reads the total, and later
 * the offset: two reads of the downloader's writes, and the assertion that they agree fails. FIXED:
 * both are written, and both are read, in one critical section. */
#include "subject.h"

enum { N_PIECES = 3, PIECE = 100, SIZE = 250 };

static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static GUARDED int n_total;
static atomic_int offset;
static GUARDED int saved_total = -1, saved_offset = -1;

/* The last piece is shorter. */
static int receive(int at)
{
    int left = SIZE - at;
    if (left <= 0)
        return 0;
    return left < PIECE ? left : PIECE;
}

static void count(int n)
{
#ifdef FIXED
    lock(&total_lock);
    atomic_store(&offset, atomic_load(&offset) + n);
#else
    atomic_store(&offset, atomic_load(&offset) + n);
    lock(&total_lock);
#endif
    n_total = n_total + n;
    unlock(&total_lock);
}

static void *download(void *arg)
{
    for (int i = 0; i < N_PIECES; i++) {
        int n = receive(atomic_load(&offset));
        if (n == 0)
            break;
        count(n);
    }
    return arg;
}

static void write_log(int total, int at)
{
    assert(at == total);
    saved_total = total;
    saved_offset = at;
}

static void *save(void *arg)
{
    lock(&total_lock);
    int total = n_total;
#ifdef FIXED
    int at = atomic_load(&offset);
    unlock(&total_lock);
#else
    unlock(&total_lock);
    if (total == 0) /* nothing to resume from */
        return arg;
    int at = atomic_load(&offset);
#endif
    if (total > 0 && total < SIZE)
        write_log(total, at);
    return arg;
}

static int resume(void)
{
    if (saved_total < 0)
        return 0;
    assert(saved_total == saved_offset);
    return saved_offset;
}

int main(void)
{
    pthread_t t[2] = {start(download, 0), start(save, 1)};
    join_all(t, 2);
    return resume() > SIZE;
}
