/* SPDX-License-Identifier: Apache-2.0 */
/* fix: none
 * drops: few outcomes of runs that passed remain
 * idea: the reader must test for empty. One lock over all pushes leaves few of the outcomes */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int height, has_begun, seen[3];

static void *push(void *arg)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        height++;
        has_begun = 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *pop(void *arg)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        if (has_begun) {
            assert(height > 0);
            seen[i] = height--;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, push, NULL);
    pthread_create(&b, NULL, pop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
