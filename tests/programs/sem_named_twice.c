/* SPDX-License-Identifier: Apache-2.0 */
/* A second semaphore of a name whose first is still open is not modelled.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 3
 * expect: traces 1
 * expect: verdict incomplete
 * expect: ledger not modelled sem_named_twice.c:27 sem_open of a name while the one before is open
 * hand: 0
 *
 * treadle:
 * expect: runs 1
 * expect: events 3
 * expect: verdict incomplete
 * expect: ledger not modelled sem_named_twice.c:27 sem_open of a name while the one before is open
 * hand: 0 */
#include <fcntl.h>
#include <semaphore.h>

static const char name[] = "/treadle-test-4";

int main(void)
{
    sem_t *s = sem_open(name, O_CREAT, 0600, 1);
    sem_unlink(name);
    sem_t *other = sem_open(name, O_CREAT, 0600, 1);
    sem_unlink(name);
    return s == other;
}
