/* SPDX-License-Identifier: Apache-2.0 */
/* A structure is filled, published with release, and passed on by value by who acquired it.
 *
 * treadle:
 * expect: verdict complete */
#include <stdatomic.h>

#include "threads.h"

struct message {
    long words[5];
};

static struct message message;
static atomic_int ready;

static __attribute__((noinline)) long last_of(struct message m)
{
    return m.words[4];
}

static void *writer(void *arg)
{
    message.words[4] = 7;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(last_of(message) == 7);
    return arg;
}

int main(void)
{
    run_two(writer, reader);
    return 0;
}
