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

static pthread_t handle[6];

static void *t1(void *arg)
{
    int r0 = 0;
    (void)arg;
    r0 = (int)treadle_bits(1, "x2");
    return (void *)(intptr_t)(r0 + 1);
}

int main(void)
{
    int r0 = 0;
    void *result = NULL;
    pthread_create(&handle[1], NULL, t1, (void *)1);
    pthread_join(handle[1], &result);
    r0 = (int)(intptr_t)result;
    assert(r0 == 1);
    return 0;
}

/* Reduced from program 44 of seed 5:
 *   assert: only all: assert-eb01 input_result.c:29 assertion 'r0 == 1' failed
 * treadle: --spurious=0
 * treadle cc -g -pthread input_result.c -o input_result
 * treadle run -k --search=all --runs=20000 -- ./input_result
 * treadle run -k --search=product -- ./input_result */
