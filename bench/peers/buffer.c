/* SPDX-License-Identifier: Apache-2.0 */
/* Bounded buffer of one place with condition variables: P producers, C consumers of one item each.  -DBUG: one condition variable, signal.  */
#include "bench.h"
#ifndef P
#define P 2
#endif
pthread_mutex_t m;
pthread_cond_t full, empty;
int n;
#ifdef BUG
#define FULL empty
#else
#define FULL full
#endif
void *prod(void *p)
{
    pthread_mutex_lock(&m);
    while (n == 1)
        pthread_cond_wait(&empty, &m);
    n++;
    pthread_cond_signal(&FULL);
    pthread_mutex_unlock(&m);
    return NULL;
}
void *cons(void *p)
{
    pthread_mutex_lock(&m);
    while (n == 0)
        pthread_cond_wait(&FULL, &m);
    n--;
    pthread_cond_signal(&empty);
    pthread_mutex_unlock(&m);
    return NULL;
}
int main(void)
{
    pthread_t a[P], b[P];
    pthread_mutex_init(&m, NULL);
#ifndef BUG
    pthread_cond_init(&full, NULL);
#endif
    pthread_cond_init(&empty, NULL);
    for (long i = 0; i < P; i++) {
        spawn(&a[i], prod, i);
        spawn(&b[i], cons, i);
    }
    for (int i = 0; i < P; i++) {
        join(a[i]);
        join(b[i]);
    }
    return 0;
}
