/* SPDX-License-Identifier: Apache-2.0 */
/* The value of a destructor is an input, and 0 means that it is not called.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert key_zero.c:33
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <treadle.h>

static pthread_key_t key;
static int called;

static void drop(void *p)
{
    called = p != NULL;
}

static void *run(void *p)
{
    pthread_setspecific(key, p);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, drop);
    pthread_create(&t, NULL, run, (void *)(intptr_t)treadle_u8("n"));
    pthread_join(t, NULL);
    assert(called);
    return 0;
}
