/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that could not go on before the move that ended the run: it can come first (dpor). */
#include <assert.h>
#include <pthread.h>

static pthread_once_t o0 = PTHREAD_ONCE_INIT;
static pthread_t handle;

static void once0(void)
{
}

static void *t1(void *arg)
{
    pthread_once(&o0, once0);
    return arg;
}

int main(void)
{
    int r0 = 0;
    pthread_create(&handle, NULL, t1, NULL);
    pthread_once(&o0, once0);
    assert(r0 == 1);
    return 0;
}
