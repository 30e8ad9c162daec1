/* SPDX-License-Identifier: Apache-2.0 */
/* The end comes when the last writer has closed: two threads with a copy each.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 10
 * expect: traces 10
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static void *writer(void *arg)
{
    assert(write((int)(intptr_t)arg, "x", 1) == 1);
    assert(close((int)(intptr_t)arg) == 0);
    return NULL;
}

int main(void)
{
    pthread_t a;
    int fds[2];
    char c[4];
    assert(pipe(fds) == 0);
    int copy = dup(fds[1]);
    assert(copy > fds[1]);
    pthread_create(&a, NULL, writer, (void *)(intptr_t)copy);
    close(fds[1]);
    long n = 0, sum = 0;
    while ((n = read(fds[0], c, sizeof c)) > 0)
        sum += n;
    assert(n == 0 && sum == 1);
    pthread_join(a, NULL);
    return 0;
}
