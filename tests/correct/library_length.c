/* SPDX-License-Identifier: Apache-2.0 */
/* strlen, strcmp and strchr read a text up to its end: what comes after it is another thread's.
 *
 * treadle:
 * expect: verdict complete */
#include <string.h>

#include "threads.h"

static char text[8] = "abc";

static void *reads(void *arg)
{
    assert(strlen(text) == 3 && strcmp(text, "abc") == 0 &&
           strchr(text, 'c') == text + 2);
    return arg;
}

static void *writes(void *arg)
{
    text[4] = 'x';
    return arg;
}

int main(void)
{
    run_two(reads, writes);
    return 0;
}
