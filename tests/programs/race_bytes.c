/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbouring bytes are different memory: no race.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, create C, join A, join B, join C, exit
 * model: A:
 * model: B:
 * model: C: */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static char text[8];
static short half[4];

static void *worker(void *arg)
{
    int i = (int)(intptr_t)arg;
    text[i] = 'a';
    half[i] = (short)i;
    text[i + 3]++;
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(text[2] == 'a' && text[5] == 1 && half[2] == 2);
    return 0;
}
