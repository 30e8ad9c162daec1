/* SPDX-License-Identifier: Apache-2.0 */
/* A race at the end of more than a million plain accesses between two operations. It needs three
 * locks to be taken late. The runs that cover each order of each lock need not have that: it is
 * predicted from what different runs touched.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race long_stretch_race.c:39 long_stretch_race.c:49 */
#include <pthread.h>
#include <stddef.h>

enum { ROUNDS = 8, N = 1 << 16 };

typedef struct queue {
    pthread_mutex_t m;
    int turns;
} queue;

static struct {
    int used, gap;
} field[N];
static queue x = {PTHREAD_MUTEX_INITIALIZER, 0}, y = {PTHREAD_MUTEX_INITIALIZER, 0},
             z = {PTHREAD_MUTEX_INITIALIZER, 0};
static int last;

static int take_turn(queue *q)
{
    pthread_mutex_lock(&q->m);
    int mine = q->turns++;
    pthread_mutex_unlock(&q->m);
    return mine;
}

static void *fill(void *arg)
{
    if (take_turn(&x) == 1 && take_turn(&z) == 1) {
        for (int i = 0; i < ROUNDS * N; i++)
            field[i * 40503u % N].used++;
        last = 1;
    }
    (void)take_turn(&x);
    return arg;
}

static void *look(void *arg)
{
    int seen = 0;
    if (take_turn(&y) == 1)
        seen = last;
    return seen ? arg : NULL;
}

static void *pass(void *arg)
{
    (void)take_turn(arg);
    return NULL;
}

int main(void)
{
    pthread_t t[5];
    pthread_create(&t[0], NULL, fill, NULL);
    pthread_create(&t[1], NULL, look, NULL);
    pthread_create(&t[2], NULL, pass, &x);
    pthread_create(&t[3], NULL, pass, &y);
    pthread_create(&t[4], NULL, pass, &z);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], NULL);
    return 0;
}
