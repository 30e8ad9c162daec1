/* SPDX-License-Identifier: Apache-2.0 */
/* How much xsave writes depends on the processor: a line of the ledger where it is executed, none where not.
 * treadle:
 * arch: x86_64
 * cflags: -mxsave
 * args: x
 * expect: verdict incomplete
 * expect: ledger not watched xsave_gap.c:22 llvm.x86.xsave
 * treadle:
 * arch: x86_64
 * cflags: -mxsave
 * expect: verdict complete */
#include <immintrin.h>
#include <pthread.h>

static char area[8192] __attribute__((aligned(64)));
static int saves;

static void *one(void *p)
{
    if (saves)
        _xsave(area, 1);
    return p;
}

int main(int argc, char **argv)
{
    pthread_t t;
    (void)argv;
    saves = argc > 1;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    return 0;
}
