/* SPDX-License-Identifier: Apache-2.0 */
/* How an exchange turns out is decided by what it read. The compiler makes two branches of it: one
 * stores what was found, one is the program's. Whoever finds another owner has seen one write; to
 * find the same or none afterwards is to see another time.
 *
 * treadle: --goal=branches
 * expect: sides 6/6
 * expect: degrees 2/2/2
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int owner;

static void *enter(void *arg)
{
    int nobody = 0;
    if (atomic_compare_exchange_strong(&owner, &nobody, arg ? 1 : 2))
        atomic_store(&owner, 0);
    else if (atomic_load(&owner) == 0)
        return NULL;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, &a);
    pthread_create(&b, NULL, enter, NULL);
    pthread_exit(NULL);
}
