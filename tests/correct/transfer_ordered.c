/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers between accounts take both locks, the lower number first.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

enum { ACCOUNTS = 3 };

static struct {
    pthread_mutex_t lock;
    int balance;
} account[ACCOUNTS];

static void transfer(int from, int to, int amount)
{
    int low = from < to ? from : to, high = from + to - low;
    pthread_mutex_lock(&account[low].lock);
    pthread_mutex_lock(&account[high].lock);
    account[from].balance -= amount;
    account[to].balance += amount;
    pthread_mutex_unlock(&account[high].lock);
    pthread_mutex_unlock(&account[low].lock);
}

static void *worker(void *arg)
{
    int me = number_of(arg);
    transfer(me, (me + 1) % ACCOUNTS, 10);
    return arg;
}

int main(void)
{
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_mutex_init(&account[i].lock, NULL);
    run_threads(ACCOUNTS, worker);
    for (int i = 0; i < ACCOUNTS; i++)
        assert(account[i].balance == 0);
    return 0;
}
