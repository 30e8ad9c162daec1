/* SPDX-License-Identifier: Apache-2.0 */
#include <glib.h>

#include "body.h"

static void passes(void)
{
    g_assert_cmpint(twice(add), ==, 2);
}

static void fails(void)
{
    g_assert_cmpint(twice(lose), ==, 2);
}

static void races(void)
{
    g_assert_cmpint(twice(race), ==, 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/counter/passes", passes);
    g_test_add_func("/counter/fails", fails);
    g_test_add_func("/counter/races", races);
    return g_test_run();
}
