/* SPDX-License-Identifier: Apache-2.0 */
/* A copy that cannot be an operation, and a free after the lock: the copy comes after the free if its thread
 * takes the lock last.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race mem_free_race_copy.c:22 mem_free_race_copy.c:31
 * expect: says use after free: the free and this access to the block are unordered: '*arg' */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users;
static char text[64];

static void *reader(void *arg)
{
    pthread_mutex_lock(&lock);
    users++;
    pthread_mutex_unlock(&lock);
    memcpy(text, arg, sizeof text);
    return NULL;
}

static void *closer(void *arg)
{
    pthread_mutex_lock(&lock);
    users--;
    pthread_mutex_unlock(&lock);
    free(arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    char *block = calloc(1, sizeof text);
    pthread_create(&a, NULL, reader, block);
    pthread_create(&b, NULL, closer, block);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
