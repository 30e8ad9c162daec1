/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly that is not understood stops the run, with its place, if it may touch any memory. What
 * its operands name is accessed as they say; what touches none is run.
 *
 * treadle: --search=all
 * args: copy
 * expect: verdict incomplete
 * expect: ledger not modelled asm_refused.c:49 assembly: rep movsb
 *
 * treadle: --search=all
 * args: call
 * expect: verdict incomplete
 * expect: ledger not modelled asm_refused.c:56 assembly: syscall
 *
 * treadle: --search=all
 * args: through
 * expect: verdict incomplete
 * expect: ledger not modelled asm_refused.c:58 assembly: movdqu ($0), %xmm0
 *
 * treadle:
 * args: operand
 * expect: verdict bug
 * expect: finding race asm_refused.c:37 asm_refused.c:37
 *
 * treadle: --search=all
 * args: none
 * expect: verdict complete */
#include <pthread.h>
#include <string.h>

static unsigned short word;
static char from[16], to[16];
static const char *what;

static void touch(void)
{
    __asm__ volatile("fnstcw %0" : "=m"(word));
}

static void *worker(void *arg)
{
    if (!strcmp(what, "operand"))
        touch();
    return arg;
}

static void copy(void *d, const void *s, unsigned long n)
{
    __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
}

static void look(void)
{
    long n = 39;
    if (!strcmp(what, "call"))
        __asm__ volatile("syscall" : "+a"(n) : : "rcx", "r11", "memory");
    if (!strcmp(what, "through"))
        __asm__ volatile("movdqu (%0), %%xmm0" : : "r"(from) : "xmm0");
}

int main(int argc, char **argv)
{
    pthread_t t;
    unsigned a = 0, b, c = 0, d, high;
    what = argv[argc - 1];
    pthread_create(&t, NULL, worker, NULL);
    if (!strcmp(what, "copy"))
        copy(to, from, sizeof to);
    if (!strcmp(what, "operand"))
        touch();
    look();
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d) : : "memory");
    __asm__ volatile("rdtsc" : "=a"(a), "=d"(high) : : "memory");
    __asm__ volatile("prefetchw (%0)" : : "r"(from) : "memory");
    __asm__("bswap %0" : "+r"(a));
    pthread_join(t, NULL);
    return 0;
}
