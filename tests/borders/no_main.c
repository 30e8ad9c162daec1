/* SPDX-License-Identifier: Apache-2.0 */
/* The main is another compiler's, as that of a library of tests: the program starts, and is explored.
 *
 * treadle:
 * cflags: -g -O1
 * gcc: main_of_gcc.c
 * expect: verdict complete
 * expect: ledger not watched, alone
 * treadle:
 * cflags: -g -O1 -DRACES
 * gcc: main_of_gcc.c
 * expect: verdict bug
 * expect: finding race no_main.c:27
 * expect: ledger not watched, alone */
#include <pthread.h>

void body(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *add(void *arg)
{
#ifndef RACES
    pthread_mutex_lock(&m);
#endif
    n++;
#ifndef RACES
    pthread_mutex_unlock(&m);
#endif
    return arg;
}

void body(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
}
