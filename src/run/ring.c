/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs into and records out of the shared memory. Trusts only its own positions. */
#include "run/run_int.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"

static void futex_wake(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void wake_if_waiting(uint32_t *word)
{
    if (!__atomic_load_n(word, __ATOMIC_SEQ_CST))
        return;
    __atomic_store_n(word, 0, __ATOMIC_SEQ_CST);
    futex_wake(word);
}

void run_ring_reset(run_ring *r)
{
    r->job_head = r->job_tail = r->trace_tail = 0;
    wire_shm *shm = r->shm;
    shm->job_head = shm->job_tail = shm->trace_head = shm->trace_tail = 0;
    shm->job_waiting = shm->trace_waiting = shm->space_waiting = 0;
    shm->want_stacks = 0;
}

uint32_t run_job_words(const run_request *request)
{
    return (uint32_t)(sizeof(wire_job) / 8 + request->n_steps + 2 * request->n_inputs +
                      request->n_promoted);
}

static void put_words(run_ring *r, const void *data, size_t n_words)
{
    const char *from = data;
    for (size_t i = 0; i < n_words; i++, r->job_head++)
        memcpy(&r->shm->jobs[r->job_head & (WIRE_JOB_WORDS - 1)], from + 8 * i, 8);
}

bool run_ring_put(run_ring *r, const run_request *request, uint32_t depth)
{
    uint32_t n_words = run_job_words(request);
    if (r->job_head + n_words - r->job_tail > WIRE_JOB_WORDS)
        return false;
    wire_job job = {
        .n_words = n_words,
        .n_steps = (uint32_t)request->n_steps,
        .id = request->id,
        .seed = request->seed,
        .flags = request->flags,
        .policy = request->policy,
        .depth = request->depth ? request->depth : depth,
        .threads = request->threads,
        .pct_depth = request->pct_depth,
        .pct_length = request->pct_length,
        .n_inputs = (uint32_t)request->n_inputs,
        .n_promoted = (uint32_t)request->n_promoted,
    };
    TD_ASSERT(n_words >= sizeof job / 8);
    put_words(r, &job, sizeof job / 8);
    put_words(r, request->steps, request->n_steps);
    put_words(r, request->inputs, 2 * request->n_inputs);
    put_words(r, request->promoted, request->n_promoted);
    TD_ASSERT(r->job_head - r->job_tail <= WIRE_JOB_WORDS);
    return true;
}

void run_ring_free(run_ring *r, uint32_t n_words)
{
    TD_ASSERT(n_words <= r->job_head - r->job_tail);
    r->job_tail += n_words;
}

void run_ring_flush(run_ring *r)
{
    if (r->shm->job_head == r->job_head)
        return;
    __atomic_store_n(&r->shm->job_head, r->job_head, __ATOMIC_SEQ_CST);
    wake_if_waiting(&r->shm->job_waiting);
}

/* The program may have written anything into trace_head. */
static size_t ready(const run_ring *r)
{
    uint64_t head = __atomic_load_n(&r->shm->trace_head, __ATOMIC_SEQ_CST);
    uint64_t n = head - r->trace_tail;
    return n <= WIRE_TRACE_RECS ? (size_t)n : 0;
}

size_t run_ring_take(run_ring *r, wire_rec *out, size_t max)
{
    size_t n = ready(r);
    size_t at = r->trace_tail & (WIRE_TRACE_RECS - 1);
    if (n > max)
        n = max;
    if (n > WIRE_TRACE_RECS - at)
        n = WIRE_TRACE_RECS - at;
    TD_ASSERT(at + n <= WIRE_TRACE_RECS);
    memcpy(out, &r->shm->trace[at], n * sizeof *out);
    return n;
}

void run_ring_taken(run_ring *r, size_t n)
{
    TD_ASSERT(n <= WIRE_TRACE_RECS);
    r->trace_tail += n;
    __atomic_store_n(&r->shm->trace_tail, r->trace_tail, __ATOMIC_SEQ_CST);
    wake_if_waiting(&r->shm->space_waiting);
}

void run_ring_announce(run_ring *r)
{
    __atomic_store_n(&r->shm->trace_waiting, 1, __ATOMIC_SEQ_CST);
}

void run_ring_wait(run_ring *r, uint32_t timeout_ms)
{
    uint32_t *word = &r->shm->trace_waiting;
    if (ready(r) == 0) {
        struct timespec limit = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000};
        syscall(SYS_futex, word, FUTEX_WAIT, 1, &limit, NULL, 0);
    }
    __atomic_store_n(word, 0, __ATOMIC_SEQ_CST);
}
