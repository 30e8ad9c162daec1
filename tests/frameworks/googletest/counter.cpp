// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "body.h"

TEST(Counter, Passes)
{
    EXPECT_EQ(twice(add), 2);
}

TEST(Counter, Fails)
{
    EXPECT_EQ(twice(lose), 2);
}

TEST(Counter, Sequential)
{
    EXPECT_EQ(1 + 1, 2);
}

TEST(Counter, Races)
{
    EXPECT_EQ(twice(race), 2);
}
