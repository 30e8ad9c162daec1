/* SPDX-License-Identifier: Apache-2.0 */
/* The loop reads more than an operation can.
 *
 * treadle:
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding race spin_struct.c:21 spin_struct.c:31 */
#include <pthread.h>
#include <string.h>

struct big {
    long first, more[6], last;
};

static struct big shared;

static void *f(void *a)
{
    struct big mine;
    do {
        memcpy(&mine, &shared, sizeof mine);
        __asm__ volatile("" : : "r"(&mine) : "memory");
    } while (mine.last == 0);
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    shared.last = 1;
    pthread_join(t, NULL);
    return 0;
}
