/* SPDX-License-Identifier: Apache-2.0 */
/* Another thread changes the mask between a thread's set and its get. */
#include <assert.h>
#include <pthread.h>
#include <sys/stat.h>

static void *other(void *arg)
{
    umask(022);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    umask(077);
    mode_t was = umask(0);
    assert(was == 077);
    pthread_join(t, NULL);
    return 0;
}
