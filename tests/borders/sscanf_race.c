/* SPDX-License-Identifier: Apache-2.0 */
/* Both threads write the variable: one by sscanf.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race sscanf_race.c:24 sscanf_race.c:16
 */
#define _GNU_SOURCE 1
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int g;
static void *f(void *a)
{
    g = g + 1;
    return a;
}
int main(void)
{
    pthread_t t;
    int n;
    pthread_create(&t, 0, f, 0);
    n = sscanf("5", "%d", &g);
    pthread_join(t, 0);
    assert(n == 1);
    assert(g != 6);
    return 0;
}
