/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly gives the values that the processor gives: every atom, its widths, what it leaves in
 * registers and flags. Nobody else is there, so there is one run.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: verdict complete */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static uint64_t word;
static uint32_t words[4];
static uint64_t pair[2] __attribute__((aligned(16)));
static double real;

#define UNARY(name, text)                                                                \
    static bool name(void *p)                                                            \
    {                                                                                    \
        bool zero;                                                                       \
        __asm__ volatile("lock; " text "; setz %1"                                       \
                         : "+m"(*(char *)p), "=rm"(zero)                                 \
                         :                                                               \
                         : "memory", "cc");                                              \
        return zero;                                                                     \
    }
UNARY(inc8, "incb %0")
UNARY(inc16, "incw %0")
UNARY(inc32, "incl %0")
UNARY(inc64, "incq %0")
UNARY(dec32, "decl %0")
UNARY(neg32, "negl %0")
UNARY(inc_not_locked, "incl %0")

#define BINARY(name, text)                                                               \
    static bool name(uint32_t *p, uint32_t v)                                            \
    {                                                                                    \
        bool carry;                                                                      \
        __asm__ volatile("lock " text " %2, %0"                                          \
                         : "+m"(*p), "=@ccc"(carry)                                      \
                         : "r"(v)                                                        \
                         : "memory");                                                    \
        return carry;                                                                    \
    }
BINARY(add32, "addl")
BINARY(sub32, "subl")
BINARY(and32, "andl")
BINARY(or32, "orl")
BINARY(xor32, "xorl")
BINARY(bts32, "btsl")
BINARY(btr32, "btrl")
BINARY(btc32, "btcl")

static void not64(uint64_t *p)
{
    __asm__ volatile("lock\n\tnotq %0" : "+m"(*p)::"memory");
}

static uint32_t xadd(uint32_t *p, uint32_t v)
{
    __asm__ volatile("lock ; xadd %0, %1" : "=r"(v), "=m"(*p) : "0"(v) : "memory");
    return v;
}

static uint8_t xchg8(void *p, uint8_t v)
{
    __asm__ volatile("xchgb %b0, %1" : "+q"(v), "+m"(*(char *)p) : : "memory");
    return v;
}

static double xchg_real(double *p, double v)
{
    __asm__ volatile("xchgq %0, %1" : "+m"(*p), "+q"(v) : : "memory");
    return v;
}

static bool cas(uint32_t *p, uint32_t *expected, uint32_t desired)
{
    bool same;
    __asm__ volatile("{lock cmpxchgl %3, %0|lock cmpxchg %0, %3}"
                     : "+m"(*p), "=@ccz"(same), "+a"(*expected)
                     : "r"(desired)
                     : "memory", "cc");
    return same;
}

static bool cas_pair(uint64_t *p, const uint64_t *expected, const uint64_t *desired)
{
    bool same;
    __asm__ volatile("movq 0(%4), %%rax; movq 8(%4), %%rdx;"
                     "lock cmpxchg16b %0; setz %1"
                     : "+m"(*p), "=q"(same)
                     : "b"(desired[0]), "c"(desired[1]), "q"(expected)
                     : "memory", "cc", "%rax", "%rdx");
    return same;
}

static void load_pair(const uint64_t *p, uint64_t *v)
{
    __asm__ volatile("movq %%rdx, %%rcx; movq %%rax, %%rbx; lock cmpxchg16b %2"
                     : "=a"(v[0]), "=d"(v[1])
                     : "m"(*p)
                     : "rbx", "rcx", "memory", "cc");
}

static bool cas_halves(uint64_t *p, uint64_t *expected, uint64_t desired)
{
    uint32_t low = (uint32_t)*expected, high = (uint32_t)(*expected >> 32);
    char same;
    __asm__ volatile("lock; cmpxchg8b %3\n\tsete %0"
                     : "=qm"(same), "+a"(low), "+d"(high), "+m"(*p)
                     : "b"((uint32_t)desired), "c"((uint32_t)(desired >> 32))
                     : "memory", "cc");
    *expected = (uint64_t)high << 32 | low;
    return same;
}

static uint64_t load(const void *p)
{
    uint64_t v;
    __asm__ volatile("movq %1, %0" : "=r"(v) : "m"(*(const char *)p) : "memory");
    return v;
}

static void store(void *p, uint64_t v)
{
    __asm__ volatile("mov %1, %0 ; lock ; orl $0,(%%rsp)"
                     : "=m"(*(uint64_t *)p)
                     : "r"(v)
                     : "memory");
}

