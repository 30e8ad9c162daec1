/* SPDX-License-Identifier: Apache-2.0 */
/* The same inside a function of the library, which is named by the call.
 *
 * treadle: -k
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding crash null_once_plain.c:20
 * expect: finding race null_once_plain.c:20 null_once_plain.c:28 */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_once_t *ptr;

static void fun(void)
{
}

static void *f(void *a)
{
    pthread_once(ptr, fun);
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    ptr = &once;
    pthread_once(ptr, fun);
    pthread_join(t, NULL);
    return 0;
}
