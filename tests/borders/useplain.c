/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of code that is not instrumented are not seen, whether it is called by name or by
 * pointer; where no other thread exists any more, nobody could notice them.
 *
 * treadle:
 * gcc: plain_object.c
 * expect: verdict incomplete
 * expect: ledger not watched useplain.c:40 plain_add
 * expect: ledger not watched, alone
 *
 * treadle:
 * cflags: -fno-pie -no-pie
 * gcc: plain_object.c
 * expect: verdict incomplete
 * expect: ledger not watched useplain.c:40 plain_add
 * expect: ledger not watched, alone
 *
 * treadle: --trust=plain_add
 * gcc: plain_object.c
 * expect: verdict complete
 * expect: ledger trusted useplain.c:40 plain_add
 * expect: ledger not watched, alone
 *
 * treadle: --trust=other,plain_get --trust=plain_add
 * gcc: plain_object.c
 * expect: verdict complete
 * expect: ledger trusted useplain.c:40 plain_add
 * expect: ledger not watched, alone
 */
#include <assert.h>
#include <pthread.h>

int plain_get(void);
void plain_add(void);

static void (*volatile add)(void) = plain_add;

static void *w(void *p)
{
    add();
    return p;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, w, 0);
    pthread_create(&u, 0, w, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(plain_get() == 2);
    return 0;
}
