/* SPDX-License-Identifier: Apache-2.0 */
/* Two loads in one section see the same value. */
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
    atomic_store(&a0, 1);
    return NULL;
}

int main(void)
{
    pthread_create(&other, NULL, t1, NULL);
    __VERIFIER_atomic_begin();
    (void)atomic_load(&a0);
    (void)atomic_load(&a0);
    __VERIFIER_atomic_end();
    return 0;
}
