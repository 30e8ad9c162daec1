/* SPDX-License-Identifier: Apache-2.0 */
/* Who reads forgot to close its own writing end: there is no end. Fixed: pipe_end.c.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 6
 * expect: traces 2
 * expect: verdict bug
 * expect: finding deadlock pipe_end_bug.c:32 */
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
    long n = 0, sum = 0;
    while ((n = read(fds[0], c, sizeof c)) > 0)
        sum += n;
    pthread_join(a, NULL);
    return 0;
}
