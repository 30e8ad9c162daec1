/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

void td_spans_fini(td_spans *s)
{
    td_span_vec_fini(&s->at);
    td_size_vec_fini(&s->runs);
}

static int compare_spans(const void *a, const void *b)
{
    const td_span *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static size_t run_end(const td_spans *s, size_t run)
{
    TD_ASSERT(run < s->runs.len);
    return run + 1 < s->runs.len ? s->runs.at[run + 1] : s->at.len;
}

static void reach_set(td_spans *s, size_t first)
{
    uint64_t reach = 0;
    for (size_t i = first; i < s->at.len; i++) {
        td_span *x = &s->at.at[i];
        reach = x->end > reach ? x->end : reach;
        x->reach = reach;
    }
}

void td_spans_add(td_spans *s, uint64_t start, uint64_t end, uint32_t number)
{
    if (start >= end)
        return;
    size_t first = s->at.len, n_runs = s->runs.len;
    td_span_vec_push(&s->at, (td_span){start, end, end, number});
    /* All runs that would be less than twice as long as what follows them become one with it. */
    for (; n_runs > 0 && first - s->runs.at[n_runs - 1] < 2 * (s->at.len - first);)
        first = s->runs.at[--n_runs];
    s->runs.len = n_runs;
    td_size_vec_push(&s->runs, first);
    if (s->at.len - first == 1)
        return;
    qsort(&s->at.at[first], s->at.len - first, sizeof s->at.at[0], compare_spans);
    reach_set(s, first);
    TD_AUDIT(td_spans_valid(s));
}

void td_spans_put(td_spans *s, uint64_t start, uint64_t end, uint32_t number)
{
    TD_ASSERT(s->runs.len == 0);
    if (start < end)
        td_span_vec_push(&s->at, (td_span){start, end, end, number});
}

void td_spans_sort(td_spans *s)
{
    TD_ASSERT(s->runs.len == 0);
    if (s->at.len == 0)
        return;
    td_size_vec_push(&s->runs, 0);
    qsort(s->at.at, s->at.len, sizeof s->at.at[0], compare_spans);
    reach_set(s, 0);
    TD_AUDIT(td_spans_valid(s));
}

/* The first range of a run that reaches beyond start. */
static size_t first_beyond(const td_spans *s, size_t run, uint64_t start)
{
    size_t lo = s->runs.at[run], hi = run_end(s, run);
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->at.at[mid].reach <= start)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const td_span *td_spans_next(const td_spans *s, td_spans_find *f)
{
    for (;;) {
        for (; f->left > 0; f->left--) {
            const td_span *x = &s->at.at[f->at++];
            if (x->start >= f->end)
                break;
            if (x->end <= f->start)
                continue;
            f->left--;
            return x;
        }
        f->left = 0;
        if (f->run == s->runs.len)
            return NULL;
        f->at = first_beyond(s, f->run, f->start);
        f->left = run_end(s, f->run++) - f->at;
    }
}

bool td_spans_valid(const td_spans *s)
{
    for (size_t run = 0; run < s->runs.len; run++) {
        size_t first = s->runs.at[run], end = run_end(s, run);
        uint64_t reach = 0;
        if (run == 0 ? first != 0 : first < 2 * (end - first) + s->runs.at[run - 1])
            return false;
        for (size_t i = first; i < end; i++) {
            const td_span *x = &s->at.at[i];
            reach = x->end > reach ? x->end : reach;
            if (x->start >= x->end || x->reach != reach ||
                (i > first && compare_spans(x - 1, x) > 0))
                return false;
        }
    }
    return true;
}

/* ---- sets of bytes ---- */

/* The first range that ends at start or after it. */
static size_t range_at(const td_bytes *b, uint64_t start)
{
    size_t lo = 0, hi = b->len;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (b->at[mid].end < start)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Ranges [i, i + n) become one; n 0: room for one before range i. */
static void become_one(td_bytes *b, size_t i, size_t n)
{
    if (n == 0) {
        td_bytes_push(b, (td_range){0});
        memmove(&b->at[i + 1], &b->at[i], (b->len - 1 - i) * sizeof b->at[0]);
        return;
    }
    memmove(&b->at[i + 1], &b->at[i + n], (b->len - i - n) * sizeof b->at[0]);
    b->len -= n - 1;
}

bool td_bytes_add(td_bytes *b, uint64_t start, uint64_t end)
{
    if (start >= end || td_bytes_have(b, start, end))
        return false;
    size_t i = range_at(b, start), n = 0; /* ranges from i on that it touches */
    for (; i + n < b->len && b->at[i + n].start <= end; n++) {
        start = b->at[i + n].start < start ? b->at[i + n].start : start;
        end = b->at[i + n].end > end ? b->at[i + n].end : end;
    }
    become_one(b, i, n);
    b->at[i] = (td_range){start, end};
    TD_ASSERT(i == 0 || b->at[i - 1].end < start);
    TD_ASSERT(i + 1 == b->len || b->at[i + 1].start > end);
    TD_AUDIT(td_bytes_valid(b));
    return true;
}

void td_bytes_add_last(td_bytes *b, uint64_t start, uint64_t end)
{
    td_range *last = b->len > 0 ? &b->at[b->len - 1] : NULL;
    TD_ASSERT(!last || start >= last->start);
    if (start >= end)
        return;
    if (!last || start > last->end)
        td_bytes_push(b, (td_range){start, end});
    else if (end > last->end)
        last->end = end;
}

bool td_bytes_have(const td_bytes *b, uint64_t start, uint64_t end)
{
    size_t i = range_at(b, start);
    return i < b->len && b->at[i].start <= start && end <= b->at[i].end;
}

bool td_bytes_meet(const td_bytes *b, uint64_t start, uint64_t end)
{
    for (size_t i = range_at(b, start); i < b->len && b->at[i].start < end; i++)
        if (start < b->at[i].end)
            return true;
    return false;
}

bool td_bytes_valid(const td_bytes *b)
{
    for (size_t i = 0; i < b->len; i++)
        if (b->at[i].start >= b->at[i].end ||
            (i > 0 && b->at[i - 1].end >= b->at[i].start))
            return false;
    return true;
}
