/* SPDX-License-Identifier: Apache-2.0 */
/* A number is loaded and becomes an address.
 *
 * treadle: --goal=branches
 * expect: verdict bug
 * expect: finding assert branch_pointer_cast.c:29
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct n {
    int v;
};
static struct n a = {0}, b = {1};
static uintptr_t head;
static void *w(void *x)
{
    __atomic_store_n(&head, (uintptr_t)&b, 5);
    return x;
}
int main(void)
{
    pthread_t t;
    head = (uintptr_t)&a;
    pthread_create(&t, 0, w, 0);
    struct n *h = (struct n *)__atomic_load_n(&head, 5);
    assert(h->v == 0);
    pthread_join(t, 0);
    return 0;
}
