/* SPDX-License-Identifier: Apache-2.0 */
/* Records into the ring that treadle reads. */
#include "runtime/core/core.h"

#include <string.h>

#include "runtime/core/sys.h"

#define PUBLISH_EVERY 256u

static wire_rec *record_at(uint64_t position)
{
    return &rt->shm->trace[position & (WIRE_TRACE_RECS - 1)];
}

/* Waking treadle costs more than a short run: it is done for a good part of the ring, or when
 * there is nothing more to do. */
#define WAKE_AT (WIRE_TRACE_RECS / 8)

static bool worth_waking(void)
{
    const wire_shm *shm = rt->shm;
    uint64_t ready = rt->trace_at - __atomic_load_n(&shm->trace_tail, __ATOMIC_RELAXED);
    uint64_t jobs = __atomic_load_n(&shm->job_head, __ATOMIC_RELAXED) - shm->job_tail;
    return ready >= WAKE_AT || jobs <= rt->job.head.n_words;
}

/* A plain write whose value is not known yet holds back what follows it. */
static uint64_t readable(void)
{
    return rt->pending_write ? rt->pending_write - 1 : rt->trace_at;
}

void rt_emit_show(void)
{
    __atomic_store_n(&rt->shm->trace_head, readable(), __ATOMIC_RELEASE);
}

void rt_emit_publish(void)
{
    wire_shm *shm = rt->shm;
    __atomic_store_n(&shm->trace_head, readable(), __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&shm->trace_waiting, __ATOMIC_SEQ_CST) && worth_waking()) {
        __atomic_store_n(&shm->trace_waiting, 0, __ATOMIC_SEQ_CST);
        rt_sys_wake(&shm->trace_waiting);
    }
}

/* Space is needed for all records up to the next look. */
static bool ring_full(void)
{
    uint64_t tail = __atomic_load_n(&rt->shm->trace_tail, __ATOMIC_SEQ_CST);
    return rt->trace_at + PUBLISH_EVERY - tail > WIRE_TRACE_RECS;
}

static void make_space(void)
{
    rt_emit_publish();
    while (!rt->shm->is_debugged && ring_full()) {
        __atomic_store_n(&rt->shm->space_waiting, 1, __ATOMIC_SEQ_CST);
        if (ring_full())
            rt_sys_wait(&rt->shm->space_waiting, 1, 100);
    }
}

wire_rec *rt_emit(uint8_t kind)
{
    if ((rt->trace_at & (PUBLISH_EVERY - 1)) == 0)
        make_space();
    wire_rec *r = record_at(rt->trace_at++);
    *r = (wire_rec){.kind = kind};
    return r;
}

void rt_emit_text(const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        size_t n = left < WIRE_TEXT_BYTES ? left : WIRE_TEXT_BYTES;
        wire_rec *r = rt_emit(WIRE_NOTE_TEXT);
        r->size = (uint8_t)n;
        memcpy(r->text, text, n);
        text += n;
        left -= n;
    }
}

void rt_hex(uint64_t value, char out[RT_HEX_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    out[0] = '0';
    out[1] = 'x';
    for (int i = 0; i < 16; i++)
        out[2 + i] = digits[value >> (60 - 4 * i) & 15];
    out[18] = 0;
}

/* Each size is read as it is: a part of a larger variable would have to be waited for. */
uint64_t rt_peek(uint64_t address, uint32_t size)
{
    const void *p = (const void *)address;
    uint64_t value = 0;
    uint32_t word;
    switch (size) {
    case 1:
        return *(const uint8_t *)p;
    case 4:
        memcpy(&word, p, 4);
        return word;
    case 8:
        memcpy(&value, p, 8);
        return value;
    default:
        memcpy(&value, p, size < 8 ? size : 8);
        return value;
    }
}

void rt_flush_write(void)
{
    if (rt->pending_write == 0)
        return;
    wire_rec *r = record_at(rt->pending_write - 1);
    RT_ASSERT(rt->pending_write <= rt->trace_at);
    rt->pending_write = 0;
    r->value = rt_peek(r->object, r->size);
}
