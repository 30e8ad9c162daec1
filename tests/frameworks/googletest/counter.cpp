// SPDX-License-Identifier: Apache-2.0
#include <cstring>
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

/* Assertions in threads and beside them. */
static const char *const text = "text";

static void *expect(void *arg)
{
    EXPECT_EQ(strlen(text), 4u);
    EXPECT_STREQ(text, "text");
    EXPECT_NEAR(0.5, 0.6, 0.2);
    return add(arg);
}

TEST(Counter, Beside)
{
    pthread_t a;
    n = 0;
    pthread_create(&a, NULL, expect, NULL);
    EXPECT_LT(0, 1) << "is not told";
    ASSERT_TRUE(text);
    EXPECT_NO_THROW(expect(NULL));
    pthread_join(a, NULL);
    EXPECT_EQ(n, 2);
}

static char name[8] = "old";

static void *rename(void *arg)
{
    return strcpy(name, "new");
}

TEST(Counter, ExpectRaces)
{
    pthread_t a;
    pthread_create(&a, NULL, rename, NULL);
    EXPECT_STRNE(name, "");
    pthread_join(a, NULL);
}
