/* SPDX-License-Identifier: Apache-2.0 */
/* Symbolic values: the nodes of a run, the labels of memory, and what treadle is told.
 *
 * A node is made where an operand of an operation has a label; it keeps the concrete value as
 * well. Labels of memory say which byte of which node's value a byte is, so that a store makes
 * no nodes, and a load of what was stored gives back the same label. Code that is not
 * instrumented writes memory without our knowledge: a label whose byte does not have the value
 * it should have is dropped.
 *
 * Nodes are told when a decision needs them, and numbered anew then.
 *
 * Reading: Chen et al., SYMSAN, USENIX Security 2022. */
#include "runtime/rt.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "runtime/sys.h"
#include "wire/sym.h"

/* What a node is made of, and whether its reads have been told. */
enum { OF_INPUTS = 1, OF_READS = 2, USED = 4 };

/* A read of memory (reads.c), never told: a is the label of what was stored there; immediates:
 * address, and operations before it above its site. */
enum { OP_READ = 255 };

typedef struct node {
    uint8_t op, bits, offset, flags; /* enum wire_sym_op; EXTRACT: first bit */
    uint32_t a, b, c;                /* labels; 0: the immediate */
    uint64_t immediate[2];
    uint64_t value[2]; /* low and high half */
    uint32_t told;     /* its number for treadle, 0: not told yet */
    uint32_t thread;   /* of a read */
} node;

#define MAX_PAGES (1u << 16) /* a power of two */
#define MAX_SITES (1u << 15) /* a power of two */
#define PAGE UINT64_C(4096)

typedef struct symbols {
    uint32_t n_nodes; /* [0] is not used */
    uint32_t n_told;
    uint32_t n_used;  /* nodes before this one have all been used */
    uint32_t n_pages; /* of the label plane that may hold labels */
    uint32_t n_sites;
    bool full, pages_full;
    uint64_t last_page;
    uint64_t pages[MAX_PAGES];        /* list */
    uint64_t round;                   /* of the runs since the tables were emptied, 1.. */
    uint64_t page_set[2 * MAX_PAGES]; /* open hash table: page number */
    uint64_t sites[MAX_SITES];        /* open hash table: kind << 32 | site */
    uint32_t stack[WIRE_SYM_MAX_NODES + 3];
} symbols;

#define SYM ((symbols *)RT_SYMBOLS)
#define NODES ((node *)RT_NODES)

static uint64_t hash(uint64_t x)
{
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x >> 32;
}

/* An entry of a table is free unless its upper 16 bits are those of this run: emptying the
 * tables after each run would take longer than many a run. */
static uint64_t stamped(uint64_t key)
{
    return key | SYM->round << 48;
}

static bool in_use(uint64_t entry)
{
    return entry >> 48 == SYM->round;
}

/* ---- what is told once per site and run ---- */

/* True the first time in a run, and always once the table is full: what is told more often than
 * needed is no harm, what is not told may be. */
static bool first_at(uint32_t kind, uint32_t site)
{
    uint64_t key = stamped((uint64_t)(kind + 1) << 32 | site);
    if (SYM->n_sites >= MAX_SITES / 2)
        return true;
    uint64_t i = hash(key) & (MAX_SITES - 1);
    for (; in_use(SYM->sites[i]); i = (i + 1) & (MAX_SITES - 1))
        if (SYM->sites[i] == key)
            return false;
    SYM->sites[i] = key;
    SYM->n_sites++;
    return true;
}

void rt_gap_once(enum wire_gap kind, uint32_t site, const char *text)
{
    if ((rt->active || rt->checking) && first_at(kind, site))
        rt_gap(kind, site, text);
}

/* ---- nodes ---- */

