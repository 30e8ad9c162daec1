/* SPDX-License-Identifier: Apache-2.0 */
/* The message of a memory error, and the threads that allocated and freed the block. */
#include "detect/detect_int.h"

#include "wire/layout.h"

/* ---- threads and places ---- */

static bool is_known(const trc_fail *f, enum wire_block what)
{
    return f->parties[what].is_known;
}

/* " at pool.c:88 by T2" */
static void put_party(td_text *out, const trc_fail *f, enum wire_block what,
                      const trc_sites *sites)
{
    const trc_party *p = &f->parties[what];
    trc_site site = trc_site_at(sites, p->site);
    if (site.line > 0)
        td_text_add(out, " at %s:%u", det_basename(site.file), site.line);
    td_text_add(out, " by ");
    det_thread_put(out, p->thread);
    if (site.line == 0)
        td_text_add(out, " (unknown line)");
}

static void put_bytes(td_text *out, uint64_t n)
{
    td_text_add(out, "%llu byte%s", (unsigned long long)n, n == 1 ? "" : "s");
}

/* "the 16 bytes allocated at queue.c:31 by main" */
static void put_block(td_text *out, const trc_fail *f, const trc_sites *sites)
{
    td_text_add(out, "the ");
    put_bytes(out, f->block_bytes);
    td_text_add(out, " allocated");
    put_party(out, f, WIRE_BLOCK_MADE, sites);
}

static void put_freed(td_text *out, const trc_fail *f, const trc_sites *sites)
{
    td_text_add(out, "freed");
    put_party(out, f, WIRE_BLOCK_FREED, sites);
    td_text_add(out, ", allocated");
    put_party(out, f, WIRE_BLOCK_MADE, sites);
}

/* ---- accesses ---- */

/* "write of 4 bytes to 'q->slots[]'" */
static void put_access(td_text *out, const trc_fail *f, trc_site site)
{
    bool operates = site.kind == WIRE_SITE_CALL && f->value <= 1 && site.callee[0];
    if (operates)
        td_text_add(out, "%s", site.callee);
    else {
        td_text_add(out, f->is_write ? "write" : "read");
        td_text_add(out, f->value > 0 ? " of " : "");
        if (f->value > 0)
            put_bytes(out, f->value);
    }
    if (site.name[0])
        td_text_add(out, " (%s)", site.name);
}

static void put_outside(td_text *out, const trc_fail *f, const trc_sites *sites)
{
    uint64_t end = f->block + f->block_bytes;
    td_text_add(out, ", ");
    if (f->object < f->block) {
        put_bytes(out, f->block - f->object);
        td_text_add(out, " before the start of ");
    } else if (f->object >= end) {
        put_bytes(out, f->object - end);
        td_text_add(out, " after the end of ");
    } else {
        td_text_add(out, "of which ");
        put_bytes(out, f->object + f->value - end);
        td_text_add(out, " beyond the end of ");
    }
    put_block(out, f, sites);
}

static void put_wrong_access(td_text *out, const trc_fail *f, trc_site site,
                             const trc_sites *sites)
{
    bool inside = f->object >= f->block && f->object < f->block + f->block_bytes;
    put_access(out, f, site);
    if (!is_known(f, WIRE_BLOCK_MADE)) {
        td_text_add(out, " in the heap, not near any block");
    } else if (is_known(f, WIRE_BLOCK_FREED) && inside) {
        td_text_add(out, DET_IN_FREED);
        put_bytes(out, f->block_bytes);
        td_text_add(out, " ");
        put_freed(out, f, sites);
    } else {
        put_outside(out, f, sites);
        if (is_known(f, WIRE_BLOCK_FREED)) {
            td_text_add(out, " and freed");
            put_party(out, f, WIRE_BLOCK_FREED, sites);
        }
    }
}

/* ---- frees ---- */

static void put_free(td_text *out, const trc_fail *f, trc_site site,
                     const trc_sites *sites)
{
    td_text_add(out, "%s of ", site.callee[0] ? site.callee : "free");
    if (is_known(f, WIRE_BLOCK_OWNER)) {
        td_text_add(out, "an address on the stack of ");
        det_thread_put(out, f->parties[WIRE_BLOCK_OWNER].thread);
    } else if (!is_known(f, WIRE_BLOCK_MADE)) {
        td_text_add(out, "an address that malloc did not return");
    } else if (f->object == f->block) {
        td_text_add(out, "a block of ");
        put_bytes(out, f->block_bytes);
        td_text_add(out, DET_FREED_AGAIN);
        put_freed(out, f, sites);
    } else {
        bool before = f->object < f->block;
        td_text_add(out, "an address ");
        put_bytes(out, before ? f->block - f->object : f->object - f->block);
        td_text_add(out, before ? " before " : " into ");
        put_block(out, f, sites);
    }
    if (site.name[0])
        td_text_add(out, ": '%s'", site.name);
}

/* ---- stacks ---- */

static void put_stack(td_text *out, const trc_fail *f, trc_site site)
{
    put_access(out, f, site);
    td_text_add(out, f->memory == WIRE_MEMORY_LOCALS ? " in a thread-local variable of "
                                                     : " on the stack of ");
    det_thread_put(out, f->parties[WIRE_BLOCK_OWNER].thread);
    td_text_add(out, f->memory == WIRE_MEMORY_FRAME ? ", in a function that has returned"
                     : f->memory == WIRE_MEMORY_ENDS
                         ? ", which then exits: nothing orders the two"
                     : f->memory == WIRE_MEMORY_LEFT
                         ? ", in a function that returns: nothing orders the two"
                         : ", which has exited");
}

/* ---- all of them ---- */

static void put_leak(td_text *out, const trc_fail *f, const trc_sites *sites)
{
    td_text_add(out, "%llu block%s, ", (unsigned long long)f->value,
                f->value == 1 ? "" : "s");
    put_bytes(out, f->block_bytes);
    td_text_add(out, ", allocated");
    put_party(out, f, WIRE_BLOCK_MADE, sites);
    td_text_add(out, ", unreachable at exit");
}

const trc_party *det_memory_other(const trc_fail *f)
{
    const trc_party *party =
        &f->parties[is_known(f, WIRE_BLOCK_FREED) ? WIRE_BLOCK_FREED : WIRE_BLOCK_MADE];
    return party->is_known && party->site != 0 ? party : NULL;
}

static void set_party(det_party *out, const trc_party *p, const trc_sites *sites)
{
    trc_site site = trc_site_at(sites, p->site);
    if (!p->is_known || site.line == 0)
        return;
    *out = (det_party){.file = td_strdup(site.file),
                       .function = td_strdup(site.function),
                       .line = site.line,
                       .thread = p->thread};
}

void det_memory_parties(det_finding *out, const trc_fail *f, const trc_sites *sites)
{
    set_party(&out->allocated, &f->parties[WIRE_BLOCK_MADE], sites);
    set_party(&out->freed, &f->parties[WIRE_BLOCK_FREED], sites);
}

void det_memory_put(td_text *out, const trc_fail *f, trc_site site, trc_sites *sites)
{
    if (f->kind == WIRE_FAIL_LEAK) {
        put_leak(out, f, sites);
        return;
    }
    switch (f->memory) {
    case WIRE_MEMORY_ACCESS:
        put_wrong_access(out, f, site, sites);
        break;
    case WIRE_MEMORY_FREE:
        put_free(out, f, site, sites);
        break;
    default:
        put_stack(out, f, site);
        break;
    }
}
