/* SPDX-License-Identifier: Apache-2.0 */
/* Code of another compiler orders two accesses by atomic instructions: that they are not ordered is not claimed. Where
 * what it calls has none, or is trusted, the race is.
 *
 * treadle:
 * gcc: handover_lib.c
 * expect: verdict incomplete
 * expect: ledger not watched handover_unseen.c:43 publish
 * expect: ledger not watched handover_unseen.c:53 is_published
 * expect: ledger race not claimed handover_unseen.c:54 publish, which is not instrumented, may order these accesses
 *
 * treadle: --trust=publish,is_published
 * gcc: handover_lib.c
 * expect: verdict bug
 * expect: ledger trusted handover_unseen.c:43 publish
 * expect: ledger trusted handover_unseen.c:53 is_published
 * expect: finding race handover_unseen.c:54 handover_unseen.c:42
 *
 * treadle:
 * cflags: -DTOUCH
 * gcc: handover_lib.c
 * expect: verdict bug
 * expect: ledger not watched handover_unseen.c:43 touch
 * expect: ledger not watched handover_unseen.c:53 touch
 * expect: finding race handover_unseen.c:54 handover_unseen.c:42 */
#include <pthread.h>
#include <stdio.h>

#ifdef TOUCH
void touch(void);
#define publish touch
#define is_published() (touch(), 1)
#else
void publish(void);
int is_published(void);
#endif

static int value;

static void *writer(void *arg)
{
    value = 1;
    publish();
    return arg;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, NULL, writer, NULL);
    /* One look: it is ordered if it sees the flag. */
    if (is_published())
        seen = value;
    pthread_join(t, NULL);
    printf("%d\n", seen);
    return 0;
}
