/* SPDX-License-Identifier: Apache-2.0 */
/* What functions of the library keep between calls is shared: one thread's call is no longer there for
 * another's.
 *
 * treadle:
 * args: time
 * expect: verdict bug
 * expect: finding race library_states.c:40
 *
 * treadle:
 * args: digits
 * expect: verdict bug
 * expect: finding race library_states.c:43
 *
 * treadle:
 * args: user
 * expect: verdict bug
 * expect: finding race library_states.c:46
 *
 * treadle:
 * args: table
 * expect: verdict bug
 * expect: finding race library_states.c:49 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <pwd.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *what;
static void *work(void *arg)
{
    time_t now = 0;
    int point, sign;
    volatile double half = 0.5;
    switch (what[0] + what[1]) {
    case 't' + 'i':
        localtime(&now);
        break;
    case 'd' + 'i':
        ecvt(half, 3, &point, &sign);
        break;
    case 'u' + 's':
        getpwuid(0);
        break;
    case 't' + 'a':
        hcreate(4);
        break;
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    what = argc > 1 ? argv[1] : "time";
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
