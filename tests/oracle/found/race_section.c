/* SPDX-License-Identifier: Apache-2.0 */
/* A section orders nothing outside of sections: three accesses race in pairs. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int d0;
static pthread_t handle[6];

static void *t2(void *arg)
{
    (void)arg;
    d0 = 1;
    return (void *)(intptr_t)(0);
}

static void *t1(void *arg)
{
    (void)arg;
    __VERIFIER_atomic_begin();
    d0 = 1;
    __VERIFIER_atomic_end();
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_create(&handle[1], NULL, t1, (void *)1);
    pthread_create(&handle[3], NULL, t2, (void *)3);
    d0 += 1;
    return 0;
}
