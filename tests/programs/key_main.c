/* SPDX-License-Identifier: Apache-2.0 */
/* Values of main: a return from main calls no destructor, pthread_exit does.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 1
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle: --search=all
 * args: exit
 * expect: runs 1
 * expect: events 4
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * args: exit
 * expect: runs 1
 * expect: events 1
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int n;

static void count(void *p)
{
    *(int *)p += 1;
}

static void *last(void *arg)
{
    pthread_join(*(pthread_t *)arg, NULL);
    assert(n == 1);
    exit(0);
}

int main(int argc, char **argv)
{
    static pthread_t self, t;
    pthread_key_create(&key, count);
    pthread_setspecific(key, &n);
    if (argc < 2)
        return argv == NULL;
    self = pthread_self();
    pthread_create(&t, NULL, last, &self);
    pthread_exit(NULL);
}