static uint64_t mask_of(uint32_t bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static uint64_t mask_high(uint32_t bits)
{
    return bits <= 64 ? 0 : mask_of(bits - 64);
}

/* The node of a label that the program passed: it may have written over it. */
static const node *node_at(uint32_t label)
{
    return label < SYM->n_nodes ? &NODES[label] : &NODES[0];
}

/* A label of that width, or 0: what came from elsewhere need not be what it is used as. */
static uint32_t of_width(uint32_t label, uint32_t bits)
{
    return label && node_at(label)->bits == bits ? label : 0;
}

/* A new node without operands; its number is 0 if there is no room. */
static uint32_t node_new(uint8_t op, uint32_t bits, uint64_t low, uint64_t high)
{
    if (SYM->n_nodes == WIRE_SYM_MAX_NODES) {
        if (!SYM->full)
            rt_gap_once(WIRE_GAP_SYMBOLIC, 0,
                        "more symbolic values in a run than are kept");
        SYM->full = true;
        return 0;
    }
    uint32_t label = SYM->n_nodes++;
    NODES[label] = (node){.op = op,
                          .bits = (uint8_t)bits,
                          .value = {low & mask_of(bits), high & mask_high(bits)}};
    return label;
}

/* Its operands are known now. */
static void inherit(node *n)
{
    n->flags |= (node_at(n->a)->flags | node_at(n->b)->flags | node_at(n->c)->flags) &
                (OF_INPUTS | OF_READS);
}

static uint32_t node_binary(uint32_t what, uint32_t la, uint32_t lb,
                            const uint64_t values[6])
{
    uint8_t op = (uint8_t)what;
    uint32_t bits = what >> 8 & 0xff;
    bool predicate = op >= WIRE_SYM_EQ && op <= WIRE_SYM_SLE;
    la = of_width(la, bits);
    lb = of_width(lb, bits);
    if (!(la | lb))
        return 0;
    uint32_t label = node_new(op, predicate ? 1 : bits, values[4], values[5]);
    if (label == 0)
        return 0;
    node *n = &NODES[label];
    n->a = la;
    n->b = lb;
    const uint64_t *immediate = la ? values + 2 : values;
    if (!la || !lb) {
        n->immediate[0] = immediate[0] & mask_of(bits);
        n->immediate[1] = immediate[1] & mask_high(bits);
    }
    inherit(n);
    return label;
}

static uint32_t node_unary(uint8_t op, uint32_t bits, uint32_t la, uint64_t low,
                           uint64_t high)
{
    uint32_t label = node_new(op, bits, low, high);
    if (label == 0)
        return 0;
    NODES[label].a = la;
    inherit(&NODES[label]);
    return label;
}

static uint32_t node_extract(uint32_t la, uint32_t first, uint32_t bits)
{
    const node *n = node_at(la);
    if (first == 0 && n->bits == bits)
        return la;
    unsigned __int128 value = (unsigned __int128)n->value[1] << 64 | n->value[0];
    value >>= first;
    uint32_t label =
        node_unary(WIRE_SYM_EXTRACT, bits, la, (uint64_t)value, (uint64_t)(value >> 64));
    if (label)
        NODES[label].offset = (uint8_t)first;
    return label;
}

static uint32_t node_extend(uint32_t la, uint32_t bits)
{
    const node *n = node_at(la);
    return node_unary(WIRE_SYM_ZEXT, bits, la, n->value[0], n->value[1]);
}

/* The label of a value that is used with another width. */
static uint32_t fit(uint32_t label, uint32_t bits)
{
    uint32_t has = node_at(label)->bits;
    if (has == 0 || has == bits)
        return has ? label : 0;
    return has > bits ? node_extract(label, 0, bits) : node_extend(label, bits);
}

/* ---- labels of memory ---- */

static uint32_t *labels_at(uint64_t p)
{
    return (uint32_t *)PLAN_LABEL(p);
}

static void page_add(uint64_t page)
{
    uint64_t i = hash(page) & (2 * MAX_PAGES - 1);
    for (; in_use(SYM->page_set[i]); i = (i + 1) & (2 * MAX_PAGES - 1))
        if (SYM->page_set[i] == stamped(page))
            return;
    if (SYM->n_pages == MAX_PAGES) {
        SYM->pages_full = true;
        return;
    }
    SYM->page_set[i] = stamped(page);
    SYM->pages[SYM->n_pages++] = page;
}

/* Labels other than 0 are about to be put there. */
static void touch(uint64_t p, uint64_t size)
{
    uint64_t first = PLAN_LABEL(p) / PAGE, last = PLAN_LABEL(p + size - 1) / PAGE;
    for (uint64_t page = first; page <= last; page++) {
        if (page != SYM->last_page)
            page_add(page);
        SYM->last_page = page;
    }
}

static void drop_plane(void)
{
#define X(lo, hi)                                                                        \
    rt_sys(SYS_madvise, (long)PLAN_LABEL(lo), (long)((hi - lo) * 4), MADV_DONTNEED);
    PLAN_WINDOWS(X)
#undef X
}

/* Tables are empty again: also those of gaps, which are told where nothing is symbolic. */
static void next_round(void)
{
    if (++SYM->round >> 16) {
        memset(SYM->page_set, 0, sizeof SYM->page_set);
        memset(SYM->sites, 0, sizeof SYM->sites);
        SYM->round = 1;
    }
    SYM->n_sites = 0;
}

void rt_sym_reset(void)
{
    SYM->n_told = 0;
    SYM->n_nodes = SYM->n_used = 1;
    rt->n_inputs = rt->input_at = 0;
    if (!rt->symbolic) {
        next_round();
        return;
    }
    if (SYM->pages_full)
        drop_plane();
    for (uint32_t i = 0; i < SYM->n_pages && !SYM->pages_full; i++)
        memset((void *)(SYM->pages[i] * PAGE), 0, PAGE);
    next_round();
    SYM->n_pages = 0;
    SYM->last_page = 0;
    SYM->full = SYM->pages_full = false;
    PLAN_CTL->callee = PLAN_CTL->returned = 0;
}

bool rt_sym_live(void)
{
    return rt->symbolic && SYM->n_pages > 0;
}

bool rt_sym_exists(void)
{
    return rt->symbolic && SYM->n_nodes > 1;
}

void rt_sym_forget(uint64_t p, uint64_t size)
{
    if (rt_sym_live())
        memset(labels_at(p), 0, size * 4);
}

static bool any_label(const uint32_t *labels, uint64_t n)
{
    uint32_t any = 0;
    for (uint64_t i = 0; i < n; i++)
        any |= labels[i];
    return any != 0;
}

bool rt_sym_any(uint64_t p, uint64_t size)
{
    return rt_sym_live() && any_label(labels_at(p), size);
}

#define TEXT_LABEL (WIRE_SYM_MAX_NODES << 4) /* no node has this number */

void rt_sym_put_text(uint64_t p, uint32_t size)
{
    uint32_t *labels = labels_at(p);
    touch(p, size);
    for (uint32_t i = 0; i < size; i++)
        labels[i] = TEXT_LABEL;
}

/* Bytes are looked at or copied: digits of a number get their own labels first. */
static void spell(uint64_t p, uint64_t size)
{
    const uint32_t *labels = labels_at(p);
    for (uint64_t i = 0; i < size; i++)
        if (labels[i] == TEXT_LABEL) {
            rt_given_spell(p, size);
            return;
        }
}

void rt_sym_copy(uint64_t to, uint64_t from, uint64_t size)
{
    if (!rt_sym_live() || size == 0)
        return;
    if (any_label(labels_at(from), size)) {
        spell(from, size);
        touch(to, size);
    }
    memmove(labels_at(to), labels_at(from), size * 4);
}

void rt_sym_put(uint64_t p, uint32_t size, uint32_t label)
{
    uint32_t *labels = labels_at(p);
    if (label)
        label = fit(label, size * 8);
    if (label)
        touch(p, size);
    for (uint32_t i = 0; i < size; i++)
        labels[i] = label ? label << 4 | i : 0;
}

/* Drops labels of bytes that were changed by somebody else. */
static void validate(uint32_t *labels, uint32_t size, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < size; i++) {
        if (labels[i] == 0)
            continue;
        const node *n = node_at(labels[i] >> 4);
        uint32_t k = labels[i] & 15;
        uint8_t byte = (uint8_t)(n->value[k / 8] >> k % 8 * 8);
        if (8 * k >= n->bits || byte != bytes[i])
            labels[i] = 0;
    }
}

