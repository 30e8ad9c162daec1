/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers run at pthread_exit, newest first, and where they are popped to be run.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 7
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 1
 * expect: events 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle: --search=all
 * cflags: -fexceptions
 * expect: runs 1
 * expect: events 7
 * expect: traces 1
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int trail[4], n;

static void leave(void *p)
{
    trail[n++] = *(int *)p;
}

static void inner(int ends)
{
    static int two = 2, three = 3;
    pthread_cleanup_push(leave, &two);
    pthread_cleanup_push(leave, &three);
    if (ends)
        pthread_exit(&two);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
}

static void *worker(void *arg)
{
    static int one = 1;
    pthread_cleanup_push(leave, &one);
    inner(arg != NULL);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, &value);
    assert(value == NULL && n == 1 && trail[0] == 2);
    pthread_create(&t, NULL, worker, &t);
    pthread_join(t, &value);
    assert(value != NULL && n == 4 && trail[1] == 3 && trail[2] == 2 && trail[3] == 1);
    return 0;
}
