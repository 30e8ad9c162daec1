/* SPDX-License-Identifier: Apache-2.0 */
/* The environment is a state of the library: getenv and setenv at once are a data race.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race env_shared.c:15 env_shared.c:20
 */
#define _GNU_SOURCE 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *a(void *p)
{
    setenv("ZZ", "1", 1);
    return 0;
}
static void *b(void *p)
{
    assert(!getenv("ZZ"));
    return 0;
}
int main(void)
{
    unsetenv("ZZ");
    pthread_t t, u;
    pthread_create(&t, 0, b, 0);
    pthread_create(&u, 0, a, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