/* Not locked: the low byte of a register keeps the others. */
static uint64_t arithmetic(const uint32_t *p, uint64_t v)
{
    uint64_t wide = v;
    __asm__ volatile("movb %1, %b0\n\t"
                     "xorl %%ecx, %%ecx # nothing\n\t"
                     "addl %1, %%ecx\n\t"
                     "notl %%ecx\n\t"
                     "movzbl %%cl, %%ecx\n\t"
                     "addq %%rcx, %0"
                     : "+r"(wide)
                     : "m"(*p)
                     : "rcx", "memory", "cc");
    return wide;
}

static int mask_of_bit(uint32_t *p, long bit)
{
    int mask;
    __asm__ volatile("lock; btsl %2,%1\n\tsbbl %0,%0"
                     : "=r"(mask), "+m"(*p)
                     : "Ir"((int)bit)
                     : "memory", "cc");
    return mask;
}

static void check_unary(void)
{
    word = UINT64_MAX;
    assert(inc8(&word) && word == 0xffffffffffffff00);
    assert(!inc16(&word) && word == 0xffffffffffffff01);
    assert(!dec32(&word) && dec32((char *)&word + 4) == false);
    assert(word == 0xfffffffeffffff00);
    word = UINT64_MAX;
    assert(inc64(&word) && word == 0);
    assert(neg32(&word) && word == 0);
    assert(!inc32(&word) && !neg32(&word) && word == 0xffffffff);
    assert(inc_not_locked(&word) && word == 0);
    not64(&word);
    assert(word == UINT64_MAX);
}

static void check_binary(void)
{
    uint32_t *p = &words[1];
    memset(words, 0, sizeof words);
    assert(!add32(p, 0xfffffff0) && add32(p, 0x10) && *p == 0);
    assert(sub32(p, 1) && *p == 0xffffffff && !sub32(p, 1));
    assert(!and32(p, 0xff) && *p == 0xfe);
    assert(!or32(p, 0x100) && *p == 0x1fe);
    assert(!xor32(p, 0xffff) && *p == 0xfe01);
    assert(bts32(p, 0) && !bts32(p, 1) && *p == 0xfe03);
    assert(btr32(p, 1) && !btr32(p, 1) && *p == 0xfe01);
    assert(btc32(p, 0) && !btc32(p, 0) && *p == 0xfe01);
    /* A bit of another word, and before the first. */
    assert(!bts32(p, 33) && words[2] == 2 && *p == 0xfe01);
    assert(!bts32(p, (uint32_t)-32) && words[0] == 1);
    assert(mask_of_bit(p, 0) == -1 && mask_of_bit(p, 1) == 0 && *p == 0xfe03);
    assert(xadd(p, 2) == 0xfe03 && *p == 0xfe05);
    assert(xchg8(p, 0x77) == 0x05 && *p == 0xfe77);
    assert(arithmetic(p, 0x1234) == 0x1277 + 0x88);
}

static void check_exchange(void)
{
    uint32_t expected = 1;
    words[0] = 5;
    assert(!cas(words, &expected, 9) && expected == 5 && words[0] == 5);
    assert(cas(words, &expected, 9) && expected == 5 && words[0] == 9);
    uint64_t old[2] = {1, 2}, new[2] = {3, 4}, seen[2];
    pair[0] = 1;
    pair[1] = 1;
    assert(!cas_pair(pair, old, new) && pair[0] == 1 && pair[1] == 1);
    pair[1] = 2;
    load_pair(pair, seen);
    assert(seen[0] == 1 && seen[1] == 2);
    assert(cas_pair(pair, old, new) && pair[0] == 3 && pair[1] == 4);
    uint64_t half = 3;
    assert(cas_halves(pair, &half, UINT64_C(7) << 32 | 1) && half == 3);
    assert(!cas_halves(pair, &half, 0) && half == (UINT64_C(7) << 32 | 1));
    real = 1.5;
    assert(xchg_real(&real, 2.5) == 1.5 && real == 2.5);
    store(&word, 77);
    assert(load(&word) == 77);
}

int main(void)
{
    check_unary();
    check_binary();
    check_exchange();
    __asm__ volatile("mfence; lfence; sfence; pause; rep; nop" ::: "memory");
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory");
    __asm__ volatile("" ::: "memory");
    return 0;
}
