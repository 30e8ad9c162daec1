/* SPDX-License-Identifier: Apache-2.0 */
/* The first of two stores in one section is never seen; the section is complete when its last is. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int a0, a1;
static pthread_t other;

static void *t1(void *arg)
{
    (void)arg;
    (void)atomic_load(&a0);
    atomic_store(&a1, 1);
    return NULL;
}

int main(void)
{
    pthread_create(&other, NULL, t1, NULL);
    __VERIFIER_atomic_begin();
    atomic_store(&a0, 1);
    atomic_store(&a0, 2);
    (void)atomic_load(&a1);
    __VERIFIER_atomic_end();
    return 0;
}