/* Bytes in a row, from the i-th one, that are such of one node or are concrete. */
static uint32_t row_at(const uint32_t *labels, uint32_t size, uint32_t i)
{
    uint32_t n = 1;
    while (i + n < size && labels[i + n] == (labels[i] ? labels[i] + n : 0) &&
           labels[i + n] >> 4 == labels[i] >> 4)
        n++;
    return n;
}

/* Low so far: label low, or 0 and its value; high comes above it. */
static uint32_t join(uint32_t high, uint32_t low, uint32_t high_bits, uint32_t low_bits,
                     unsigned __int128 value)
{
    uint32_t bits = high_bits + low_bits;
    uint32_t label =
        node_new(WIRE_SYM_CONCAT, bits, (uint64_t)value, (uint64_t)(value >> 64));
    if (label == 0)
        return 0;
    node *n = &NODES[label];
    n->a = high;
    n->b = low;
    unsigned __int128 immediate = high ? value : value >> low_bits;
    uint32_t width = high ? low_bits : high_bits;
    if (!high || !low) {
        n->immediate[0] = (uint64_t)immediate & mask_of(width);
        n->immediate[1] = (uint64_t)(immediate >> 64) & mask_high(width);
    }
    inherit(n);
    return label;
}

/* The label of what is read from bytes that do not come from one store. */
static uint32_t assemble(const uint32_t *labels, uint32_t size, unsigned __int128 value)
{
    uint32_t low = 0, low_bits = 0;
    for (uint32_t i = 0, n; i < size; i += n) {
        n = row_at(labels, size, i);
        uint32_t part = 0;
        if (labels[i])
            part = node_extract(labels[i] >> 4, (labels[i] & 15) * 8, n * 8);
        if ((part | low) && low_bits)
            low = join(part, low, n * 8, low_bits, value);
        else
            low = part;
        low_bits += n * 8;
    }
    return low;
}

uint32_t rt_sym_get(uint64_t p, uint32_t size, uint64_t low, uint64_t high)
{
    uint32_t *labels = labels_at(p);
    uint64_t halves[2] = {low, high};
    if (size > 16)
        return 0;
    spell(p, size);
    validate(labels, size, (const uint8_t *)halves);
    if (!any_label(labels, size))
        return 0;
    return assemble(labels, size, (unsigned __int128)high << 64 | low);
}

/* ---- telling ---- */

/* What no input has a say in is a constant of this run. */
static void node_tell_value(node *n)
{
    wire_rec *r = rt_emit(WIRE_NOTE_NODE);
    r->size = WIRE_SYM_CONST;
    r->order = n->bits;
    r->object = n->value[0];
    r->value = n->value[1];
    n->told = ++SYM->n_told;
}

static void node_tell(uint32_t label)
{
    node *n = &NODES[label];
    if (!(n->flags & OF_INPUTS)) {
        node_tell_value(n);
        return;
    }
    if (n->op == OP_READ) {
        n->told = NODES[n->a].told;
        return;
    }
    wire_rec *r = rt_emit(WIRE_NOTE_NODE);
    r->size = n->op;
    r->order = n->bits;
    r->flags = n->offset;
    r->thread = n->a ? NODES[n->a].told : 0;
    r->site = n->b ? NODES[n->b].told : 0;
    r->count = n->c ? NODES[n->c].told : 0;
    r->object = n->immediate[0];
    r->value = n->immediate[1];
    n->told = ++SYM->n_told;
}

/* Tells the node and what it needs, operands first; its number for treadle. */
static uint32_t tell(uint32_t label)
{
    uint32_t n_stack = 0;
    uint32_t *stack = SYM->stack;
    if (NODES[label].told == 0)
        stack[n_stack++] = label;
    while (n_stack > 0) {
        uint32_t top = stack[n_stack - 1];
        const uint32_t operands[] = {NODES[top].a, NODES[top].b, NODES[top].c};
        uint32_t before = n_stack;
        bool inside = (NODES[top].flags & OF_INPUTS) != 0;
        for (int i = 0; i < 3 && inside && n_stack == before; i++)
            if (operands[i] && NODES[operands[i]].told == 0)
                stack[n_stack++] = operands[i];
        if (n_stack > before)
            continue;
        n_stack--;
        node_tell(top);
    }
    return NODES[label].told;
}

/* ---- reads ---- */

void rt_sym_tell_used(uint64_t p, uint64_t size, uint32_t site)
{
    if (!rt->active)
        return;
    wire_rec *r = rt_emit(WIRE_NOTE_USED);
    r->thread = rt->self->id;
    r->site = site;
    r->count = rt->n_ops;
    r->object = p;
    r->value = size;
}

static void read_tell(const node *n)
{
    wire_rec *r = rt_emit(WIRE_NOTE_USED);
    r->thread = n->thread;
    r->site = (uint32_t)n->immediate[1];
    r->count = (uint32_t)(n->immediate[1] >> 32);
    r->object = n->immediate[0];
    r->value = n->bits / 8;
}

/* Each node is on the stack once: it is marked when it is put there. */
void rt_sym_used(uint32_t label)
{
    uint32_t n_stack = 0;
    if (!rt->active || !(node_at(label)->flags & OF_READS) || (NODES[label].flags & USED))
        return;
    NODES[label].flags |= USED;
    SYM->stack[n_stack++] = label;
    while (n_stack > 0) {
        const node *n = &NODES[SYM->stack[--n_stack]];
        const uint32_t operands[] = {n->a, n->b, n->c};
        if (n->op == OP_READ)
            read_tell(n);
        for (int i = 0; i < 3; i++) {
            node *o = &NODES[operands[i]];
            if (!(o->flags & OF_READS) || (o->flags & USED))
                continue;
            o->flags |= USED;
            SYM->stack[n_stack++] = operands[i];
        }
    }
}

