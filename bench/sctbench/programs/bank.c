/* SPDX-License-Identifier: Apache-2.0 */
/* bank [CLERKS]: each clerk moves money between two accounts; the sum must stay the same.
 *
 * After the bank account of the CS group. Bug: a clerk looks under the lock, computes, and
 * writes under the lock again; what others do in between is lost. */
#include <assert.h>

#include "../../programs/common.h"

enum { MOST = 16, START = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int from = START, to;

#ifdef FIXED
static void move(int amount)
{
    pthread_mutex_lock(&lock);
    from -= amount;
    to += amount;
    pthread_mutex_unlock(&lock);
}
#else
static void move(int amount)
{
    pthread_mutex_lock(&lock);
    int left = from - amount;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    from = left;
    to += amount;
    pthread_mutex_unlock(&lock);
}
#endif

static void *clerk(void *number)
{
    move((int)(intptr_t)number + 1);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = size_arg(argc, argv, 1, 2, MOST);
    start_all(t, n, clerk);
    join_all(t, n);
    assert(from + to == START);
    return 0;
}
