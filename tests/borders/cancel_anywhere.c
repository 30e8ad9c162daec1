/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that can be cancelled anywhere leaves a loop that nothing else ends.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not modelled cancel_anywhere.c:13 asynchronous cancellation
 */
#include <pthread.h>

static void *thread(void *arg)
{
    int old;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    for (;;)
        ;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    return 0;
}
