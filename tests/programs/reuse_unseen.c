/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is freed and used again, in a program that looks at no address: whether it gets the
 * same again, nobody can tell, and it is no choice.
 *
 * treadle:
 * agree: --goal=traces
 * expect: runs 6
 * expect: verdict complete
 *
 * treadle:
 * cflags: -DCOMPARES
 * agree: --goal=traces
 * expect: runs 24
 * expect: verdict complete */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *arg)
{
    int *volatile before = NULL;
    for (int i = 0; i < 2; i++) {
        int *p = malloc(sizeof *p);
        *p = i;
#ifdef COMPARES
        if (p == before)
            *p = 1;
#endif
        pthread_mutex_lock(&m);
        sum += *p;
        pthread_mutex_unlock(&m);
        before = p;
        free(p);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
