/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the remaining time. A search estimates its total number of runs; the time uses the recent
 * rate, because runs become slower or faster as a search grows. Early estimates mean little, and those
 * of some programs never converge. So estimates are compared: nothing is shown as long as those made
 * since half of the runs differ too much. */
#include "session/progress.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

#define LEAST_RUNS 100u /* no estimate before */
#define LEAST_MS 1000u
#define LEAST_GUESSES 4u
#define MOST_SPREAD 2.5 /* between the guesses since half of the runs */
#define STEP 1.02       /* runs from one guess to the next */

void ses_estimate_add(ses_estimate *e, uint64_t ms, uint64_t runs, const xpl_left *left)
{
    ses_guess g = {.ms = ms, .runs = runs, .total = (double)runs + left->runs};
    if (!left->is_known || !(left->runs >= 0) || g.total > 1e18) {
        e->n = 0; /* earlier estimates are obsolete */
        return;
    }
    if (e->n > 0 && runs < e->at[e->n - 1].runs)
        e->n = 0; /* the search was restarted */
    bool is_near = e->n > 1 && (double)runs < (double)e->at[e->n - 2].runs * STEP;
    if (is_near) {
        e->at[e->n - 1] = g;
        return;
    }
    if (e->n == SES_GUESSES) {
        e->n = SES_GUESSES / 2;
        memmove(e->at, &e->at[SES_GUESSES - e->n], e->n * sizeof e->at[0]);
    }
    TD_ASSERT(e->n < SES_GUESSES);
    TD_ASSERT(e->n == 0 ||
              e->at[e->n - 1].runs <= runs); /* guesses are in the order of runs */
    e->at[e->n++] = g;
}

/* Index of the first guess made after at least this share of the runs of now. */
static size_t since(const ses_estimate *e, double share)
{
    TD_ASSERT(e->n > 0 && e->n <= SES_GUESSES && share > 0 && share <= 1);
    size_t i = e->n - 1;
    while (i > 0 && (double)e->at[i - 1].runs >= share * (double)e->at[e->n - 1].runs)
        i--;
    return i;
}

static bool agree(const ses_estimate *e)
{
    size_t first = since(e, 0.5);
    double least = e->at[first].total, most = least;
    for (size_t i = first; i < e->n; i++) {
        least = fmin(least, e->at[i].total);
        most = fmax(most, e->at[i].total);
    }
    return e->n - first >= LEAST_GUESSES && most <= MOST_SPREAD * least;
}

/* The geometric mean of the recent estimates, minus the runs made since. */
static double runs_left(const ses_estimate *e)
{
    size_t first = since(e, 0.8);
    TD_ASSERT(first < e->n);
    double sum = 0;
    for (size_t i = first; i < e->n; i++)
        sum += log(e->at[i].total);
    double total = exp(sum / (double)(e->n - first));
    return fmax(total - (double)e->at[e->n - 1].runs, 0);
}

ses_remaining ses_estimate_now(const ses_estimate *e)
{
    ses_remaining r = {0};
    if (e->n < LEAST_GUESSES || !agree(e))
        return r;
    const ses_guess *now = &e->at[e->n - 1], *then = &e->at[since(e, 0.7)];
    if (now->runs < LEAST_RUNS || now->ms < LEAST_MS || now->ms <= then->ms ||
        now->runs <= then->runs)
        return r;
    r.runs = runs_left(e);
    double left =
        r.runs * (double)(now->ms - then->ms) / (double)(now->runs - then->runs);
    r.is_known = true;
    r.ms = left < 1e15 ? (uint64_t)left : (uint64_t)1e15;
    r.share = (double)now->ms / ((double)now->ms + left);
    TD_ASSERT(r.share > 0 && r.share <= 1 && r.runs >= 0);
    return r;
}
