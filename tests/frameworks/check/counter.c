/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>

#include "body.h"

START_TEST(counts)
{
    (void)add;
    (void)lose;
    (void)race;
    ck_assert_int_eq(twice(F), 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("counter");
    TCase *c = tcase_create("counts");
    tcase_add_test(c, counts);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
