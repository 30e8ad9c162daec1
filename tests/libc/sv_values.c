/* SPDX-License-Identifier: Apache-2.0 */
/* As verifiers want it: a value of every type.
 *
 * run: -k
 * verdict: incomplete
 * decisions: 10 */
#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern size_t __VERIFIER_nondet_size_t(void);
extern void *__VERIFIER_nondet_pointer(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_nondet_memory(void *object, size_t size);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_error(void);

int main(void)
{
    unsigned char block[6];
    unsigned long sum = 0;
    if (__VERIFIER_nondet_bool())
        sum += 1;
    if (__VERIFIER_nondet_char() == 'x')
        sum += 2;
    if (__VERIFIER_nondet_uchar() > 100)
        sum += 4;
    if (__VERIFIER_nondet_short() < 0)
        sum += 8;
    if (__VERIFIER_nondet_ushort() > 1000)
        sum += 16;
    if (__VERIFIER_nondet_int() == 77)
        sum += 32;
    if (__VERIFIER_nondet_uint() == 78)
        sum += 64;
    if (__VERIFIER_nondet_long() < 5)
        sum += 128;
    if (__VERIFIER_nondet_ulong() < 5)
        sum += 256;
    if (__VERIFIER_nondet_longlong() ^ (long long)__VERIFIER_nondet_ulonglong())
        sum += 512;
    if (__VERIFIER_nondet_pointer() == 0 && __VERIFIER_nondet_size_t() == 0)
        sum += 1024;
    if (__VERIFIER_nondet_double() > 0.5)
        sum += 2048;
    __VERIFIER_nondet_memory(block, sizeof block);
    __VERIFIER_assume(block[0] != 0);
    if (sum > 4096)
        __VERIFIER_error();
    return 0;
}
