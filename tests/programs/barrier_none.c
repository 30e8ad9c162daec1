/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier for nobody is refused by the call.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 0
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 1
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
#include <errno.h>

int main(void)
{
    assert(pthread_barrier_init(&b, NULL, 0) == EINVAL);
    return 0;
}
