/* SPDX-License-Identifier: Apache-2.0 */
/* sor: two threads relax the two halves of a grid and wait for each other after each half sweep.
 *
 * After the Java Grande benchmark: Table 1 has 3 threads, no inputs, k = 3. A thread waits until its
 * neighbour has done the same number of sweeps, but not until that neighbour has used the result: the
 * neighbour may be one sweep ahead. Three reads of another thread's writes: each sees that the other
 * has done one sweep, and the slower one sees that the other has begun the next. The assertion of
 * the first thread that both are in one sweep fails. Waiting ends after two looks, so that runs
 * end. FIXED: a thread waits for the use as well. */
#include "subject.h"

enum { N_SWEEPS = 2, N_LOOKS = 2, COLUMNS = 2, FAR = 100 };

static atomic_int row[2][COLUMNS] = {{4, 8}, {6, 2}};
static atomic_int n_begun[2], n_done[2];
#ifdef FIXED
static atomic_int n_used[2];
#endif

/* Whether the count gets to n while somebody looks. */
static int await(const atomic_int *count, int n)
{
    for (int i = 0; i < N_LOOKS; i++)
        if (atomic_load(count) >= n)
            return 1;
    return 0;
}

static void relax(int me, int colour)
{
    for (int i = colour; i < COLUMNS; i += 2) {
        int here = atomic_load(&row[me][i]), there = atomic_load(&row[!me][i]);
        int v = here + (there - here) / 2;
        if (v < 0)
            v = 0;
        else if (v > FAR)
            v = FAR;
        atomic_store(&row[me][i], v);
    }
}

static void *sweep(void *number)
{
    int me = (int)(intptr_t)number, other = !me;
    for (int n = 1; n <= N_SWEEPS; n++) {
        atomic_store(&n_begun[me], n);
        relax(me, n % 2);
        atomic_store(&n_done[me], n);
        if (!await(&n_done[other], n))
            break;
        if (me == 0) {
            int begun = atomic_load(&n_begun[other]);
            assert(begun == n);
        }
#ifdef FIXED
        atomic_store(&n_used[me], n);
        if (!await(&n_used[other], n))
            break;
#endif
    }
    return number;
}

int main(void)
{
    pthread_t t[2];
    start_all(t, 2, sweep);
    join_all(t, 2);
    return 0;
}
