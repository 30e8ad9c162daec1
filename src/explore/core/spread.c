/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/spread.h"

#include <math.h>

#include "base/assert.h"
#include "base/rng.h"

#define DRAWS 4u /* orders drawn for a run */
#define MOST_MOVES 5000u
#define MOST_WORK 2000000u /* questions about two moves, for a run */

void xpl_spread_fini(xpl_spread *o)
{
    trc_order_free(o->order);
    trc_u32_vec_fini(&o->next);
    trc_u32_vec_fini(&o->following);
    *o = (xpl_spread){0};
}

void xpl_spread_restart(xpl_spread *o)
{
    o->n = 0;
    o->n_runs = o->stride = 0;
    o->too_long = false;
}

/* Lists the first move of each thread, and the successor of each move in its thread. */
static void list_moves(xpl_spread *o, uint32_t n_threads)
{
    uint32_t n = trc_order_len(o->order);
    trc_u32_vec_clear(&o->next);
    trc_u32_vec_clear(&o->following);
    for (uint32_t i = 0; i < n_threads; i++)
        trc_u32_vec_push(&o->next, TRC_NO_MOVE);
    for (uint32_t i = 0; i < n; i++)
        trc_u32_vec_push(&o->following, TRC_NO_MOVE);
    for (uint32_t i = n; i-- > 0;) {
        uint32_t thread = trc_order_at(o->order, i).thread;
        TD_ASSERT(thread < n_threads);
        o->following.at[i] = o->next.at[thread];
        o->next.at[thread] = i;
    }
}

/* Nothing that is still to come is needed for the next move of the thread. */
static bool is_ready(const xpl_spread *o, uint32_t thread)
{
    uint32_t move = o->next.at[thread];
    if (move == TRC_NO_MOVE)
        return false;
    for (uint32_t i = 0; i < o->next.len; i++)
        if (i != thread && o->next.at[i] != TRC_NO_MOVE &&
            trc_order_before(o->order, o->next.at[i], move))
            return false;
    return true;
}

/* The logarithm of the product for one order, drawn at random. */
static double draw(xpl_spread *o, uint32_t n_threads, td_rng *rng)
{
    double log = 0;
    list_moves(o, n_threads);
    for (uint32_t left = trc_order_len(o->order); left > 0; left--) {
        uint32_t n_ready = 0, chosen = 0;
        for (uint32_t i = 0; i < n_threads; i++) {
            if (!is_ready(o, i))
                continue;
            n_ready++;
            if (td_rng_below(rng, n_ready) == 0)
                chosen = i;
        }
        TD_ASSERT(n_ready > 0);
        log += log2(n_ready);
        o->next.at[chosen] = o->following.at[o->next.at[chosen]];
    }
    return log;
}

/* The logarithm of the mean. */
static double mean_log2(const double *logs, uint32_t n)
{
    TD_ASSERT(n > 0);
    double most = logs[0], sum = 0;
    for (uint32_t i = 1; i < n; i++)
        most = fmax(most, logs[i]);
    for (uint32_t i = 0; i < n; i++)
        sum += exp2(logs[i] - most);
    return most + log2(sum / n);
}

/* Drops every second sample, so that the rest stays evenly spaced. */
static void thin_out(xpl_spread *o)
{
    TD_ASSERT(o->n == XPL_SAMPLED_RUNS);
    o->n /= 2;
    for (uint32_t i = 0; i < o->n; i++)
        o->logs[i] = o->logs[2 * i];
    o->stride *= 2;
}

void xpl_spread_add(xpl_spread *o, const trc *t)
{
    o->stride = o->stride ? o->stride : 1;
    if (o->n_runs++ % o->stride != 0 || o->too_long)
        return;
    uint32_t n_threads = (uint32_t)t->threads.len;
    o->too_long = t->n_choices > MOST_MOVES ||
                  (uint64_t)t->n_choices * n_threads * n_threads * DRAWS > MOST_WORK;
    if (o->too_long)
        return;
    if (!o->order)
        o->order = trc_order_new();
    trc_order_take(o->order, t);
    td_rng rng = {.state = o->n_runs};
    double logs[DRAWS];
    for (uint32_t i = 0; i < DRAWS; i++)
        logs[i] = draw(o, n_threads, &rng);
    if (o->n == XPL_SAMPLED_RUNS)
        thin_out(o);
    if ((o->n_runs - 1) % o->stride == 0)
        o->logs[o->n++] = mean_log2(logs, DRAWS);
}

double xpl_spread_log2(const xpl_spread *o)
{
    return o->n > 0 && !o->too_long ? mean_log2(o->logs, o->n) : -1;
}
