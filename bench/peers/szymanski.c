/* SPDX-License-Identifier: Apache-2.0 */
/* (f) Szymanski's mutual exclusion, two threads, K entries each.
 * Busy waiting is left as a plain loop (for tools with a spin-loop
 * transformation), or with -DSPIN=n a thread gives up after n failed polls. */
#include "bench.h"
#ifndef K
#define K 1
#endif
shint flag[2];
shint x;

#ifdef SPIN
#define WAIT_WHILE(c)                                                                    \
    do {                                                                                 \
        int n_ = 0;                                                                      \
        while (c)                                                                        \
            if (++n_ >= SPIN)                                                            \
                return NULL;                                                             \
    } while (0)
#else
#define WAIT_WHILE(c)                                                                    \
    while (c)                                                                            \
        ;
#endif

void *thread(void *arg)
{
    int me = (int)(long)arg, you = 1 - me;
    for (int k = 0; k < K; k++) {
        flag[me] = 1;
        WAIT_WHILE(flag[you] >= 3);
        flag[me] = 3;
        if (flag[you] == 1) {
            flag[me] = 2;
            WAIT_WHILE(flag[you] != 4);
        }
        flag[me] = 4;
        WAIT_WHILE(me == 1 && flag[you] >= 2);
        x = me;
        assert(x == me);
        {
            int f;
            WAIT_WHILE(me == 0 && (f = flag[you], f == 2 || f == 3));
        }
        flag[me] = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    spawn(&a, thread, 0);
    spawn(&b, thread, 1);
    join(a);
    join(b);
    return 0;
}
