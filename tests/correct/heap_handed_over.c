/* SPDX-License-Identifier: Apache-2.0 */
/* One thread allocates, another frees; a lock hands the block over.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *block;

static void *gives(void *arg)
{
    int *made = malloc(sizeof *made);
    *made = 5;
    pthread_mutex_lock(&lock);
    block = made;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *takes(void *arg)
{
    pthread_mutex_lock(&lock);
    int *taken = block;
    block = NULL;
    pthread_mutex_unlock(&lock);
    if (taken)
        assert(*taken == 5);
    free(taken);
    return arg;
}

int main(void)
{
    run_two(gives, takes);
    free(block);
    return 0;
}
