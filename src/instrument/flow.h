/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/flow.h - following symbolic values through one function; what the files flow_*.c share.
 *
 * Words       label: an i32 beside a value that may be symbolic (wire/sym.h); 0: it is not.
 *             part: a number or pointer in a value of a structure or array type; each has a label.
 * Invariants  (F1) a value has labels only if it may be symbolic (ins_flow_may_be);
 *             (F2) before its uses are visited, a value that may be symbolic has its labels.
 * Order       flow_values.c, flow_build.c, then the visitors of instructions in flow_compute.c,
 *             flow_memory.c, flow_intrinsic.c, flow_calls.c; flow.c calls them.
 */
#pragma once

#include "instrument/instrument_int.h"
#include "wire/layout.h"

#define INS_PARTS_MAX PLAN_RESULTS

/* Labels of a value, one for each part. */
typedef struct ins_labels {
    unsigned n;
    LLVMValueRef at[INS_PARTS_MAX];
    LLVMValueRef phis[INS_PARTS_MAX]; /* of a PHI, where its labels come together; NULL */
} ins_labels;

/* One part of a value in memory. */
typedef struct ins_part {
    LLVMTypeRef type;
    uint64_t offset;
} ins_part;

typedef struct ins_parts {
    unsigned n; /* more than INS_PARTS_MAX: too many, not followed */
    ins_part at[INS_PARTS_MAX];
} ins_parts;

typedef struct ins_flow {
    ins_module *m;
    const ins_twin *twin;
    LLVMValueRef f;
    LLVMBuilderRef b;
    ins_map may;         /* values that may be symbolic */
    ins_map known;       /* value -> ins_labels * */
    ins_map sites;       /* instruction -> its site */
    ins_block_vec order; /* blocks so that definitions come before uses */
    LLVMValueRef zero;
    LLVMValueRef variable; /* the variable arguments it was given (wire_va), or NULL */
    LLVMValueRef wide;     /* scratch for operands of more than 64 bits, or NULL */
} ins_flow;

/* --- flow_values.c --- */

/* Bits of a value whose label is followed; 0: it is not. */
unsigned ins_flow_bits_of(LLVMTypeRef type);
ins_parts ins_flow_parts_of(const ins_flow *w, LLVMTypeRef type);
bool ins_flow_is_aggregate(LLVMTypeRef type);
bool ins_flow_is_pointer(LLVMValueRef v);
/* True if a value of the type can have labels. */
bool ins_flow_is_followed(const ins_flow *w, LLVMTypeRef type);
/* True if the address is in a constant of the program, which has no labels. */
bool ins_flow_is_constant_memory(LLVMValueRef address);
/* True if the function called is one of wire/hooks.h. */
bool ins_flow_is_hook(const ins_flow *w, LLVMValueRef callee, const char *name);

/* Finds the values that may be symbolic: fills may. */
void ins_flow_find_symbolic(ins_flow *w);
bool ins_flow_may_be(const ins_flow *w, LLVMValueRef v);
/* The instruction begins the hash of a PHI (wire_phi_hash). */
bool ins_flow_begins_hash(const ins_flow *w, LLVMValueRef inst);
/* A pointer that a symbolic index made. */
bool ins_flow_is_computed(const ins_flow *w, LLVMValueRef v);

/* Return the label of a value, or of its part i; the constant 0 if it has none. */
LLVMValueRef ins_flow_label(const ins_flow *w, LLVMValueRef v);
LLVMValueRef ins_flow_label_part(const ins_flow *w, LLVMValueRef v, unsigned i);
bool ins_flow_is_zero(const ins_flow *w, LLVMValueRef l);
/* The labels of a value, at first all 0; owned by the flow. */
ins_labels *ins_flow_labels_new(ins_flow *w, LLVMValueRef v);
void ins_flow_set_label(ins_flow *w, LLVMValueRef v, LLVMValueRef l);

/* --- flow_build.c: at the builder's position, unless stated otherwise --- */

void ins_flow_stand_before(ins_flow *w, LLVMValueRef inst);
void ins_flow_stand_after(ins_flow *w, LLVMValueRef inst);
/* A call of a hook, which is declared if it was not. */
LLVMValueRef ins_flow_call(ins_flow *w, const char *name, LLVMTypeRef result,
                           LLVMValueRef *args, unsigned n);
