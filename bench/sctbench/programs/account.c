/* SPDX-License-Identifier: Apache-2.0 */
/* account: one thread pays in, one takes out, an auditor compares once both are done.
 *
 * After CS.account. Bug: the auditor takes the deposit off where it should add it, which is
 * noticed only if he comes last. */
#include <assert.h>

#include "../../programs/common.h"

enum { OPENING = 40, DEPOSIT = 25, WITHDRAWAL = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = OPENING, has_paid_in, has_taken_out;

static void *pay_in(void *arg)
{
    pthread_mutex_lock(&lock);
    balance += DEPOSIT;
    has_paid_in = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *take_out(void *arg)
{
    pthread_mutex_lock(&lock);
    balance -= WITHDRAWAL;
    has_taken_out = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *audit(void *arg)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    int expected = OPENING + DEPOSIT - WITHDRAWAL;
#else
    int expected = OPENING - DEPOSIT - WITHDRAWAL;
#endif
    if (has_paid_in && has_taken_out)
        assert(balance == expected);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[3] = {start(audit, 0), start(pay_in, 1), start(take_out, 2)};
    join_all(t, 3);
    return 0;
}
