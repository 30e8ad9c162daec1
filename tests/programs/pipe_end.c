/* SPDX-License-Identifier: Apache-2.0 */
/* The end comes when the last writer has closed: two threads with a copy each. If main closes
 * last it finds the byte and the end; else the byte and the end come each before a read, while it
 * waits, or, the byte, both: 1 + 6 traces.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 19
 * expect: traces 7
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static int data;

static void *writer(void *arg)
{
    assert(write((int)(intptr_t)arg, "x", 1) == 1);
    data = 1;
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
    assert(n == 0 && sum == 1 && data == 1);
    pthread_join(a, NULL);
    return 0;
}
