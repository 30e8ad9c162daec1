/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <treadle.h>

static atomic_int a0;
static pthread_t handle[6];

static void *t1(void *arg)
{
    int r0 = 0;
    (void)arg;
    r0 = atomic_load(&a0);
    assert(r0 != 2);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    int r0 = 0;
    r0 = (int)treadle_bits(2, "x1");
    pthread_create(&handle[1], NULL, t1, (void *)1);
    atomic_store(&a0, r0);
    return 0;
}

/* Reduced from program 18 of seed 5:
 *   assert: only all: assert-9b58 input_written.c:20 assertion 'r0 != 2' failed
 * treadle: --spurious=0
 * treadle cc -g -pthread input_written.c -o input_written
 * treadle run -k --search=all --runs=20000 -- ./input_written
 * treadle run -k --search=product -- ./input_written */
