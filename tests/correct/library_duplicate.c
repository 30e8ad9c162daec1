/* SPDX-License-Identifier: Apache-2.0 */
/* strdup and asprintf: memory of the thread that asked for it.
 *
 * treadle:
 * expect: verdict complete */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "threads.h"

static void *body(void *arg)
{
    char *copy = strdup("text"), *made = NULL;
    assert(asprintf(&made, "%s%d", copy, number_of(arg)) == 5);
    assert(made[4] == '0' + number_of(arg));
    free(copy);
    free(made);
    return arg;
}

int main(void)
{
    run_threads(2, body);
    return 0;
}
