/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that gcc built are called when the process ends.
 *
 * treadle:
 * gcc: callback_exit_lib.c
 * expect: verdict incomplete
 * expect: ledger not watched callback_exit.c:38 given_status
 * expect: ledger not watched callback_exit.c:39 given_exit
 * expect: ledger not watched callback_exit.c:40 unasked
 *
 * treadle:
 * args: quick
 * gcc: callback_exit_lib.c
 * expect: verdict incomplete
 * expect: ledger not watched callback_exit.c:35 given_exit
 */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdlib.h>

int shared;
void given_exit(void);
void given_status(int status, void *p);

static void *other(void *arg)
{
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL); /* not joined: main is not alone */
    if (argc > 1) {
        at_quick_exit(given_exit);
        quick_exit(0);
    }
    on_exit(given_status, NULL);
    atexit(given_exit);
    exit(0);
}
