/* SPDX-License-Identifier: Apache-2.0 */
/* A bit of a pointer is looked at, then what it points to.
 *
 * treadle: --goal=branches
 * expect: verdict bug
 * expect: finding assert branch_pointer_bit.c:35
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct n {
    int v;
};
static struct n a = {0}, b = {1};
static struct n *head = &a;
static void *w(void *x)
{
    __atomic_store_n(&head, &b, 5);
    return x;
}
static int empty(struct n *h)
{
    return h == NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    struct n *h = __atomic_load_n(&head, 5);
    if ((uintptr_t)h & 1)
        return 0;
    assert(h->v == 0);
    pthread_join(t, 0);
    return 0;
}
