/* SPDX-License-Identifier: Apache-2.0 */
/* A flag that orders threads by atomic instructions, which nobody sees; and one that does not. */
#include <stdatomic.h>

static atomic_int flag;
static volatile int plain;

void publish(void)
{
    atomic_exchange(&flag, 1);
}

int is_published(void)
{
    int one = 1;
    return atomic_compare_exchange_strong(&flag, &one, 1);
}

void touch(void)
{
    plain++;
}
