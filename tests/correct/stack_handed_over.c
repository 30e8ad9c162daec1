/* SPDX-License-Identifier: Apache-2.0 */
/* A thread works on an array of its creator, which looks at it after the join.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static void *body(void *arg)
{
    int *numbers = arg;
    for (int i = 0; i < 4; i++)
        numbers[i] = i;
    return arg;
}

int main(void)
{
    int numbers[4] = {0};
    pthread_t t;
    pthread_create(&t, NULL, body, numbers);
    pthread_join(t, NULL);
    assert(numbers[3] == 3);
    return 0;
}
