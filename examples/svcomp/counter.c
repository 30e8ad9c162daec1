/* SPDX-License-Identifier: Apache-2.0 */
/* A task in the manner of SV-COMP: two threads count without a lock. */
#include <pthread.h>

extern void reach_error(void);

int count;

void *add(void *arg)
{
    count++;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (count != 2)
        reach_error();
    return 0;
}