/* Some value went where nothing is followed, it is not known which. */
static void use_all(void)
{
    for (; rt->flow && SYM->n_used < SYM->n_nodes; SYM->n_used++)
        rt_sym_used(SYM->n_used);
}

static uint64_t read_half(uint64_t p, uint32_t size)
{
    return size > 0 ? rt_peek(p, size) : 0;
}

uint32_t rt_sym_read(uint64_t p, uint32_t size, uint32_t site)
{
    uint64_t low = read_half(p, size < 8 ? size : 8);
    uint64_t high = read_half(p + 8, size > 8 ? size - 8 : 0);
    uint32_t stored = rt_sym_get(p, size, low, high);
    const node *last = node_at(stored);
    if (last->op == OP_READ && last->immediate[0] == p && last->bits == 8 * size)
        stored = last->a;
    uint32_t label = node_new(OP_READ, 8 * size, low, high);
    if (label == 0)
        return 0;
    node *n = &NODES[label];
    n->a = of_width(stored, 8 * size);
    n->thread = rt->self->id;
    n->immediate[0] = p;
    n->immediate[1] = (uint64_t)rt->n_ops << 32 | site;
    n->flags = OF_READS;
    inherit(n);
    rt_sym_put(p, size, label);
    return label;
}

static bool by_inputs(uint32_t label)
{
    return (node_at(label)->flags & OF_INPUTS) != 0;
}

bool rt_sym_is_input(uint32_t label)
{
    return by_inputs(label);
}

bool rt_sym_by_inputs(uint64_t p, uint64_t size)
{
    bool any = false;
    for (uint64_t i = 0; i < size && rt_sym_live(); i++)
        any |= labels_at(p)[i] == TEXT_LABEL || by_inputs(labels_at(p)[i] >> 4);
    return any;
}

static void decide(uint32_t label, uint64_t value, enum wire_decide how, uint32_t site)
{
    rt_sym_used(label);
    if (!by_inputs(label))
        return;
    if (rt->checking && label != 0)
        rt_gap_once(WIRE_GAP_CONCRETE, site, "a specification branches on an input");
    if (!rt->active || label == 0 || label >= SYM->n_nodes)
        return;
    if (rt->n_ops >= rt->job.head.depth)
        rt_run_end(WIRE_DONE_DEPTH, 0);
    if (rt->trying)
        rt_spin_leave();
    rt_flush_write();
    uint32_t told = tell(label);
    rt->self->spin.changes++;
    wire_rec *r = rt_emit(WIRE_DECIDE);
    r->size = (uint8_t)how;
    r->flags = WIRE_F_FORCED;
    r->thread = rt->self->id;
    r->site = site;
    r->object = told;
    r->value = value;
    rt->n_ops++;
}

/* The last operation, a compare-exchange, succeeded or failed by this condition. */
static void outcome(uint32_t label)
{
    rt_sym_used(label);
    if (!by_inputs(label))
        return;
    if (!rt->active || label == 0 || label >= SYM->n_nodes)
        return;
    rt_flush_write();
    uint32_t told = tell(label);
    rt->self->spin.changes++;
    wire_rec *r = rt_emit(WIRE_NOTE_WHY);
    r->thread = rt->self->id;
    r->object = told;
}

void rt_sym_branch(uint32_t label, bool taken, uint32_t site)
{
    decide(label, taken, WIRE_DECIDE_BRANCH, site);
}

void rt_sym_concrete(uint32_t label, uint64_t value, uint32_t site)
{
    decide(label, value, WIRE_DECIDE_VALUE, site);
}

uint32_t rt_sym_input(uint32_t bits, uint64_t value, uint32_t number)
{
    uint32_t label = node_new(WIRE_SYM_INPUT, bits, value, 0);
    if (label) {
        NODES[label].immediate[0] = number;
        NODES[label].flags = OF_INPUTS;
    }
    return label;
}

/* A function may be declared with another type than it has; bool has 8 bits here, one in LLVM. */
RT_HIDDEN uint32_t rt_slow_sym_fit(uint32_t label, uint32_t bits);
uint32_t rt_slow_sym_fit(uint32_t label, uint32_t bits)
{
    return rt_sym_extended(label, bits);
}

uint32_t rt_sym_extended(uint32_t label, uint32_t bits)
{
    return label ? fit(label, bits) : 0;
}

uint32_t rt_sym_resized(uint32_t label, uint64_t value, bool is_signed)
{
    if (label == 0 || node_at(label)->bits >= 64)
        return label;
    return node_unary(is_signed ? WIRE_SYM_SEXT : WIRE_SYM_ZEXT, 64, label, value, 0);
}

uint32_t rt_sym_apply(uint32_t what, uint32_t label, uint64_t value, uint64_t by,
                      uint64_t result)
{
    const uint64_t values[6] = {value, 0, by, 0, result, 0};
    return node_binary(what, label, 0, values);
}

uint32_t rt_sym_less(uint32_t label, int32_t value, int32_t bound)
{
    const uint64_t values[6] = {(uint32_t)value, 0, (uint32_t)bound, 0, value < bound, 0};
    return node_binary(WIRE_SYM(WIRE_SYM_SLT, 32), label, 0, values);
}

/* label is not 0, as a condition. */
uint32_t rt_sym_truth(uint32_t label, uint64_t value)
{
    uint32_t bits = label ? node_at(label)->bits : 0;
    if (bits == 0 || bits > 64)
        return 0;
    const uint64_t values[6] = {value, 0, 0, 0, (value & mask_of(bits)) != 0, 0};
    return node_binary(WIRE_SYM(WIRE_SYM_NE, bits), label, 0, values);
}

uint32_t rt_sym_argument(const void *self, uint32_t i)
{
    if (!rt->symbolic || PLAN_CTL->callee != (uint64_t)self)
        return 0;
    return node_at(PLAN_CTL->arguments[i])->bits ? PLAN_CTL->arguments[i] : 0;
}

void rt_sym_arrive(void)
{
    PLAN_CTL->callee = 0;
}

