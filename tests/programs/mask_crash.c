/* SPDX-License-Identifier: Apache-2.0 */
/* A crash in the program's own code hides nothing. One inside a library ends the run: what others
 * do after it is a line of the ledger.
 *
 * treadle: -k
 * agree: -k --search=all
 * expect: runs 3
 * expect: events 10
 * expect: verdict bug
 * expect: finding crash mask_crash.c:32
 * expect: finding crash mask_crash.c:48
 * expect: finding assert mask_crash.c:59 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

#ifdef LIBRARY
/* wcstombs is not replaced. */
static void crash(void)
{
    static wchar_t *volatile nowhere = (wchar_t *)16;
    char text[8];
    wcstombs(text, nowhere, sizeof text);
}
#else
static void crash(void)
{
    static int *volatile nowhere;
    *nowhere = 1;
}
#endif

static void *first(void *arg)
{
    atomic_store(&x, 1);
    crash();
    return arg;
}

static void *second(void *arg)
{
    static int *volatile nowhere;
    if (atomic_load(&x) == 1) {
        atomic_store(&y, 1);
        *nowhere = 2;
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    int seen = atomic_load(&y);
    assert(seen != 1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
