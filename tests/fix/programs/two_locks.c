/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * traces
 * idea: both threads take the locks in one order; a gate round both is clumsy */
#include <pthread.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER,
                       journal = PTHREAD_MUTEX_INITIALIZER;
static int rows, entries;
#ifdef FIXED
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *insert(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&gate);
#endif
    pthread_mutex_lock(&table);
    pthread_mutex_lock(&journal);
#ifdef FIXED
    pthread_mutex_unlock(&gate);
#endif
    rows++;
    entries++;
    pthread_mutex_unlock(&journal);
    pthread_mutex_unlock(&table);
    return arg;
}

static void *flush(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&gate);
#endif
    pthread_mutex_lock(&journal);
    pthread_mutex_lock(&table);
#ifdef FIXED
    pthread_mutex_unlock(&gate);
#endif
    entries = 0;
    pthread_mutex_unlock(&table);
    pthread_mutex_unlock(&journal);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, insert, NULL);
    pthread_create(&b, NULL, flush, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return rows - 1;
}