void rt_sym_return(const void *self, uint32_t label)
{
    PLAN_CTL->results[0] = label;
    PLAN_CTL->returned = (uint64_t)self;
}

void rt_sym_pass(const void *callee, uint32_t label)
{
    if (!rt->symbolic)
        return;
    PLAN_CTL->arguments[0] = label;
    PLAN_CTL->callee = (uint64_t)callee;
    PLAN_CTL->returned = 0;
}

uint32_t rt_sym_result(const void *callee)
{
    bool follows = rt->symbolic && PLAN_CTL->returned == (uint64_t)callee;
    return follows ? PLAN_CTL->results[0] : 0;
}

void *rt_sym_call(void *(*start)(void *), void *arg, uint32_t label, uint32_t *result)
{
    *result = 0;
    if (!rt->symbolic)
        return start(arg);
    rt_sym_pass((const void *)start, label);
    void *value = start(arg);
    *result = rt_sym_result((const void *)start);
    return value;
}

/* ---- what operations read and write (WIRE_JOB_READS) ----
 *
 * The bytes get the label of a READ when the operation is granted, so that the load that follows
 * finds it; then they have again what they had. Where nothing follows the value it is decided
 * instead, before the thread's next operation: a pointer, a float. */

void rt_visible_reset(void)
{
    rt->reads = (rt->job.head.flags & WIRE_JOB_READS) != 0;
    rt->reading = rt->writing = (rt_visible){0};
    bool sides = (rt->job.head.flags & WIRE_JOB_SIDES) != 0;
    if (rt->reads || sides) {
        rt_labels_map();
        rt->symbolic = true;
    }
    PLAN_CTL->covering = sides;
}

static uint32_t read_taken(void)
{
    rt_visible *v = &rt->reading;
    memcpy(labels_at(v->at), v->before, v->size * sizeof v->before[0]);
    v->at = 0;
    return v->label;
}

static void tell_wrote(uint32_t told, uint64_t value)
{
    wire_rec *r = rt_emit(WIRE_NOTE_WROTE);
    r->thread = rt->self->id;
    r->object = told;
    r->value = value;
}

static void wrote(uint32_t label)
{
    rt->writing.at = 0;
    rt_flush_write();
    uint32_t told = label ? tell(label) : 0;
    tell_wrote(told, label ? NODES[label].value[0] : 0);
}

void rt_visible_granted(rt_thread *t, uint8_t kind)
{
    const rt_op *op = &t->pending;
    bool writes = rt_writes(kind), reads = rt_reads(kind);
    if (!reads && !writes)
        return;
    if (op->size > 8) {
        rt_gap_once(WIRE_GAP_CONCRETE, op->site, "an atomic access of more than 8 bytes");
        return;
    }
    if (writes)
        rt->writing = (rt_visible){.at = op->object, .size = op->size};
    uint64_t value = reads ? rt_peek(op->object, op->size) : 0;
    uint32_t label = reads ? node_new(WIRE_SYM_READ, op->size * 8, value, 0) : 0;
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

void rt_visible_ended(rt_thread *t)
{
    uint32_t label = rt_sym_resized(t->value_label, (uint64_t)t->value, true);
    label = of_width(label, 64);
    tell_wrote(label ? tell(label) : 0, (uint64_t)t->value);
}

/* Results are pointers, which are followed here and there only. */
uint32_t rt_visible_joined(const rt_thread *t, uint32_t site)
{
    if (!rt->reads)
        return t->value_label;
    uint64_t value = (uint64_t)t->value;
    uint32_t label = node_new(WIRE_SYM_READ, 64, value, 0);
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
        read_taken();
        rt_sym_concrete(read.label, NODES[read.label].value[0], read.site);
    }
    if (write.at) {
        rt->writing.at = 0;
        rt_flush_write();
        tell_wrote(0, rt_peek(write.at, write.size));
    }
}

void rt_sym_unshared(void)
{
    rt_gap_once(WIRE_GAP_SYMBOLIC, 0, "more plain accesses than are checked for sharing");
}

/* Each side once for each thread. */
static void cover(uint64_t side, uint32_t site)
{
    const wire_site *s = rt_site_by_number(site);
    if (!PLAN_CTL->covering || !rt->active || !s || s->kind != WIRE_SITE_BRANCH ||
        s->size == 0)
        return;
    uint64_t what = WIRE_N_GAPS + 1 + side + rt->self->id * (uint64_t)s->size;
    /* Beyond the numbers that the table has room for, it is told each time. */
    if (what < 0x7fff && !first_at((uint32_t)what, site))
        return;
    rt_flush_write();
    wire_rec *r = rt_emit(WIRE_NOTE_SIDE);
    r->thread = rt->self->id;
    r->site = site;
    r->value = side;
}

static uint64_t side_of(uint64_t value, const uint64_t *cases, uint32_t n_cases)
{
    for (uint32_t i = 0; i < n_cases; i++)
        if (cases[i] == value)
            return i + 1;
    return 0;
}

/* ---- entries ---- */

RT_HIDDEN uint32_t rt_slow_sym_binary(uint32_t what, uint32_t la, uint32_t lb, uint64_t a,
                                      uint64_t b, uint64_t r);
uint32_t rt_slow_sym_binary(uint32_t what, uint32_t la, uint32_t lb, uint64_t a,
                            uint64_t b, uint64_t r)
{
    const uint64_t values[6] = {a, 0, b, 0, r, 0};
    return node_binary(what, la, lb, values);
}

RT_HIDDEN uint32_t rt_slow_sym_wide(uint32_t what, uint32_t la, uint32_t lb,
                                    const uint64_t values[6]);
uint32_t rt_slow_sym_wide(uint32_t what, uint32_t la, uint32_t lb,
                          const uint64_t values[6])
{
    return node_binary(what, la, lb, values);
}

RT_HIDDEN uint32_t rt_slow_sym_unary(uint32_t what, uint32_t la, uint64_t r,
                                     uint64_t r_high);
