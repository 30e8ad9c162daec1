/* SPDX-License-Identifier: Apache-2.0 */
/* What a header declares as constant may be a variable elsewhere.
 * treadle:
 * expect: verdict bug
 * expect: finding race extern_const.c:14 extern_const.c:20 */
#include <pthread.h>

extern const int limit __asm__("limit_of_us");
int own_limit __asm__("limit_of_us");
static int seen;

static void *one(void *p)
{
    seen = limit;
    return p;
}

static void *two(void *p)
{
    own_limit = 2;
    return p;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
