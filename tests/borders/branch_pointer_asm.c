/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly exchanges a pointer, which becomes an address.
 *
 * treadle: --goal=branches
 * expect: verdict bug
 * expect: finding assert branch_pointer_asm.c:37
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct n {
    int v;
    struct n *next;
};
static struct n a = {0, 0}, b = {1, 0};
static struct n *head = &a;
static int out;
static struct n *xchg(struct n **p, struct n *v)
{
    unsigned long r = (unsigned long)v;
    __asm__ __volatile__("xchgq %0, %1" : "=r"(r), "+m"(*p) : "0"(r) : "memory");
    return (struct n *)r;
}
static void *w(void *x)
{
    __atomic_store_n(&head, &b, 5);
    return x;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    struct n *h = xchg(&head, 0);
    h->next = &a;
    pthread_join(t, 0);
    assert(a.next == &a);
    return 0;
}
