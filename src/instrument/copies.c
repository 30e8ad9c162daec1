/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of small structures become loads and stores, a pair for each member, so that each of them is a site
 * of its own: a race with one can be promoted. Everything is read before anything is written.
 *
 * Members are those that the front end describes (!tbaa.struct, not at -O0). Bytes between them are a hole:
 * they are copied without a check. Copies with a member that is not a word stay as they are. */
#include "instrument/instrument_int.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/assert.h"

#define BYTES_MAX 64u
#define WORD_MAX 8u
#define PARTS_MAX 16u

/* The parts of a copy: the one that starts at a byte has so many bytes, 0: none starts there. */
typedef struct parts {
    uint8_t size[BYTES_MAX];
    bool is_hole[BYTES_MAX];
    unsigned n; /* holes */
} parts;

typedef struct copy {
    LLVMValueRef call, to, from;
    unsigned n;     /* bytes */
    unsigned align; /* alignment of both */
} copy;

/* ---- which calls ---- */

static unsigned argument_align(LLVMValueRef call, unsigned arg)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, arg + 1, kind);
    return attribute ? (unsigned)LLVMGetEnumAttributeValue(attribute) : 1;
}

static bool is_copy(LLVMValueRef inst)
{
    size_t length = 0;
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    if (!callee || !LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee) == 0)
        return false;
    const char *name = LLVMGetValueName2(callee, &length);
    return strncmp(name, "llvm.memcpy.p0.p0.", 18) == 0 ||
           strncmp(name, "llvm.memmove.p0.p0.", 19) == 0;
}

/* A copy of a few bytes that is not volatile. */
static bool read_copy(LLVMValueRef inst, copy *out)
{
    enum { TO, FROM, LENGTH, IS_VOLATILE };
    if (!is_copy(inst) || !LLVMIsAConstantInt(LLVMGetOperand(inst, LENGTH)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(inst, IS_VOLATILE)) != 0)
        return false;
    uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(inst, LENGTH));
    unsigned to = argument_align(inst, TO), from = argument_align(inst, FROM);
    *out = (copy){.call = inst,
                  .to = LLVMGetOperand(inst, TO),
                  .from = LLVMGetOperand(inst, FROM),
                  .n = (unsigned)n,
                  .align = to < from ? to : from};
    return n > 0 && n <= BYTES_MAX;
}

/* ---- its parts ---- */

static bool is_word(uint64_t offset, uint64_t size, unsigned align)
{
    return (size == 1 || size == 2 || size == 4 || size == 8) && size <= align &&
           offset % size == 0;
}

static void add_part(parts *p, uint64_t at, uint64_t size, bool is_hole)
{
    TD_ASSERT(size > 0 && size <= WORD_MAX && at + size <= BYTES_MAX);
    TD_ASSERT(p->size[at] == 0);
    p->size[at] = (uint8_t)size;
    p->is_hole[at] = is_hole;
    p->n += !is_hole;
}

/* What lies between two members, by words. */
static void add_hole(const copy *c, uint64_t at, uint64_t end, parts *p)
{
    while (at < end) {
        unsigned size = WORD_MAX;
        while (!is_word(at, size, c->align) || at + size > end)
            size /= 2;
        TD_ASSERT(size > 0); /* a byte is always a word */
        add_part(p, at, size, true);
        at += size;
    }
}

/* ---- members described by the front end ---- */

static uint64_t number_at(LLVMValueRef *ops, unsigned i)
{
    return ops[i] && LLVMIsAConstantInt(ops[i]) ? LLVMConstIntGetZExtValue(ops[i])
                                                : UINT64_MAX;
}

/* Splits by the described members: offset, size and tag of each, in order. A member that is not a word, such
 * as an array, prevents that. */
static bool split(const ins_module *m, const copy *c, parts *p)
{
    enum { OFFSET, SIZE, TAG, N_FIELDS, MOST = N_FIELDS * PARTS_MAX };
    unsigned kind = LLVMGetMDKindIDInContext(m->context, "tbaa.struct", 11);
    LLVMValueRef node = LLVMGetMetadata(c->call, kind), ops[MOST];
    unsigned n = node ? LLVMGetMDNodeNumOperands(node) : 0;
    uint64_t end = 0;
    *p = (parts){0};
    if (n == 0 || n > MOST || n % N_FIELDS != 0)
        return false;
    LLVMGetMDNodeOperands(node, ops);
    for (unsigned i = 0; i < n; i += N_FIELDS) {
        uint64_t offset = number_at(ops, i + OFFSET), size = number_at(ops, i + SIZE);
        if (offset < end || offset >= c->n || size > c->n - offset ||
            !is_word(offset, size, c->align))
            return false;
        add_part(p, offset, size, false);
        add_hole(c, end, offset, p);
        end = offset + size;
    }
    add_hole(c, end, c->n, p);
    return p->n <= PARTS_MAX;
}

/* ---- in place of the call ---- */

static LLVMValueRef address_at(ins_module *m, LLVMValueRef base, unsigned offset)
{
    LLVMValueRef index = LLVMConstInt(m->i64, offset, 0);
    return offset ? LLVMBuildGEP2(m->builder, m->i8, base, &index, 1, "") : base;
}

/* Aligned as its size, and not watched where it is a hole. */
static void mark(const ins_module *m, LLVMValueRef inst, const parts *p, unsigned at)
{
    LLVMSetAlignment(inst, p->size[at]);
    if (p->is_hole[at])
        LLVMSetMetadata(inst, m->hole_kind,
                        LLVMMetadataAsValue(m->context,
                                            LLVMMDNodeInContext2(m->context, NULL, 0)));
}

static void lower(ins_module *m, const copy *c, const parts *p)
{
    LLVMValueRef values[BYTES_MAX];
    LLVMPositionBuilderBefore(m->builder, c->call);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(c->call));
    for (unsigned at = 0; at < c->n; at++)
        if (p->size[at]) {
            LLVMTypeRef type = LLVMIntTypeInContext(m->context, 8u * p->size[at]);
            LLVMValueRef from = address_at(m, c->from, at);
            values[at] = LLVMBuildLoad2(m->builder, type, from, "");
            mark(m, values[at], p, at);
        }
    for (unsigned at = 0; at < c->n; at++)
        if (p->size[at]) {
            LLVMValueRef to = address_at(m, c->to, at);
            mark(m, LLVMBuildStore(m->builder, values[at], to), p, at);
        }
    LLVMInstructionEraseFromParent(c->call);
}

bool ins_copies_is_hole(const ins_module *m, LLVMValueRef inst)
{
    return LLVMGetMetadata(inst, m->hole_kind) != NULL;
}

static void lower_function(ins_module *m, LLVMValueRef f, ins_map *memo)
{
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef inst = LLVMGetFirstInstruction(bb), next;
        for (; inst; inst = next) {
            copy c;
            parts p;
            next = LLVMGetNextInstruction(inst);
            if (read_copy(inst, &c) &&
                !(ins_escape_private(m, ins_escape_base(c.to), memo) &&
                  ins_escape_private(m, ins_escape_base(c.from), memo)) &&
                split(m, &c, &p))
                lower(m, &c, &p);
        }
    }
}

void ins_copies_lower(ins_module *m)
{
    ins_map memo = {0};
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        if (ins_is_walked(f))
            lower_function(m, f, &memo);
        ins_map_clear(&memo);
    }
    ins_map_fini(&memo);
}
