/* SPDX-License-Identifier: Apache-2.0 */
/* Results go up through joins, two deep and two wide.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static void *body(void *arg)
{
    pthread_t t[2];
    void *results[2] = {NULL, NULL};
    int left = number_of(arg);
    for (int i = 0; left > 0 && i < 2; i++)
        pthread_create(&t[i], NULL, body, (void *)(intptr_t)(left - 1));
    for (int i = 0; left > 0 && i < 2; i++)
        pthread_join(t[i], &results[i]);
    return (void *)(intptr_t)(1 + number_of(results[0]) + number_of(results[1]));
}

int main(void)
{
    assert(number_of(body((void *)2)) == 7);
    return 0;
}
