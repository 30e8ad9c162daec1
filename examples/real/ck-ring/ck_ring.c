/* SPDX-License-Identifier: Apache-2.0
 * A ring with one place: two producers, and main takes what comes. What goes in comes out, once. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include <ck_ring.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[2];
static int values[2];
static bool is_in[2];

static void *put(void *arg)
{
    int i = (int)((int *)arg - values);
    values[i] = 1 + i;
    is_in[i] = ck_ring_enqueue_mpmc(&ring, buffer, arg);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int *value = NULL;
    int n_taken = 0;
    ck_ring_init(&ring, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, put, &values[i]);
    for (int i = 0; i < 2; i++)
        if (ck_ring_dequeue_mpmc(&ring, buffer, &value)) {
            assert(*value == 1 + (value - values)); /* it was written before */
            *value = 0;
            n_taken++;
        }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    while (ck_ring_dequeue_mpmc(&ring, buffer, &value))
        n_taken++;
    assert(n_taken == is_in[0] + is_in[1] && n_taken > 0);
    return 0;
}
