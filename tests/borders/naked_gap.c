/* SPDX-License-Identifier: Apache-2.0 */
/* A naked function is assembly that nobody reads, whoever calls it.
 * treadle:
 * arch: x86_64
 * expect: verdict incomplete
 * expect: ledger not watched naked_gap.c:13 naked function bump */
#include <assert.h>
#include <pthread.h>

static int x;

/* Returns what it is given plus one, and writes x. */
__attribute__((naked)) static int bump(int by)
{
    __asm__("movl %edi, x_of_bump(%rip)\n\tleal 1(%rdi), %eax\n\tret");
}
__asm__(".local x_of_bump\n.comm x_of_bump, 4, 4");
static int (*volatile fp)(int) = bump;

static void *one(void *p)
{
    assert(fp(41) == 42);
    return p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    return x;
}
