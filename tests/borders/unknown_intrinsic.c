/* SPDX-License-Identifier: Apache-2.0 */
/* An instruction of the processor that no table has: what it writes is not seen, and the answer says so.
 * treadle: -k
 * arch: x86_64
 * expect: verdict incomplete
 * expect: ledger not watched unknown_intrinsic.c:16 llvm.x86.xsave */
#include <pthread.h>
#include <stdalign.h>
#include <stddef.h>

static alignas(64) char area[4096];

__attribute__((target("xsave"))) static void *save(void *unused)
{
    (void)unused;
    __builtin_ia32_xsave(area, 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, save, NULL);
    area[512] = 1; /* in a row with what the thread writes */
    pthread_join(t, NULL);
    return 0;
}
