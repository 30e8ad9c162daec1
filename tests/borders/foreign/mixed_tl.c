/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

void bg_start(void *(*f)(void *), void *a);
void bg_stop(void);

static pthread_t t;

void bg_start(void *(*f)(void *), void *a)
{
    pthread_create(&t, 0, f, a);
}

void bg_stop(void)
{
    pthread_join(t, 0);
}