LLVMValueRef ins_flow_i32(const ins_flow *w, uint64_t value);
LLVMValueRef ins_flow_i64(const ins_flow *w, uint64_t value);
/* A value of at most 64 bits, or the low half of a wider one; the high half, or 0. */
LLVMValueRef ins_flow_low_half(ins_flow *w, LLVMValueRef v);
LLVMValueRef ins_flow_high_half(ins_flow *w, LLVMValueRef v);
/* A field of the control page. */
LLVMValueRef ins_flow_control(const ins_flow *w, size_t offset);
/* Returns the source name of the called function, "" if it is unknown. */
const char *ins_flow_callee_name(const ins_flow *w, LLVMValueRef inst);
/* The site of the instruction, one for all its hooks. */
LLVMValueRef ins_flow_site(ins_flow *w, LLVMValueRef inst);

/* The label of r = a op b, of operands with these labels: values are a, b, r. */
LLVMValueRef ins_flow_binary_labels(ins_flow *w, uint8_t op, LLVMValueRef la,
                                    LLVMValueRef lb, LLVMValueRef values[3]);
LLVMValueRef ins_flow_binary(ins_flow *w, uint8_t op, LLVMValueRef a, LLVMValueRef b,
                             LLVMValueRef r);
/* The label of r, of its width, made from one value. */
LLVMValueRef ins_flow_unary(ins_flow *w, uint8_t op, LLVMValueRef la, LLVMValueRef r);
/* The label of c ? sides[0] : sides[1]; l: theirs, lc: that of c. */
LLVMValueRef ins_flow_select_label(ins_flow *w, LLVMValueRef lc, LLVMValueRef c,
                                   LLVMValueRef sides[2], LLVMValueRef l[2]);

/* Reports that the label is not tracked any further. */
void ins_flow_lost(ins_flow *w, LLVMValueRef inst, LLVMValueRef l);
/* Decides the value v by its label. */
void ins_flow_decide_value(ins_flow *w, LLVMValueRef inst, LLVMValueRef l,
                           LLVMValueRef v);
/* Decides v, which inst uses, before inst and before any other thread can observe that inst is executed. */
void ins_flow_made_concrete(ins_flow *w, LLVMValueRef inst, LLVMValueRef v);
/* inst depends on the condition, whose label is l. */
void ins_flow_decided(ins_flow *w, LLVMValueRef inst, LLVMValueRef l,
                      LLVMValueRef condition);

/* --- flow_compute.c --- */

/* What is not followed: vectors, floats, and every instruction that has no visitor. */
void ins_flow_visit_other(ins_flow *w, LLVMValueRef inst);
/* The comparison as one of ours; true if the operands change places. */
bool ins_flow_predicate_of(LLVMIntPredicate predicate, uint8_t *op);
void ins_flow_visit_binary(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_compare(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_cast(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_select(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_gep(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_extract(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_insert(ins_flow *w, LLVMValueRef inst);
/* The value is that of its first operand. */
void ins_flow_visit_same(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_branch(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_switch(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_goto(ins_flow *w, LLVMValueRef inst);

/* --- flow_memory.c --- */

/* The bytes there have the label l from now on. */
void ins_flow_store_label(ins_flow *w, LLVMValueRef address, uint64_t bytes,
                          LLVMValueRef l);
/* The bytes are read as something that is not followed. */
void ins_flow_opaque(ins_flow *w, LLVMValueRef inst, LLVMValueRef address,
                     uint64_t bytes);
void ins_flow_visit_load(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_store(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_alloca(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_rmw(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_cmpxchg(ins_flow *w, LLVMValueRef inst);

/* --- flow_intrinsic.c: name is without "llvm." --- */

/* Handles memcpy, memmove and memset, also as functions; false for others. */
bool ins_flow_visit_memory(ins_flow *w, LLVMValueRef inst, const char *name);
void ins_flow_visit_intrinsic(ins_flow *w, LLVMValueRef inst, const char *name);

/* --- flow_calls.c --- */

/* At the entry: labels of the arguments, if they are meant for this function. */
void ins_flow_take_arguments(ins_flow *w);
void ins_flow_visit_call(ins_flow *w, LLVMValueRef inst);
void ins_flow_visit_return(ins_flow *w, LLVMValueRef inst);
