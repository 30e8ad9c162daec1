/* SPDX-License-Identifier: Apache-2.0 */
/* Futexes.
 *
 * A wait compares the word and joins the waiters in one operation, which shares its bytes with the
 * atomic accesses to the word. There are no spurious wakeups. A wait that times out is a read of the
 * word: it may have timed out at once. */
#include "runtime/posix/by_number.h"

#include <errno.h>
#include <linux/futex.h>
#include <time.h>

#include "runtime/memory/accesses.h"
#include "runtime/posix/sync.h"
#include "runtime/symbolic/values.h"
#include "wire/sym.h"

#define SECOND 1000000000

/* The arguments of syscall(SYS_futex, word, op, value, until or second value, other, bits). */
typedef struct futex_call {
    uint32_t *word;
    int op;
    uint32_t value;
    const struct timespec *timeout;
    uint32_t *other;
    uint32_t bits;
    uint32_t site;
} futex_call;

static long failed(int error)
{
    errno = error;
    return -1;
}

/* ---- operations ---- */

static uint64_t operation(uint8_t kind, const futex_call *c, uint64_t a, bool is_timed)
{
    RT_ASSERT(mdl_type_of(kind) == WIRE_TYPE_FUTEX);
    rt_op *op = rt_op_new(kind, c->site, (uint64_t)c->word);
    op->size = sizeof *c->word;
    op->a = a;
    op->patient = is_timed;
    uint64_t result = rt_operation();
    if (kind == WIRE_FUTEX_WAIT || kind == WIRE_FUTEX_TIMEOUT)
        rt_access_atomic((uint64_t)c->word, sizeof *c->word, false, c->site);
    return result;
}

/* ---- waiting ---- */

/* When the wait gives up. */
static struct timespec end_of(const futex_call *c, bool is_absolute)
{
    RT_ASSERT(c->timeout);
    struct timespec until = *c->timeout;
    if (is_absolute)
        return until;
    uint64_t now = rt->self->now_ns, rest = now % SECOND + (uint64_t)until.tv_nsec;
    until.tv_sec += (time_t)(now / SECOND + rest / SECOND);
    until.tv_nsec = (long)(rest % SECOND);
    return until;
}

static uint32_t word_label(const futex_call *c)
{
    uint64_t at = (uint64_t)c->word;
    if (!rt_sym_any(at, sizeof *c->word))
        return 0;
    return rt_sym_get(at, sizeof *c->word, rt_peek(at, sizeof *c->word), 0);
}

/* The word is compared where its label does not count: the outcome is decided. */
static uint32_t decide_word(const futex_call *c)
{
    uint32_t label = word_label(c);
    if (label == 0)
        return 0;
    uint64_t value = rt_peek((uint64_t)c->word, sizeof *c->word);
    bool same = value == c->value;
    rt_sym_branch(rt_sym_apply(WIRE_SYM(WIRE_SYM_EQ, 32), label, value, c->value, same),
                  same, c->site);
    return label;
}

static long wait_for(const futex_call *c, bool is_absolute)
{
    if (c->timeout) {
        struct timespec until = end_of(c, is_absolute);
        rt_access((uint64_t)c->timeout, sizeof *c->timeout, false, c->site);
        if (c->timeout->tv_sec < 0 || rt_timed_check(c->timeout))
            return failed(EINVAL);
        if (rt_timed_gives_up("timeout of a futex", &until, c->site))
            return failed(operation(WIRE_FUTEX_TIMEOUT, c, c->value, false) ? EAGAIN
                                                                            : ETIMEDOUT);
    }
    if (operation(WIRE_FUTEX_WAIT, c, c->value, false))
        return failed(EAGAIN);
    operation(WIRE_FUTEX_WOKEN, c, 0, c->timeout != NULL);
    return 0;
}

static long futex_wait(const futex_call *c, bool is_absolute)
{
    rt_peek((uint64_t)c->word, sizeof *c->word); /* a bad address faults here */
    uint32_t label = decide_word(c);
    if (c->timeout)
        rt_sym_bytes_concrete(c->timeout, sizeof *c->timeout, c->site, "a timeout");
    long result = wait_for(c, is_absolute);
    int error = errno;
    /* Another thread may have stored an input before the word was compared. */
    if (word_label(c) != label)
        rt_sym_bytes_concrete(c->word, sizeof *c->word, c->site, "a futex");
    errno = error;
    return result;
}

/* ---- waking ---- */

/* The kernel wakes one where it is asked for none. */
static long futex_wake(const futex_call *c)
{
    int32_t n = (int32_t)c->value;
    return (long)operation(WIRE_FUTEX_WAKE, c, n < 1 ? 1 : (uint64_t)n, false);
}

/* Threads that would wait at the other word from now on are woken in its place, which they must
 * be prepared for. */
static long futex_requeue(futex_call *c, bool compares)
{
    uint64_t n = (uint64_t)(int32_t)c->value + (uint64_t)(uintptr_t)c->timeout;
    if ((int32_t)c->value < 0 || (int64_t)(uintptr_t)c->timeout < 0)
        return failed(EINVAL);
    rt_gap(WIRE_GAP_REFUSED, c->site,
           "futex requeue: threads are woken instead of moved");
    if (compares && operation(WIRE_FUTEX_TIMEOUT, c, c->bits, false))
        return failed(EAGAIN);
    return (long)operation(WIRE_FUTEX_WAKE, c, n, false);
}

static long futex(futex_call *c)
{
    int op = c->op & FUTEX_CMD_MASK;
    bool by_bits = op == FUTEX_WAIT_BITSET || op == FUTEX_WAKE_BITSET;
    if ((uint64_t)c->word % sizeof *c->word != 0)
        return failed(EINVAL);
    if (by_bits && c->bits != FUTEX_BITSET_MATCH_ANY)
        rt_refuse_number("futex with some bits, operation ", op, c->site);
    switch (op) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        return futex_wait(c, by_bits);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        return futex_wake(c);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
        return futex_requeue(c, op == FUTEX_CMP_REQUEUE);
    default:
        rt_refuse_number("futex operation ", op, c->site);
    }
}

long rt_futex(const long *a, uint32_t site)
{
    futex_call c = {
        (uint32_t *)a[0], (int)a[1], (uint32_t)a[2], (void *)a[3], (uint32_t *)a[4],
        (uint32_t)a[5],   site};
    return futex(&c);
}
