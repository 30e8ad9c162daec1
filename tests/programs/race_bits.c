/* SPDX-License-Identifier: Apache-2.0 */
/* Two bit-fields of one word: writing one rewrites the other.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_bits.c:16 race_bits.c:24 */
#include <pthread.h>

static struct {
    unsigned ready : 1;
    unsigned count : 7;
} s;

static void *worker(void *arg)
{
    s.ready = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    s.count = 5;
    pthread_join(t, NULL);
    return 0;
}
