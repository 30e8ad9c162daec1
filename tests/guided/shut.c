/* SPDX-License-Identifier: Apache-2.0 */
/* A lost update behind branches that no drawn input opens: a number, and four letters in a row. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>

static atomic_int counter, opened;

static int is_open(void)
{
    const char word[] = "LOOM";
    unsigned char text[4];
    treadle_symbolic(text, sizeof text, "text");
    for (int i = 0; i < 4; i++)
        if (text[i] != word[i])
            return 0;
    return treadle_int("number") * 3 == 370368;
}

static void *add(void *arg)
{
    if (!opened)
        return arg;
    int seen = counter;
    counter = seen + 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    opened = is_open();
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(!opened || counter == 2);
    return 0;
}