uint32_t rt_slow_sym_unary(uint32_t what, uint32_t la, uint64_t r, uint64_t r_high)
{
    uint8_t op = (uint8_t)what;
    uint32_t bits = what >> 8 & 0xff, from = node_at(la)->bits;
    bool extends = op == WIRE_SYM_ZEXT || op == WIRE_SYM_SEXT;
    bool fits = op == WIRE_SYM_EXTRACT ? from > bits
                : extends              ? from < bits
                                       : from == bits;
    if (from == 0 || !fits)
        return from == bits && (extends || op == WIRE_SYM_EXTRACT) ? la : 0;
    return node_unary(op, bits, la, r, r_high);
}

RT_HIDDEN uint32_t rt_slow_sym_select(uint32_t what, uint32_t lc, uint64_t labels,
                                      uint64_t a, uint64_t b);
uint32_t rt_slow_sym_select(uint32_t what, uint32_t lc, uint64_t labels, uint64_t a,
                            uint64_t b)
{
    uint32_t bits = what & 0xff;
    bool c = (what >> 8 & 1) != 0;
    uint32_t la = of_width((uint32_t)labels, bits);
    uint32_t lb = of_width((uint32_t)(labels >> 32), bits);
    if (of_width(lc, 1) == 0)
        return c ? la : lb;
    uint32_t label = node_new(WIRE_SYM_ITE, bits, c ? a : b, 0);
    if (label) {
        node *n = &NODES[label];
        n->a = lc;
        n->b = la;
        n->c = lb;
        n->immediate[0] = la ? 0 : a & mask_of(bits);
        n->immediate[1] = lb ? 0 : b & mask_of(bits);
        inherit(n);
    }
    return label;
}

/* The index is extended with its sign and multiplied. */
static uint32_t scaled(uint32_t label, uint64_t index, uint64_t scale)
{
    uint32_t bits = label ? node_at(label)->bits : 0;
    if (bits > 64)
        label = node_extract(label, 0, 64);
    else if (bits && bits < 64)
        label = node_unary(WIRE_SYM_SEXT, 64, label, index, 0);
    if (scale == 1 || label == 0)
        return label;
    const uint64_t values[6] = {index, 0, scale, 0, index * scale, 0};
    return node_binary(WIRE_SYM(WIRE_SYM_MUL, 64), label, 0, values);
}

RT_HIDDEN uint32_t rt_slow_sym_index(uint32_t lbase, uint32_t lindex, uint64_t base,
                                     uint64_t index, uint64_t scale);
uint32_t rt_slow_sym_index(uint32_t lbase, uint32_t lindex, uint64_t base, uint64_t index,
                           uint64_t scale)
{
    uint32_t offset = scaled(lindex, index, scale);
    if (offset == 0 && index * scale == 0)
        return lbase;
    const uint64_t values[6] = {base, 0, index * scale, 0, base + index * scale, 0};
    return node_binary(WIRE_SYM(WIRE_SYM_ADD, 64), lbase, offset, values);
}

RT_HIDDEN uint32_t rt_slow_sym_load(const void *p, uint32_t size, uint64_t value,
                                    uint64_t value_high);
uint32_t rt_slow_sym_load(const void *p, uint32_t size, uint64_t value,
                          uint64_t value_high)
{
    if (rt->reading.at == (uint64_t)p && size == rt->reading.size)
        return read_taken();
    if (rt->flow)
        rt_reads_claimed((uint64_t)p);
    return rt_sym_get((uint64_t)p, size, value, value_high);
}

RT_HIDDEN void rt_slow_sym_store(void *p, uint32_t size, uint32_t label);
void rt_slow_sym_store(void *p, uint32_t size, uint32_t label)
{
    if (rt->writing.at == (uint64_t)p && size == rt->writing.size && label)
        wrote(fit(label, size * 8));
    if (size <= 16)
        rt_sym_put((uint64_t)p, size, label);
    else
        rt_sym_forget((uint64_t)p, size);
}

void rt_sym_lost(uint32_t site)
{
    use_all();
    /* Without inputs it can only be what was read. */
    if (!rt->flow || rt->n_inputs > 0)
        rt_gap_once(WIRE_GAP_CONCRETE, site, "");
}

/* Uses the bytes where they are not followed; returns whether an input affects one of them. */
static bool use_bytes(uint64_t p, uint64_t size)
{
    uint32_t *labels = labels_at(p);
    if (!any_label(labels, size))
        return false;
    spell(p, size);
    bool any = false;
    for (uint64_t i = 0; i < size; i++) {
        if (labels[i] == 0)
            continue;
        validate(labels + i, 1, (const uint8_t *)p + i);
        rt_sym_used(labels[i] >> 4);
        any |= by_inputs(labels[i] >> 4);
    }
    return any;
}

RT_HIDDEN void rt_slow_sym_opaque(const void *p, uint64_t size, const wire_site *s);
void rt_slow_sym_opaque(const void *p, uint64_t size, const wire_site *s)
{
    if (!rt_sym_live() || rt->reading.at == (uint64_t)p)
        return;
    if (use_bytes((uint64_t)p, size))
        rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s), "");
}

RT_HIDDEN void rt_slow_sym_pointer(const void *p, uint64_t value, const wire_site *s);
void rt_slow_sym_pointer(const void *p, uint64_t value, const wire_site *s)
{
    uint64_t at = (uint64_t)p;
    /* A read that is waited for is decided before the next operation. */
    if (rt->reading.at == at || !rt_sym_by_inputs(at, sizeof value))
        return;
    rt_sym_concrete(rt_sym_get(at, sizeof value, value, 0), value,
                    rt_site_number((uint64_t)s));
}

RT_HIDDEN void rt_slow_sym_branch(uint32_t label, uint32_t taken, const wire_site *s);
void rt_slow_sym_branch(uint32_t label, uint32_t taken, const wire_site *s)
{
    if (taken == WIRE_SYM_OUTCOME) {
        outcome(of_width(label, 1));
        return;
    }
    uint32_t site = rt_site_number((uint64_t)s);
    cover(taken != 0, site);
    rt_sym_branch(of_width(label, 1), taken != 0, site);
}

