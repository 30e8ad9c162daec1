/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors that are left open do not disturb the next run: the numbers are those of the order in
 * which two threads come.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 2
 * expect: traces 2
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int one[2], two[2], three[2];

static void *opens(void *arg)
{
    assert(pipe(two) == 0);
    return arg;
}

int main(void)
{
    pthread_t a;
    assert(pipe(one) == 0);
    pthread_create(&a, NULL, opens, NULL);
    assert(pipe(three) == 0);
    pthread_join(a, NULL);
    assert(two[0] == one[0] + 2 || three[0] == one[0] + 2);
    assert(two[0] == one[0] + 4 || three[0] == one[0] + 4);
    return 0;
}
