/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "body.h"

static void counts(void **state)
{
    (void)state;
    (void)add;
    (void)lose;
    (void)race;
    assert_int_equal(twice(F), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
