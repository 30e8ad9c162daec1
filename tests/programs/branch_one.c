/* SPDX-License-Identifier: Apache-2.0 */
/* One interference: the reader alone finds 0. Two sides, one of them without anybody else.
 *
 * The first run ends with the reader, which finds 1; the second starts with it.
 *
 * treadle: -k --goal=branches
 * expect: runs 2
 * expect: sides 2/2
 * expect: degrees 1/1
 * expect: verdict bug
 * expect: finding assert branch_one.c:28 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *reader(void *arg)
{
    int seen = atomic_load(&x);
    assert(seen == 0);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_exit(NULL);
}
