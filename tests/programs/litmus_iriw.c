/* SPDX-License-Identifier: Apache-2.0 */
/* Two readers never see two independent writes in different orders.
 *
 * treadle: --search=all
 * expect: runs 1620
 * expect: events 145
 * expect: traces 15
 * expect: verdict complete
 * model: main: begin, create A, create B, create C, create D, end, join A, join B, join C, join D, exit
 * model: A: store x 1
 * model: B: store y 1
 * model: C: load x c, load y d
 * model: D: load y e, load x f */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x, y;
static int seen[4];

static void *write_x(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *write_y(void *arg)
{
    atomic_store(&y, 1);
    return arg;
}

static void *read_xy(void *arg)
{
    seen[0] = atomic_load(&x);
    seen[1] = atomic_load(&y);
    return arg;
}

static void *read_yx(void *arg)
{
    seen[2] = atomic_load(&y);
    seen[3] = atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t t[4];
    __VERIFIER_atomic_begin();
    pthread_create(&t[0], NULL, write_x, NULL);
    pthread_create(&t[1], NULL, write_y, NULL);
    pthread_create(&t[2], NULL, read_xy, NULL);
    pthread_create(&t[3], NULL, read_yx, NULL);
    __VERIFIER_atomic_end();
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(!(seen[0] && !seen[1] && seen[2] && !seen[3]));
    return 0;
}
