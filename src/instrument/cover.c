/* SPDX-License-Identifier: Apache-2.0 */
/* Which code was executed: marks, and a table of their meaning.
 *
 * A mark is a byte that inserted code sets (wire/layout.h). There is one for each function, for each
 * outcome of a branch or switch, and for each block with several predecessors; all other blocks are
 * executed if and only if their predecessor is, with that outcome. Lines name the mark of their
 * block. Setting marks costs time: if a function has two versions, only the one that tracks symbolic
 * values sets them (twin.c).
 *
 * Runs before sroa, while the program is complete: a line that only sets a local variable
 * is still code. */
#include "instrument/instrument_int.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/assert.h"
#include "wire/hooks.h"
#include "wire/layout.h"

/* A byte of the record with this number in the module. */
typedef struct mark {
    uint32_t record;
    uint32_t side;
} mark;

typedef struct cover {
    ins_module *m;
    LLVMValueRef f;
    ins_map marks;   /* block -> its mark *, as far as known */
    mark *of_blocks; /* memory of them */
    size_t n_marks, max_marks;
} cover;

/* ---- records ---- */

static uint32_t n_records(const cover *c)
{
    return (uint32_t)c->m->sites.rows.len;
}

/* The address of a mark, a constant. */
static LLVMValueRef mark_address(const cover *c, LLVMValueRef record, uint32_t side)
{
    LLVMValueRef index = LLVMConstInt(c->m->i64, side, 0);
    return LLVMConstInBoundsGEP2(c->m->i8, record, &index, 1);
}

static const ins_site room = {
    .file = "", .function = "", .name = "", .callee = "", .kind = WIRE_SITE_ROOM};

/* A record has marks for as many sides as it has bytes; more sides take more records. */
static void add_room(cover *c, uint32_t n_sides)
{
    TD_ASSERT(n_sides <= UINT16_MAX);
    for (uint32_t n = sizeof(wire_site); n < n_sides; n += sizeof(wire_site))
        (void)ins_site_add(c->m, &room);
}

static void keep_mark(cover *c, LLVMBasicBlockRef bb, mark what)
{
    TD_ASSERT(c->n_marks < c->max_marks);
    mark *kept = &c->of_blocks[c->n_marks++];
    *kept = what;
    ins_map_put(&c->marks, bb, kept);
}

/* ---- positions of the builder ---- */

static void stand_at_start(cover *c, LLVMBasicBlockRef bb)
{
    LLVMValueRef at = LLVMGetFirstInstruction(bb);
    while (LLVMIsAPHINode(at) || LLVMIsAAllocaInst(at) || LLVMIsALandingPadInst(at))
        at = LLVMGetNextInstruction(at);
    ins_hook_stand(c->m, at);
}

/* How many edges lead to a block; *from is the block that one of them comes from. "UINT_MAX": its
 * address is taken. */
static unsigned count_edges(LLVMBasicBlockRef bb, LLVMBasicBlockRef *from)
{
    unsigned n = 0;
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(bb));
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
            return UINT32_MAX;
        *from = LLVMGetInstructionParent(user);
        n++;
    }
    return n;
}

/* ---- branches ---- */

static bool starts_with_phi(LLVMBasicBlockRef bb)
{
    return LLVMIsAPHINode(LLVMGetFirstInstruction(bb)) != NULL;
}

/* Edges of a switch get a block of their own where they join others. */
static LLVMBasicBlockRef edge_block(cover *c, LLVMValueRef inst, unsigned side)
{
    LLVMBasicBlockRef to = LLVMGetSuccessor(inst, side), from = NULL;
    if (count_edges(to, &from) == 1)
        return to;
    LLVMBasicBlockRef edge = LLVMInsertBasicBlockInContext(c->m->context, to, "");
    LLVMPositionBuilderAtEnd(c->m->builder, edge);
    LLVMSetCurrentDebugLocation2(c->m->builder, LLVMInstructionGetDebugLoc(inst));
    LLVMBuildBr(c->m->builder, to);
    LLVMSetSuccessor(inst, side, edge);
    return edge;
}

static void cover_switch(cover *c, LLVMValueRef inst)
{
    unsigned n = LLVMGetNumSuccessors(inst);
    for (unsigned i = 0; i < n; i++)
        if (starts_with_phi(LLVMGetSuccessor(inst, i)))
            return; /* its edges cannot be told apart; the front end makes none of these */
    uint32_t number = n_records(c);
    LLVMValueRef record = ins_hook_site(c->m, inst, WIRE_SITE_SIDES, "", n);
    add_room(c, n);
    for (unsigned i = 0; i < n; i++) {
        LLVMBasicBlockRef edge = edge_block(c, inst, i);
        stand_at_start(c, edge);
        ins_hook_entered(c->m, mark_address(c, record, i));
        keep_mark(c, edge, (mark){number, i});
    }
}

