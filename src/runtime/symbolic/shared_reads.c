/* SPDX-License-Identifier: Apache-2.0 */
/* What operations read and write (WIRE_JOB_READS).
 *
 * The bytes get the label of a READ when the operation is granted, so that the load that follows
 * finds it; then they have again what they had. Where nothing follows the value it is decided
 * instead, before the thread's next operation: a pointer, a float. */
#include "runtime/symbolic/nodes.h"

#include <string.h>

#include "runtime/symbolic/values.h"

void rt_visible_reset(void)
{
    rt->reads = (rt->job.head.flags & WIRE_JOB_READS) != 0;
    rt->rounds = rt->reads && (rt->job.head.flags & WIRE_JOB_ROUNDS) != 0;
    rt->folds = rt->reads && (rt->job.head.flags & WIRE_JOB_FOLD) != 0;
    rt->slots_all = rt->folds && (rt->job.head.flags & WIRE_JOB_SLOTS) != 0;
    rt->reading = rt->writing = (rt_visible){0};
    bool sides = (rt->job.head.flags & WIRE_JOB_SIDES) != 0;
    if (rt->reads || sides) {
        rt_labels_map();
        rt->symbolic = true;
    }
    PLAN_CTL->covering = sides;
}

uint32_t rt_read_taken(void)
{
    RT_ASSERT(rt->reading.at && rt->reading.size <= 8);
    rt_visible *v = &rt->reading;
    memcpy(labels_at(v->at), v->before, v->size * sizeof v->before[0]);
    v->at = 0;
    return v->label;
}

static void tell_wrote(uint32_t number, uint64_t value)
{
    wire_rec *r = rt_emit(WIRE_NOTE_WROTE);
    r->thread = rt->self->id;
    r->object = number;
    r->value = value;
}

void rt_wrote(uint32_t label)
{
    RT_ASSERT(rt->writing.size > 0);
    rt->writing.at = 0;
    rt_flush_write();
    uint32_t number = label ? rt_node_tell(label) : 0;
    tell_wrote(number, label ? NODES[label].value[0] : 0);
}

void rt_visible_granted(rt_thread *t, uint8_t kind)
{
    const rt_op *op = &t->pending;
    bool writes = mdl_writes(kind), reads = mdl_reads(kind);
    if (!reads && !writes)
        return;
    if (op->size > 8) {
        rt_gap_once(WIRE_GAP_CONCRETE, op->site, "an atomic access of more than 8 bytes");
        return;
    }
    if (writes)
        rt->writing = (rt_visible){.at = op->object, .size = op->size};
    uint64_t value = reads ? rt_peek(op->object, op->size) : 0;
    uint32_t label = reads ? rt_node_new(WIRE_SYM_READ, op->size * 8, value, 0) : 0;
    if (label == 0)
        return;
    NODES[label].immediate[0] = t->id;
    NODES[label].immediate[1] = t->n_reads++;
    NODES[label].flags = OF_INPUTS; /* it is followed like one */
    rt->reading = (rt_visible){
        .at = op->object, .size = op->size, .label = label, .site = op->site};
    memcpy(rt->reading.before, labels_at(op->object), op->size * sizeof(uint32_t));
    rt_sym_put(op->object, op->size, label);
}

void rt_slot_written(uint32_t label, uint64_t value)
{
    if (label && rt->writing.size == 8)
        label = rt_sym_resized(label, value, false);
    if (label)
        rt_wrote(label);
}

uint32_t rt_slot_read(uint32_t bits)
{
    if (!rt->reading.at)
        return 0;
    bool is_part = bits < rt->reading.size * 8;
    uint32_t label = rt_read_taken();
    return is_part ? rt_node_extract(label, 0, bits) : label;
}

void rt_visible_ended(rt_thread *t)
{
    uint32_t label = rt_sym_resized(t->value_label, (uint64_t)t->value, true);
    label = of_width(label, 64);
    tell_wrote(label ? rt_node_tell(label) : 0, (uint64_t)t->value);
}

/* Results are pointers, which are followed here and there only. */
uint32_t rt_visible_joined(const rt_thread *t, uint32_t site)
{
    if (!rt->reads)
        return t->value_label;
    uint64_t value = (uint64_t)t->value;
    uint32_t label = rt_node_new(WIRE_SYM_READ, 64, value, 0);
    if (label == 0)
        return 0;
    NODES[label].immediate[0] = rt->self->id;
    NODES[label].immediate[1] = rt->self->n_reads++;
    NODES[label].flags = OF_INPUTS;
    rt_sym_concrete(label, value, site);
    return 0;
}

void rt_visible_flush(void)
{
    rt_visible read = rt->reading, write = rt->writing;
    if (read.at) {
        rt_read_taken();
        rt_sym_concrete(read.label, NODES[read.label].value[0], read.site);
    }
    if (write.at) {
        rt->writing.at = 0;
        rt_flush_write();
        tell_wrote(0, rt_peek(write.at, write.size));
    }
}
