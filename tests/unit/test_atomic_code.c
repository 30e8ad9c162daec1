/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/atomic_code.h: instructions one after the other, with an atomic one among them or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/posix/atomic_code.h"

#if defined(__x86_64__)

#define SAYS(expected, ...)                                                              \
    do {                                                                                 \
        const uint8_t code[] = {__VA_ARGS__, 0xc3};                                      \
        assert_int_equal(rt_code_synchronises(code, sizeof code), expected);             \
    } while (0)

static void test_atomic(void **state)
{
    (void)state;
    SAYS(1, 0xf0, 0x0f, 0xb1, 0x15, 1, 2, 3, 4);       /* lock cmpxchg */
    SAYS(1, 0x31, 0xc0, 0xf0, 0x48, 0xff, 0x47, 0x08); /* xor; lock incq */
    SAYS(1, 0x87, 0x07);                               /* xchg %eax,(%rdi) */
    SAYS(1, 0x0f, 0xae, 0xf0);                         /* mfence */
    SAYS(1, 0x0f, 0x05);                               /* syscall */
}

static void test_plain(void **state)
{
    (void)state;
    SAYS(0, 0xf3, 0x0f, 0x1e, 0xfa);                            /* endbr64 */
    SAYS(0, 0x87, 0xc7);                                        /* xchg %eax,%edi */
    SAYS(0, 0x48, 0xb8, 0xf0, 0x87, 0x07, 0x0f, 0x05, 0, 0, 0); /* movabs: a number */
    SAYS(0, 0xc7, 0x44, 0x24, 0xf0, 0xf0, 0x0f, 0xb1, 0x15);    /* movl to -16(%rsp) */
    SAYS(0, 0xe8, 0xf0, 0x0f, 0x05, 0x87);                      /* call */
    SAYS(0, 0xf7, 0x05, 1, 2, 3, 4, 0xf0, 0xf0, 0xf0, 0xf0);    /* testl with a number */
    SAYS(0, 0xc5, 0xf9, 0x70, 0xc0, 0xf0);                      /* vpshufd */
    SAYS(0, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0xf0, 0x87, 0x07, 0); /* nop */
    SAYS(0, 0x66, 0xc7, 0x07, 0xf0, 0x0f);                         /* movw */
}

static void test_unknown(void **state)
{
    (void)state;
    SAYS(1, 0x06);                               /* there is no such instruction */
    const uint8_t cut[] = {0x48, 0x8b, 0x84, 1}; /* ends in the middle */
    assert_true(rt_code_synchronises(cut, sizeof cut));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atomic),
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 77; /* not tried elsewhere */
}

#endif
