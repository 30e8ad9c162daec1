/* SPDX-License-Identifier: Apache-2.0 */
/* Changes its own code, in a signal handler: the changed one is what runs.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug
 * runs: 2 */
#include "hostile.h"

#include <assert.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

__attribute__((noinline)) static int one(void)
{
    return 1;
}

/* Every one in the first bytes is two from now on; the constant is among them. */
static void handler(int sig)
{
    unsigned char *code = (unsigned char *)one;
    void *page = (void *)((uintptr_t)code & ~UINT64_C(4095));
    (void)sig;
    if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        abort();
    static const unsigned char two[] = {0xb8, 2, 0, 0, 0, 0xc3}; /* mov $2, %eax; ret */
    for (size_t i = 0; i < sizeof two; i++)
        ((volatile unsigned char *)code)[i] = two[i];
}

static void evil(void)
{
#if defined(__x86_64__)
    int (*volatile call)(void) = one;
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    assert(call() == 1);
#else
    assert(one() == 2);
#endif
}
