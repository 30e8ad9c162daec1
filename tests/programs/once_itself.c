/* SPDX-License-Identifier: Apache-2.0 */
/* An initialisation that waits for itself.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 1
 * expect: verdict bug
 * expect: finding deadlock once_itself.c:23
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 1
 * expect: verdict bug
 * expect: finding deadlock once_itself.c:23 */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int n;

static void make(void)
{
    n++;
    pthread_once(&once, make);
}

int main(void)
{
    pthread_once(&once, make);
    return n - 1;
}
