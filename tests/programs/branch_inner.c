/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that fails ends the run before others can move: the reader's second side needs a writer
 * that does not fail. A thread that nobody lets run is led on all the same.
 *
 * treadle: -k --goal=branches
 * expect: sides 4/4
 * expect: degrees 3/1
 * expect: verdict bug
 * expect: finding assert branch_inner.c:22 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <treadle.h>

static atomic_int x;

static void *writer(void *arg)
{
    int v = treadle_int("v");
    atomic_store(&x, v);
    assert(v != 3);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_load(&x) != 0)
        return NULL;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_exit(NULL);
}
