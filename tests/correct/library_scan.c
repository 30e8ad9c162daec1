/* SPDX-License-Identifier: Apache-2.0 */
/* sscanf into variables of the thread, from a text that was published under a lock.
 *
 * treadle:
 * expect: verdict complete */
#include <stdio.h>
#include <string.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[16] = "1 2";

static void *writer(void *arg)
{
    pthread_mutex_lock(&lock);
    strcpy(text, "3 4");
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *reader(void *arg)
{
    int a = 0, b = 0;
    pthread_mutex_lock(&lock);
    int n = sscanf(text, "%d %d", &a, &b);
    pthread_mutex_unlock(&lock);
    assert(n == 2 && b == a + 1);
    return arg;
}

int main(void)
{
    run_two(writer, reader);
    return 0;
}
