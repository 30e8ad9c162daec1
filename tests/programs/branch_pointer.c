/* SPDX-License-Identifier: Apache-2.0 */
/* What is read is a pointer: its values are decided one by one. Plain accesses to memory that both
 * threads touch are operations.
 *
 * treadle: --goal=branches
 * expect: sides 5/6
 * expect: never branch_pointer.c:43 1
 * expect: verdict complete
 *
 * treadle: --goal=branches --search=all
 * expect: sides 5/6
 * expect: never branch_pointer.c:43 1
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct item {
    int value;
    struct item *next;
} item;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static item items[2] = {{1, NULL}, {2, NULL}};
static item *list = &items[0];

static void *push(void *arg)
{
    pthread_mutex_lock(&lock);
    items[1].next = list;
    list = &items[1];
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *sum(void *arg)
{
    int n = 0;
    pthread_mutex_lock(&lock);
    for (item *i = list; i; i = i->next)
        n += i->value;
    pthread_mutex_unlock(&lock);
    if (n == 2)
        abort();
    if (n == 3)
        pthread_exit(NULL);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, push, NULL);
    pthread_create(&b, NULL, sum, NULL);
    pthread_exit(NULL);
}
