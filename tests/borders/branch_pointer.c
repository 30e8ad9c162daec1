/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic pointer is loaded as a number; which node it is decides the assertion.
 *
 * treadle: --goal=branches
 * expect: verdict bug
 * expect: finding assert branch_pointer.c:27
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct n {
    int v;
};
static struct n a = {0}, b = {1};
static _Atomic(struct n *) head = &a;
static void *w(void *x)
{
    atomic_store(&head, &b);
    return x;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    struct n *h = atomic_load(&head);
    assert(h->v == 0);
    pthread_join(t, 0);
    return 0;
}
