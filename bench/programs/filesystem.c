/* SPDX-License-Identifier: Apache-2.0 */
/* filesystem THREADS: each thread makes an inode and looks for a free block for it.
 *
 * Threads t and t + 13 look for blocks from the same place on, all others have nothing in
 * common: 2^(THREADS - 13) traces for 14 to 26 threads. After Flanagan and Godefroid,
 * POPL 2005. */
#include "common.h"

enum { INODES = 32, BLOCKS = 26, TRIES = 10 };

static pthread_mutex_t inode_lock[INODES] = {[0 ... INODES - 1] =
                                                 PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t block_lock[BLOCKS] = {[0 ... BLOCKS - 1] =
                                                 PTHREAD_MUTEX_INITIALIZER};
static int inode[INODES]; /* 0: free; else its block + 1 */
static char busy[BLOCKS];

/* Whether the block was free. */
static int take_block(int i, int b)
{
    pthread_mutex_lock(&block_lock[b]);
    int is_free = !busy[b];
    if (is_free) {
        busy[b] = 1;
        inode[i] = b + 1;
    }
    pthread_mutex_unlock(&block_lock[b]);
    return is_free;
}

static void *writer(void *number)
{
    int i = (int)(intptr_t)number % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        int b = 2 * i % BLOCKS;
        for (int k = 0; k < TRIES && !take_block(i, b); k++)
            b = (b + 1) % BLOCKS;
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MAX_THREADS];
    start_all(t, size_arg(argc, argv, 1, 16, MAX_THREADS), writer);
    return leave();
}
