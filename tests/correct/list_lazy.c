/* SPDX-License-Identifier: Apache-2.0 */
/* A list whose nodes are marked before they are unlinked; readers take no lock.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct node {
    pthread_mutex_t lock;
    atomic_int is_removed;
    int key;
    _Atomic(struct node *) next;
} node;

static node last = {.lock = PTHREAD_MUTEX_INITIALIZER, .key = 100};
static node second = {.lock = PTHREAD_MUTEX_INITIALIZER, .key = 2, .next = &last};
static node first = {.lock = PTHREAD_MUTEX_INITIALIZER, .key = 1, .next = &second};
static node head = {.lock = PTHREAD_MUTEX_INITIALIZER, .key = 0, .next = &first};

static node *find(int key, node **before)
{
    node *at = &head;
    do {
        *before = at;
        at = atomic_load(&at->next);
    } while (at->key < key);
    return at;
}

static int contains(int key)
{
    node *before, *at = find(key, &before);
    return at->key == key && !atomic_load(&at->is_removed);
}

/* False: others changed what we found. */
static int remove_once(int key)
{
    node *before, *at = find(key, &before);
    pthread_mutex_lock(&before->lock);
    pthread_mutex_lock(&at->lock);
    int is_ok = !atomic_load(&before->is_removed) && !atomic_load(&at->is_removed) &&
                atomic_load(&before->next) == at;
    if (is_ok) {
        atomic_store(&at->is_removed, 1);
        atomic_store(&before->next, atomic_load(&at->next));
    }
    pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
    return is_ok;
}

static void *worker(void *arg)
{
    int key = number_of(arg) + 1;
    while (!remove_once(key))
        continue;
    assert(!contains(key));
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(atomic_load(&head.next) == &last);
    return 0;
}