RT_HIDDEN void rt_slow_sym_switch(uint32_t label, uint64_t value, const uint64_t *cases,
                                  uint32_t n_cases, const wire_site *s);
void rt_slow_sym_switch(uint32_t label, uint64_t value, const uint64_t *cases,
                        uint32_t n_cases, const wire_site *s)
{
    uint32_t site = rt_site_number((uint64_t)s);
    rt_sym_used(label);
    if (!rt->active)
        return;
    cover(side_of(value, cases, n_cases), site);
    bool first = by_inputs(label) && first_at(WIRE_N_GAPS, site);
    for (uint32_t i = 0; first && i < n_cases; i++) {
        wire_rec *r = rt_emit(WIRE_NOTE_CASE);
        r->site = site;
        r->value = cases[i];
    }
    decide(label, value, WIRE_DECIDE_SWITCH, site);
}

RT_HIDDEN void rt_slow_sym_address(uint32_t label, uint64_t value, const wire_site *s);
void rt_slow_sym_address(uint32_t label, uint64_t value, const wire_site *s)
{
    uint32_t site = rt_site_number((uint64_t)s);
    rt_sym_concrete(label, value, site);
}

RT_HIDDEN void rt_slow_sym_lost(uint32_t label, const wire_site *s);
void rt_slow_sym_lost(uint32_t label, const wire_site *s)
{
    bool any = !rt->flow || by_inputs(label);
    rt_sym_used(label);
    /* It may be several labels or-ed, then those of arguments that nobody has taken. */
    for (uint32_t i = 0; rt->flow && PLAN_CTL->callee && i < PLAN_ARGUMENTS; i++) {
        uint32_t argument = PLAN_CTL->arguments[i];
        if ((argument | label) != label)
            continue;
        rt_sym_used(argument);
        any |= by_inputs(argument);
    }
    if (any)
        rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s), "");
}

void rt_sym_bytes_concrete(const void *p, uint64_t size, uint32_t site, const char *name)
{
    if (size == 0 || !rt_sym_live())
        return;
    if (use_bytes((uint64_t)p, size))
        rt_gap_once(WIRE_GAP_CONCRETE, site, name);
}

void rt_sym_clear(void *p, uint64_t size)
{
    rt_sym_forget((uint64_t)p, size);
}

/* How many bytes it looked at is not known, and what lies behind them may be something else: the
 * first bytes count, or a text up to its end; and where these are addresses, the same there. */
enum { SHOWN = 8, SHOWN_TEXT = 256, SHOWN_WORDS = 16 };

static bool is_memory(uint64_t p)
{
#define X(lo, hi)                                                                        \
    if (p - lo < hi - lo - SHOWN_TEXT)                                                   \
        return true;
    PLAN_WINDOWS(X)
#undef X
    return false;
}

/* Bytes at p that have labels, or are the first ones, up to the end of a text. Where the function
 * wrote over a symbolic byte it may have read it before. */
static bool use_shown(uint64_t p)
{
    const uint32_t *labels = labels_at(p);
    bool any = false;
    for (uint64_t i = 0; i < SHOWN; i++)
        any |= labels[i] != TEXT_LABEL && by_inputs(labels[i] >> 4);
    any |= use_bytes(p, SHOWN);
    if (!any_label(labels + SHOWN, SHOWN_TEXT - SHOWN))
        return any;
    uint64_t n = strnlen((const char *)p, SHOWN_TEXT);
    return use_bytes(p, n > SHOWN ? n : SHOWN) || any;
}

/* The words at p up to the end of its page; their number. p may be no address at all. */
static uint64_t read_words(uint64_t p, uint64_t out[SHOWN_WORDS])
{
    uint64_t left = PAGE - p % PAGE, size = SHOWN_WORDS * 8;
    struct iovec to = {out, left < size ? left : size};
    struct iovec from = {(void *)p, to.iov_len};
    long got = rt_sys6(SYS_process_vm_readv, rt_sys(SYS_getpid, 0, 0, 0), (long)&to, 1,
                       (long)&from, 1, 0);
    return got > 0 ? (uint64_t)got / 8 : 0;
}

RT_HIDDEN void rt_slow_sym_shown(const void *p, uint64_t callee, const wire_site *s);
void rt_slow_sym_shown(const void *p, uint64_t callee, const wire_site *s)
{
    uint64_t at = (uint64_t)p;
    if (!rt_sym_live() || !is_memory(at) || rt_is_taken_over(callee))
        return;
    uint64_t words[SHOWN_WORDS];
    uint64_t n = at % 8 == 0 ? read_words(at, words) : 0;
    bool any = use_shown(at);
    for (uint64_t i = 0; i < n && words[i] != 0; i++)
        any |= is_memory(words[i]) && use_shown(words[i]);
    if (any)
        rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s), "");
}

/* What goes to standard output or standard error is not read back. */
RT_EXPORT void __treadle_sym_output(uint64_t stream, uint32_t labels, const void *p,
                                    uint64_t size, const wire_site *s)
{
    if (!rt->active || rt_stream_is_output(stream))
        return;
    if (labels)
        rt_slow_sym_lost(labels, s);
    else if (size > 0 && is_memory((uint64_t)p))
        rt_slow_sym_opaque(p, size, s);
    else
        rt_slow_sym_shown(p, 0, s);
}

RT_EXPORT void __treadle_sym_dropped(const void *self, uint32_t n_parts,
                                     const wire_site *s)
{
    bool any = false;
    if (!rt->active || PLAN_CTL->returned != (uint64_t)self)
        return;
    for (uint32_t i = 0; i < n_parts && i < PLAN_RESULTS; i++) {
        rt_sym_used(PLAN_CTL->results[i]);
        any |= by_inputs(PLAN_CTL->results[i]);
    }
    if (any)
        rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s),
                    "a result returned to uninstrumented code");
}

RT_EXPORT void __treadle_sym_unfollowed(const wire_site *s)
{
    if (!rt_on() || !rt->symbolic)
        return;
    use_all();
    if (PLAN_CTL->symbolic && !rt->flow && !rt->reads)
        rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s),
                    "a function that is not followed");
}

