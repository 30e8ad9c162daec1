/* SPDX-License-Identifier: Apache-2.0 */
/* Two interferences: a message goes there and back before the sender looks again.
 *
 * The client sees an answer only if the server has seen the question, and nobody asks 4.
 *
 * treadle: -k --goal=branches
 * expect: sides 6/8
 * expect: degrees 3/1/2
 * expect: never branch_two.c:36 1
 * expect: never branch_two.c:48 1
 * expect: verdict bug
 * expect: finding assert branch_two.c:36
 *
 * treadle: --goal=branches
 * cflags: -DFIXED
 * expect: sides 6/8
 * expect: degrees 3/1/2
 * expect: never branch_two.c:34 0
 * expect: never branch_two.c:48 1
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ask, answer;

static void *client(void *arg)
{
    atomic_store(&ask, 3);
    int a = atomic_load(&answer);
    if (a != 0) {
#ifdef FIXED
        assert(a == 4);
#else
        assert(a != 4);
#endif
        a = 0;
    }
    return arg;
}

static void *server(void *arg)
{
    int q = atomic_load(&ask);
    if (q == 3)
        atomic_store(&answer, q + 1);
    if (q == 4)
        atomic_store(&answer, 9);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, client, NULL);
    pthread_create(&b, NULL, server, NULL);
    pthread_exit(NULL);
}
