/* SPDX-License-Identifier: Apache-2.0 */
/* An input inside a structure that is passed by value.
 *
 * treadle:
 * expect: verdict complete */
#include <treadle.h>

#include "threads.h"

struct packet {
    int words[8];
};

static __attribute__((noinline)) int low_bits(struct packet p)
{
    return p.words[6] & 3;
}

static void *body(void *arg)
{
    struct packet p = {{0}};
    p.words[6] = (int)treadle_bits(4, "word");
    assert(low_bits(p) <= 3 && low_bits(p) == p.words[6] % 4);
    return arg;
}

int main(void)
{
    run_threads(1, body);
    return 0;
}
