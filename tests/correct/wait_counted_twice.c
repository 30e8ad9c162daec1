/* SPDX-License-Identifier: Apache-2.0 */
/* Two functions give up after some rounds, which they count in a variable of the thread.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static _Thread_local int tries;

static void *first(void *arg)
{
    while (!atomic_load(&flag))
        if (++tries > 3)
            break;
    return arg;
}

static void *second(void *arg)
{
    while (!atomic_load(&flag))
        if (++tries > 2)
            break;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
