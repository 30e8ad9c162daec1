/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads, one initialisation, which both see.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 8
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 7
 * expect: events 18
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int n;

static void make(void)
{
    n++;
}

static void *use(void *arg)
{
    pthread_once(&once, make);
    assert(n == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