static void cover_branch(cover *c, LLVMValueRef inst)
{
    uint32_t number = n_records(c);
    LLVMValueRef record = ins_hook_site(c->m, inst, WIRE_SITE_SIDES, "", 2);
    ins_hook_stand(c->m, inst);
    ins_hook_side(c->m, record, LLVMGetCondition(inst));
    for (unsigned i = 0; i < 2; i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(inst, i), from = NULL;
        if (count_edges(to, &from) == 1)
            keep_mark(c, to, (mark){number, 1 - i});
    }
}

/* Covers the outcomes of a terminator. A switch with more outcomes than a record can hold is not counted. */
static void cover_terminator(cover *c, LLVMBasicBlockRef bb)
{
    LLVMValueRef inst = LLVMGetBasicBlockTerminator(bb);
    if (inst == NULL)
        return;
    if (LLVMIsASwitchInst(inst) && LLVMGetNumSuccessors(inst) <= UINT16_MAX)
        cover_switch(c, inst);
    else if (LLVMIsABranchInst(inst) && LLVMIsConditional(inst))
        cover_branch(c, inst);
}

/* ---- blocks ---- */

static void mark_block(cover *c, LLVMBasicBlockRef bb, LLVMValueRef record,
                       uint32_t number)
{
    stand_at_start(c, bb);
    ins_hook_entered(c->m, record);
    keep_mark(c, bb, (mark){number, 0});
}

/* Blocks that no edge leads to are not executed. */
static void mark_joins(cover *c)
{
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(c->f), from = NULL;
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        if (ins_map_get(&c->marks, bb) || count_edges(bb, &from) <= 1)
            continue;
        uint32_t number = n_records(c);
        mark_block(c, bb, ins_site_add(c->m, &room), number);
    }
}

/* The mark of a block; a block without one has one before it, or none. */
static const mark *mark_of(cover *c, LLVMBasicBlockRef bb)
{
    for (unsigned steps = 0; bb && steps < c->n_marks + 10000; steps++) {
        const mark *known = ins_map_get(&c->marks, bb);
        LLVMBasicBlockRef from = NULL;
        if (known)
            return known;
        bb = count_edges(bb, &from) == 1 ? from : NULL;
    }
    return NULL;
}

/* ---- lines ---- */

/* What the compiler adds of its own has no line. */
static bool has_line(LLVMValueRef inst)
{
    size_t length = 0;
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    if (LLVMInstructionGetDebugLoc(inst) == NULL || LLVMGetDebugLocLine(inst) == 0)
        return false;
    if (callee == NULL || !LLVMIsAFunction(callee))
        return true;
    const char *name = LLVMGetValueName2(callee, &length);
    return strncmp(name, "llvm.dbg.", 9) != 0 && strncmp(name, "llvm.lifetime.", 14) != 0;
}

/* Each line once for each time the text comes to it. */
static void list_lines(cover *c, LLVMBasicBlockRef bb)
{
    const mark *where = mark_of(c, bb);
    unsigned last = 0;
    LLVMValueRef inst = where ? LLVMGetFirstInstruction(bb) : NULL;
    for (; inst; inst = LLVMGetNextInstruction(inst)) {
        if (!has_line(inst) || LLVMGetDebugLocLine(inst) == last)
            continue;
        last = LLVMGetDebugLocLine(inst);
        TD_ASSERT(where->record < n_records(c));
        ins_hook_line(c->m, inst, n_records(c) - where->record, where->side);
    }
}

static void cover_function(ins_module *m, LLVMValueRef f)
{
    cover c = {.m = m, .f = f};
    unsigned n_blocks = 0;
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f), next;
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(bb);
        n_blocks += 1 + (end ? LLVMGetNumSuccessors(end) : 0);
    }
    c.max_marks = n_blocks + 1;
    c.of_blocks = td_alloc(c.max_marks * sizeof *c.of_blocks);
    uint32_t number = n_records(&c);
    mark_block(&c, LLVMGetEntryBasicBlock(f), ins_hook_entry_site(m, f), number);
    for (bb = LLVMGetFirstBasicBlock(f); bb; bb = next) {
        next = LLVMGetNextBasicBlock(bb);
        cover_terminator(&c, bb);
    }
    mark_joins(&c);
    for (bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
        list_lines(&c, bb);
    ins_map_fini(&c.marks);
    td_free(c.of_blocks);
}

/* A body that is only there to be inlined is not code of this program. */
static bool is_covered(LLVMValueRef f)
{
    return !LLVMIsDeclaration(f) && LLVMGetSubprogram(f) &&
           LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage && !ins_bare_is(f);
}

void ins_cover_module(ins_module *m)
{
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f))
        if (is_covered(f))
            cover_function(m, f);
}
