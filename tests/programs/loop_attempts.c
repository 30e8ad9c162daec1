/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that counts its attempts on the stack, through a pointer, and sleeps after each third:
 * all of it repeats after three rounds. The sleep is a poll or a select of nothing. With an argument
 * nobody sets the flag. Six rounds are run before that is known, the last of them in vain: a blocked run.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 7
 * hand: 0
 * treadle: --search=all
 * expect: verdict complete
 * expect: traces 7
 * treadle:
 * args: x
 * expect: verdict bug
 * expect: finding livelock loop_attempts.c:45 */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/select.h>

static atomic_int flag;

static void rest(int *attempt)
{
    struct timeval t = {.tv_usec = 10};
    if (++*attempt < 3)
        return;
    poll(NULL, 0, 10);
    select(0, NULL, NULL, NULL, &t);
    *attempt = 0;
}

static void *set(void *arg)
{
    if (!arg)
        atomic_store(&flag, 1);
    return arg;
}

static void wait_for_flag(void)
{
    int attempt = 0;
    while (!atomic_load(&flag))
        rest(&attempt);
}

int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, NULL, set, argc > 1 ? argv[1] : NULL);
    wait_for_flag();
    pthread_join(t, NULL);
    return 0;
}
