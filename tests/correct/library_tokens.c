/* SPDX-License-Identifier: Apache-2.0 */
/* strtok_r keeps what it knows in a variable of the thread.
 *
 * treadle:
 * expect: verdict complete */
#include <string.h>

#include "threads.h"

static void *body(void *arg)
{
    char text[] = "a,b", *rest;
    char *first = strtok_r(text, ",", &rest), *second = strtok_r(NULL, ",", &rest);
    assert(*first == 'a' && *second == 'b');
    return arg;
}

int main(void)
{
    run_threads(2, body);
    return 0;
}
