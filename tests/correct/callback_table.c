/* SPDX-License-Identifier: Apache-2.0 */
/* Functions from a table of pointers, chosen by the number of the thread; each has its own cell.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static int cells[2];

static void set_first(int value)
{
    cells[0] = value;
}

static void set_second(int value)
{
    cells[1] = value;
}

static void (*const setters[2])(int) = {set_first, set_second};

static void *body(void *arg)
{
    setters[number_of(arg)](number_of(arg) + 1);
    return arg;
}

int main(void)
{
    run_threads(2, body);
    assert(cells[0] == 1 && cells[1] == 2);
    return 0;
}
