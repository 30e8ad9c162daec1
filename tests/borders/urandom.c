/* SPDX-License-Identifier: Apache-2.0 */
/* What is read from the system's random numbers is the same in every run.
 *
 * treadle: -k
 * expect: verdict complete */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_uint x[2];

static void *draw(void *arg)
{
    unsigned number;
    int fd = open("/dev/urandom", O_RDONLY);
    assert(fd >= 0 && read(fd, &number, sizeof number) == sizeof number);
    close(fd);
    atomic_store(&x[0], number);
    if (number % 2)
        atomic_fetch_add(&x[1], 1);
    return arg;
}

static void *draw_stream(void *arg)
{
    unsigned number;
    FILE *f = fopen("/dev/urandom", "r");
    assert(f && fread(&number, sizeof number, 1, f) == 1);
    fclose(f);
    atomic_store(&x[1], number);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, draw, NULL);
    pthread_create(&b, NULL, draw_stream, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
