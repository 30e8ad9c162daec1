/* SPDX-License-Identifier: Apache-2.0 */
/* A string instruction writes memory that no operand and no clobber names.
 * treadle:
 * arch: x86_64
 * expect: verdict incomplete
 * expect: ledger not modelled string_gap.c:16 assembly: rep; stosb */
#include <pthread.h>

static char a[16];
static int seen;

static void *one(void *p)
{
    char *to = a;
    long n = sizeof a;
    __asm__ volatile("rep; stosb" : "+D"(to), "+c"(n) : "a"(1));
    return p;
}

static void *two(void *p)
{
    seen = a[3];
    return p;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