RT_EXPORT void __treadle_sym_copy(void *to, const void *from, uint64_t size)
{
    rt_sym_copy((uint64_t)to, (uint64_t)from, size);
}

RT_EXPORT void __treadle_sym_fill(void *to, uint32_t label, uint64_t size)
{
    uint64_t p = (uint64_t)to;
    if (size == 0)
        return;
    if (!label) {
        rt_sym_forget(p, size);
        return;
    }
    for (uint64_t i = 0; i < size; i++)
        rt_sym_put(p + i, 1, label);
}

RT_EXPORT void __treadle_sym_argument(void *to, uint32_t i, uint64_t size,
                                      uint32_t is_passed)
{
    if (is_passed)
        rt_sym_copy((uint64_t)to, PLAN_CTL->sources[i], size);
    else
        rt_sym_forget((uint64_t)to, size);
}

/* ---- variable arguments ---- */

RT_EXPORT void __treadle_sym_va_take(wire_va *room, uint32_t is_passed)
{
    room->kinds = is_passed ? PLAN_CTL->va_kinds : 0;
    for (uint32_t i = 0; is_passed && i < PLAN_ARGUMENTS; i++)
        room->labels[i] = PLAN_CTL->arguments[i];
}

#if defined(__x86_64__)
typedef struct va_tag {
    uint32_t gp, fp;
    uint64_t stack, registers;
} va_tag;

enum { GP_END = 48, FP_END = 176 };

/* Where the next argument of that kind lies. */
static uint64_t va_next(va_tag *at, uint32_t kind)
{
    if (kind == WIRE_VA_INTEGER && at->gp < GP_END) {
        at->gp += 8;
        return at->registers + at->gp - 8;
    }
    if (kind == WIRE_VA_REAL && at->fp < FP_END) {
        at->fp += 16;
        return at->registers + at->fp - 16;
    }
    at->stack += 8;
    return at->stack - 8;
}

/* Their memory was written by the caller and by the start of the function, unseen. */
RT_EXPORT void __treadle_sym_va_start(const void *list, const wire_va *room,
                                      uint32_t n_fixed, const wire_site *s)
{
    va_tag at;
    memcpy(&at, list, sizeof at);
    if (!rt->active || !rt_sym_exists())
        return;
    rt_sym_forget((uint64_t)list, sizeof at);
    rt_sym_forget(at.registers + at.gp, GP_END - at.gp);
    for (uint32_t i = n_fixed; i < PLAN_ARGUMENTS; i++) {
        uint32_t kind = room->kinds >> 2 * i & 3;
        uint32_t label = kind == WIRE_VA_INTEGER ? room->labels[i] : 0;
        if (kind == WIRE_VA_NONE)
            return;
        if (kind == WIRE_VA_OTHER) { /* how large it is is not known here */
            rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s),
                        "a structure or a wide number among variable arguments");
            return;
        }
        uint64_t p = va_next(&at, kind);
        rt_sym_forget(p, 8);
        if (label)
            rt_sym_put(p, (node_at(label)->bits + 7u) / 8, label);
    }
}
#else
RT_EXPORT void __treadle_sym_va_start(const void *list, const wire_va *room,
                                      uint32_t n_fixed, const wire_site *s)
{
    (void)list;
    uint32_t any = 0;
    for (uint32_t i = n_fixed; room->kinds && i < PLAN_ARGUMENTS; i++)
        any |= room->kinds >> 2 * i & 3 ? room->labels[i] : 0;
    if (any && rt->active)
        rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s), "");
}
#endif

/* ---- overflow ---- */

static __int128 extended(uint64_t value, uint32_t bits, bool is_signed)
{
    if (!is_signed)
        return (__int128)(value & mask_of(bits));
    return (__int128)((int64_t)(value << (64 - bits)) >> (64 - bits));
}

static uint32_t wider(uint32_t label, uint32_t bits, bool is_signed, __int128 value)
{
    return label ? node_unary(is_signed ? WIRE_SYM_SEXT : WIRE_SYM_ZEXT, bits, label,
                              (uint64_t)value, (uint64_t)(value >> 64))
                 : 0;
}

/* In twice the width nothing overflows: the result does not fit if the extension of its low
 * half differs from it. */
RT_EXPORT uint32_t __treadle_sym_overflow(uint32_t what, uint32_t is_signed, uint32_t la,
                                          uint32_t lb, uint64_t a, uint64_t b)
{
    uint8_t op = (uint8_t)what;
    uint32_t bits = what >> 8 & 0xff;
    la = of_width(la, bits);
    lb = of_width(lb, bits);
    if (bits > 64 || !(la | lb))
        return 0;
    __int128 x = extended(a, bits, is_signed), y = extended(b, bits, is_signed);
    __int128 r = op == WIRE_SYM_ADD ? x + y : op == WIRE_SYM_SUB ? x - y : x * y;
    __int128 fits = extended((uint64_t)r, bits, is_signed);
    const uint64_t values[6] = {(uint64_t)x, (uint64_t)(x >> 64),
                                (uint64_t)y, (uint64_t)(y >> 64),
                                (uint64_t)r, (uint64_t)(r >> 64)};
    uint32_t wide = node_binary(WIRE_SYM(op, 2 * bits), wider(la, 2 * bits, is_signed, x),
                                wider(lb, 2 * bits, is_signed, y), values);
    uint32_t low = wide ? node_extract(wide, 0, bits) : 0;
    uint32_t again = low ? wider(low, 2 * bits, is_signed, fits) : 0;
    if (again == 0)
        return 0;
    unsigned __int128 mask = ~(unsigned __int128)0 >> (128 - 2 * bits);
    bool differs = ((unsigned __int128)(r ^ fits) & mask) != 0;
    const uint64_t both[6] = {0, 0, 0, 0, differs, 0};
    return node_binary(WIRE_SYM(WIRE_SYM_NE, 2 * bits), wide, again, both);
}
