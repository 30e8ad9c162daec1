/* SPDX-License-Identifier: Apache-2.0 */
/* telnet: one thread paints the screen of a terminal, another one receives characters.
 *
 * After the paper's experiment 2 (JTelnet, Figure 17): no branch depends on the interleaving, so there
 * are no test cases (TPAIR 66). The thread that receives is the only one that moves the column and
 * the only one that branches on it; the one that paints reads it five times. No lock: every run has
 * the race. FIXED: a lock round each access. */
#include <pthread.h>

#include "../../programs/common.h"

enum { COLUMNS = 3, LINES = 2, N_RECEIVED = 4, N_PAINTED = 2 };

static int column;
static int painted; /* what a thread returns would count as a use: it may be fetched */
static char screen[LINES][COLUMNS];

#ifdef FIXED
static pthread_mutex_t screen_lock = PTHREAD_MUTEX_INITIALIZER;

static void hold(void)
{
    pthread_mutex_lock(&screen_lock);
}

static void let_go(void)
{
    pthread_mutex_unlock(&screen_lock);
}
#else
static void hold(void)
{
}

static void let_go(void)
{
}
#endif

static int get_column(void)
{
    hold();
    int c = column;
    let_go();
    return c;
}

static void set_column(int c)
{
    hold();
    column = c;
    let_go();
}

static void *paint(void *arg)
{
    int n_pixels = 0;
    for (int i = 0; i < N_PAINTED; i++) {
        int back = get_column(), left = get_column();
        int front = get_column(), from = get_column(), to = get_column();
        n_pixels += back + left + front + from + to;
    }
    painted = n_pixels;
    return arg;
}

static void *receive(void *arg)
{
    int line = 0;
    for (int i = 0; i < N_RECEIVED; i++) {
        if (get_column() >= COLUMNS) {
            set_column(0);
            line++;
        }
        screen[line][get_column()] = "abcd"[i];
        set_column(get_column() + 1);
    }
    return arg;
}

int main(void)
{
    pthread_t t[2] = {start(paint, 0), start(receive, 1)};
    join_all(t, 2);
    return 0;
}
