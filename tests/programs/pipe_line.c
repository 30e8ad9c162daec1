/* SPDX-License-Identifier: Apache-2.0 */
/* Three threads in a line, two messages: pipes are independent of each other. In each, two writes
 * come before, between or behind two reads, which wait if they have to: 6 orders, so 36 traces.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: traces 36
 * expect: verdict complete
 *
 * treadle: -k
 * expect: runs 36
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int to[2], from[2];

static void *first(void *arg)
{
    assert(write(to[1], "a", 1) == 1);
    assert(write(to[1], "b", 1) == 1);
    return arg;
}

static void *second(void *arg)
{
    char c;
    for (int i = 0; i < 2; i++)
        assert(read(to[0], &c, 1) == 1 && write(from[1], &c, 1) == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    char c[2];
    assert(pipe(to) == 0 && pipe(from) == 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    assert(read(from[0], &c[0], 1) == 1 && read(from[0], &c[1], 1) == 1);
    assert(c[0] == 'a' && c[1] == 'b');
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
