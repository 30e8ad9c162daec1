/* SPDX-License-Identifier: Apache-2.0 */
/* A write is a cancellation point: the thread may end in it.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert cancel_write.c:27
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int done;

static void *thread(void *arg)
{
    write(2, "x\n", 2);
    done = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    assert(done == 1);
    return 0;
}
