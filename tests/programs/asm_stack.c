/* SPDX-License-Identifier: Apache-2.0 */
/* A stack without locks, by assembly. The top is compared alone, and a node that was taken and put
 * back meanwhile is taken for unchanged; with a count beside it, by cmpxchg16b, it is not. FIXED.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert asm_stack.c:72
 *
 * treadle:
 * cflags: -DFIXED
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct node {
    struct node *next;
};
struct top {
    struct node *first;
    uint64_t count;
} __attribute__((aligned(16)));

static struct node nodes[2];
static struct top top;
static int taken[2];

static struct node *load(struct node *const *p)
{
    struct node *v;
    __asm__ volatile("movq %1, %0" : "=q"(v) : "m"(*p) : "memory");
    return v;
}

static void store(struct node **p, struct node *v)
{
    __asm__ volatile("movq %1, %0" : "=m"(*p) : "q"(v) : "memory");
}

static bool exchange(struct top *old, struct node *first)
{
    bool same;
#ifdef FIXED
    __asm__ volatile("lock; cmpxchg16b %0; setz %1"
                     : "+m"(top), "=q"(same), "+a"(old->first), "+d"(old->count)
                     : "b"(first), "c"(old->count + 1)
                     : "memory", "cc");
#else
    __asm__ volatile("lock; cmpxchgq %3, %0; setz %1"
                     : "+m"(top.first), "=q"(same), "+a"(old->first)
                     : "r"(first)
                     : "memory", "cc");
#endif
    return same;
}

static struct node *pop(void)
{
    struct top old;
    old.count = __atomic_load_n(&top.count, __ATOMIC_ACQUIRE);
    old.first = load(&top.first);
    if (!old.first || !exchange(&old, load(&old.first->next)))
        return NULL;
    return old.first;
}

static void use(struct node *node)
{
    if (node)
        assert(__atomic_fetch_add(&taken[node - nodes], 1, __ATOMIC_SEQ_CST) == 0);
}

static void *worker(void *arg)
{
    struct node *one = pop(), *two = pop();
    use(two);
    if (one) {
        struct top old = {.count = __atomic_load_n(&top.count, __ATOMIC_ACQUIRE)};
        old.first = load(&top.first);
        store(&one->next, old.first);
        exchange(&old, one);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    nodes[0].next = &nodes[1];
    top.first = &nodes[0];
    pthread_create(&t, NULL, worker, NULL);
    pop();
    use(pop());
    pthread_join(t, NULL);
    return 0;
}
