/* SPDX-License-Identifier: Apache-2.0 */
/* fsbench [THREADS]: each thread looks for a free block for its inode.
 *
 * After CS.fsbench. Bug: there is one block less than there are inodes, and the search for
 * one runs over the end of the table, in every schedule. FIXED: a block for everyone. */
#include <assert.h>

#include "../../programs/common.h"

enum { MOST = 32 };

static pthread_mutex_t lock[MOST] = {[0 ... MOST - 1] = PTHREAD_MUTEX_INITIALIZER};
static int is_busy[MOST], n_blocks;

/* Searches start at different places, as the hash of an inode would have it. */
static void *inode(void *number)
{
    int at = (int)(intptr_t)number / 2;
    for (int k = 0; k < n_blocks; k++, at = (at + 1) % n_blocks) {
        pthread_mutex_lock(&lock[at]);
        int is_mine = !is_busy[at];
        is_busy[at] = 1;
        pthread_mutex_unlock(&lock[at]);
        if (is_mine)
            return NULL;
    }
    assert(!"a free block");
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = size_arg(argc, argv, 1, 27, MOST);
#ifdef FIXED
    n_blocks = n;
#else
    n_blocks = n - 1;
#endif
    start_all(t, n, inode);
    join_all(t, n);
    return 0;
}
