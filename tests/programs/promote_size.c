/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of each size, and bits, are promoted.
 *
 * treadle: -k
 * expect: verdict bug
 * expect: finding race promote_size.c:25 promote_size.c:39
 * expect: finding race promote_size.c:26 promote_size.c:40
 * expect: finding race promote_size.c:27 promote_size.c:41
 * expect: finding race promote_size.c:28 promote_size.c:42
 * expect: finding race promote_size.c:29 promote_size.c:43 */
#include <pthread.h>
#include <stdint.h>

static struct sizes {
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    double number;
} s;
static volatile double sink;

static void *worker(void *arg)
{
    s.one = 1;
    s.two = 2;
    s.four = 4;
    s.eight = 8;
    s.number = 0.5;
    return arg;
}

int main(void)
{
    pthread_t t;
    double sum = 0;
    pthread_create(&t, NULL, worker, NULL);

    sum += s.one;
    sum += s.two;
    sum += s.four;
    sum += (double)s.eight;
    sum += s.number;
    sink = sum;
    pthread_join(t, NULL);
    return 0;
}
