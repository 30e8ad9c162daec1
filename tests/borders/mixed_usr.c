/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads call code that gcc built and that races in itself: nobody sees it, and that is said.
 *
 * treadle:
 * gcc: mixed_lib.c
 * expect: verdict incomplete
 * expect: ledger not watched mixed_usr.c:36 next_id
 * expect: ledger not watched, alone
 *
 * treadle:
 * library: mixed_lib.c
 * expect: verdict incomplete
 * expect: ledger not watched mixed_usr.c:36 next_id (mixed_lib.so)
 * expect: ledger not watched, alone
 *
 * treadle: --trust-libraries
 * gcc: mixed_lib.c
 * expect: verdict incomplete
 * expect: ledger not watched mixed_usr.c:36 next_id
 * expect: ledger not watched, alone
 *
 * treadle: --trust-libraries
 * library: mixed_lib.c
 * expect: verdict complete
 * expect: ledger trusted mixed_usr.c:36 next_id (mixed_lib.so)
 * expect: ledger not watched, alone
 */
#include <assert.h>
#include <pthread.h>

int next_id(void);
int current(void);

static void *take(void *p)
{
    next_id();
    return p;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, take, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(current() == 2);
    return 0;
}
