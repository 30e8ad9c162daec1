/* SPDX-License-Identifier: Apache-2.0 */
/* sem_trywait again as long as errno says so; nobody posts a second time.
 *
 * treadle: --search=all
 * args: 1
 * expect: runs 3
 * expect: traces 2
 * expect: verdict complete
 * treadle:
 * args: 1
 * expect: runs 2
 * expect: events 7
 * expect: verdict complete
 * treadle: --search=all
 * args: 2
 * expect: runs 1
 * expect: traces 1
 * expect: verdict bug
 * expect: finding livelock loop_sem_errno.c:36
 * treadle:
 * args: 2
 * expect: runs 1
 * expect: events 5
 * expect: verdict bug
 * expect: finding livelock loop_sem_errno.c:36 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t s;

static void *taker(void *arg)
{
    for (int n = *(int *)arg; n > 0; n--)
        while (sem_trywait(&s) != 0 && errno == EAGAIN) {
        }
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, taker, &n);
    sem_post(&s);
    pthread_join(t, NULL);
    return 0;
}
