/* SPDX-License-Identifier: Apache-2.0 */
/* A block copy over what another thread writes.
 *
 * treadle: --search=all
 * args: copy
 * expect: verdict bug
 * expect: finding race race_memcpy.c:29 race_memcpy.c:38
 *
 * treadle: --search=all
 * args: set
 * expect: verdict bug
 * expect: finding race race_memcpy.c:29 race_memcpy.c:40
 *
 * treadle: --search=all
 * args: assign
 * expect: verdict bug
 * expect: finding race race_memcpy.c:29 race_memcpy.c:42 */
#include <pthread.h>
#include <string.h>

struct record {
    int field[50];
};

static struct record from, to;

static void *writer(void *arg)
{
    to.field[42] = 1;
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (argv[argc - 1][0] == 'c')
        memcpy(&to, &from, sizeof to);
    else if (argv[argc - 1][0] == 's')
        memset(&to, 0, sizeof to);
    else
        to = from;
    pthread_join(t, NULL);
    return 0;
}
