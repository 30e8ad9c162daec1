/* SPDX-License-Identifier: Apache-2.0 */
/* fix: none
 * idea: the sum is wrong in every schedule */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *add(void *arg)
{
    atomic_fetch_add(&sum, 2);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 5);
    return 0;
}
