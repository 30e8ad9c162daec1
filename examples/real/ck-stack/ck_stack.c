/* SPDX-License-Identifier: Apache-2.0
 * A stack that two threads push to and pop from, with a count beside the head (cmpxchg16b): an entry
 * that is taken belongs to one thread, also if it is put back at once. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include <ck_stack.h>

static ck_stack_t stack __attribute__((aligned(16)));
static struct entry {
    ck_stack_entry_t link;
    int n_owners;
} entries[2];

static struct entry *take(void)
{
    struct entry *e = (struct entry *)ck_stack_pop_mpmc(&stack);
    if (e)
        assert(++e->n_owners ==
               1); /* plain: a second owner would be a data race as well */
    return e;
}

static void *worker(void *arg)
{
    struct entry *one = take();
    take();
    if (one) {
        one->n_owners--;
        ck_stack_push_mpmc(&stack, &one->link);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    ck_stack_init(&stack);
    for (int i = 0; i < 2; i++)
        ck_stack_push_mpmc(&stack, &entries[i].link);
    pthread_create(&t, NULL, worker, NULL);
    take();
    pthread_join(t, NULL);
    return 0;
}
