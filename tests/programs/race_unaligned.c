/* SPDX-License-Identifier: Apache-2.0 */
/* Two unaligned words that share one byte across a boundary of eight.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_unaligned.c:18 race_unaligned.c:26 */
#include <pthread.h>
#include <stdint.h>

static struct {
    char pad[5];
    uint32_t low; /* bytes 5 to 8 */
    char more[7];
} __attribute__((packed, aligned(8))) s;

static void *worker(void *arg)
{
    s.low = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    ((volatile char *)&s)[8] = 2;
    pthread_join(t, NULL);
    return 0;
}
