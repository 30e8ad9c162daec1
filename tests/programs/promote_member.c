/* SPDX-License-Identifier: Apache-2.0 */
/* One thread assigns a structure, another one of its members, and main reads all of it: accesses of one size,
 * so that every order is explored.
 *
 * treadle: -k
 * agree: -k --search=all
 * expect: verdict bug
 * expect: runs 25
 * expect: finding race promote_member.c:24 promote_member.c:39
 * expect: finding race promote_member.c:24 promote_member.c:30
 * expect: finding race promote_member.c:30 promote_member.c:39 */
#include <pthread.h>

struct pair {
    int count;
    short low, high;
};

static struct pair shared;

static void *assigns(void *arg)
{
    struct pair fresh = {1, 2, 3};
    shared = fresh;
    return arg;
}

static void *changes(void *arg)
{
    shared.high = 7;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, assigns, NULL);
    pthread_create(&b, NULL, changes, NULL);
    struct pair mine = shared;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return mine.count == 5;
}
