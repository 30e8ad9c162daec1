/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/instrument_int.h - one module on its way from bitcode to object.
 *
 * module.c drives: names.c notes source names while every variable is still in memory;
 * LLVM's sroa cleans up; walk.c visits every instruction and asks hooks.c for hooks, which
 * asks sites.c for records; rename.c redirects library functions; LLVM optimises.
 */
#pragma once

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/id.h"
#include "base/text.h"
#include "base/vec.h"
#include "instrument/instrument.h"
#include "instrument/pointer_map.h"
#include "wire/api.h"
#include "wire/site.h"

TD_VEC(LLVMValueRef, ins_value_vec);
TD_VEC(LLVMBasicBlockRef, ins_block_vec);
static inline bool ins_value_among(const ins_value_vec *v, LLVMValueRef value)
{
    for (size_t i = 0; i < v->len; i++)
        if (v->at[i] == value)
            return true;
    return false;
}

/* One site, before it is a record. Texts are borrowed for the call of ins_site_add. */
typedef struct ins_site {
    const char *file, *function, *name, *callee;
    uint32_t line, column;
    enum wire_site_kind kind;
    uint32_t size; /* 0 where it varies or is too large for the record */
    enum wire_site_type type;
} ins_site;

/* A record whose texts are offsets in ins_sites.strings. */
typedef struct ins_site_row {
    uint32_t text[4]; /* file, function, name, callee */
    uint32_t line, column, type;
    uint16_t kind, size;
} ins_site_row;

TD_VEC(ins_site_row, ins_row_vec);
TD_VEC(uint32_t, ins_u32_vec);

typedef struct ins_sites {
    ins_row_vec rows;
    td_text strings;          /* zero-terminated, each once */
    ins_u32_vec index;        /* open hash table: offset + 1 in strings, 0 free */
    size_t n_strings;         /* entries in index */
    LLVMValueRef placeholder; /* placeholder of the table until ins_sites_emit */
} ins_sites;

/* Source name and type of what an instruction accesses. */
typedef struct ins_label {
    const char *name; /* "" if unknown; lives as long as the module's context */
    enum wire_site_type type;
} ins_label;

/* A module and what its parts share. */
typedef struct ins_module {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef i8, i32, i64, ptr, none;
    unsigned label_kind; /* metadata kind of names.c */
    unsigned asm_kind;   /* ... of atomics that replace assembly */
    unsigned hole_kind;  /* ... and of copies.c */
    ins_sites sites;
    ins_map renamed; /* function -> its name before rename.c (char *) */
    ins_map refused; /* function -> itself, if a prefix and no list names it */
    ins_map twins;   /* function -> its ins_twin */
    ins_map
        phis; /* PHI of a hooked header -> its number (wire_phi_hash) and 1, as a pointer */
    ins_map hashes; /* an instruction with which such a hash begins -> itself */
    bool has_hooks;
    bool is_library; /* a module of runtime/libc: its places are those of its callers */
    bool is_light;   /* symbolic values are not followed (kept_bitcode.h) */
    ins_volatile volatiles;
    ins_map verdicts; /* instruction -> its enum ins_verdict, as a pointer; of the walk */
} ins_module;

/* --- module.c --- */

/* The module belongs to m from now on; the context does not. */
void ins_module_init(ins_module *m, LLVMContextRef context, LLVMModuleRef module);
void ins_module_fini(ins_module *m);

/* --- di.c: debug information, as far as LLVM-C shows it --- */

/* Returns an operand of a metadata node, or NULL. */
LLVMMetadataRef ins_di_operand(const ins_module *m, LLVMMetadataRef node, unsigned i);
unsigned ins_di_n_operands(const ins_module *m, LLVMMetadataRef node);
/* Text of an operand that is a string, "" if it is not. */
const char *ins_di_string(const ins_module *m, LLVMMetadataRef node, unsigned i);
LLVMMetadataRef ins_di_variable_type(const ins_module *m, LLVMMetadataRef variable);
const char *ins_di_variable_name(const ins_module *m, LLVMMetadataRef variable);
/* The type without names and qualifiers; NULL is void or unknown, here and below. */
LLVMMetadataRef ins_di_strip(const ins_module *m, LLVMMetadataRef type);
/* Returns the types of a function: its result, then its parameters; NULL if it is not a function type. */
LLVMMetadataRef ins_di_signature(const ins_module *m, LLVMMetadataRef type);
/* Returns the type that a pointer type points to; NULL if it is not a pointer type. */
LLVMMetadataRef ins_di_pointee(const ins_module *m, LLVMMetadataRef type);
bool ins_di_is_record(const ins_module *m, LLVMMetadataRef type);
bool ins_di_is_array(const ins_module *m, LLVMMetadataRef type);
/* Dimensions of an array type. */
unsigned ins_di_n_dims(const ins_module *m, LLVMMetadataRef array);
LLVMMetadataRef ins_di_element(const ins_module *m, LLVMMetadataRef array);
uint64_t ins_di_size(LLVMMetadataRef type); /* bytes */
/* Member of a record that an access of size bytes at offset means; size 0: any. NULL if
 * none or, in a union, several fit. */
LLVMMetadataRef ins_di_member(const ins_module *m, LLVMMetadataRef record,
                              uint64_t offset, uint64_t size);
LLVMMetadataRef ins_di_member_type(const ins_module *m, LLVMMetadataRef member);
enum wire_site_type ins_di_value_type(const ins_module *m, LLVMMetadataRef type);

/* --- names.c --- */

/* Attaches a label to every instruction that may become a site. Before sroa. */
void ins_names_note(ins_module *m);
/* The label of an instruction; which: 0, or 1 for the source of a copy. */
ins_label ins_names_label(const ins_module *m, LLVMValueRef inst, unsigned which);

/* --- sites.c --- */

void ins_sites_init(ins_module *m);
/* The address of a new record, a constant. */
LLVMValueRef ins_site_add(ins_module *m, const ins_site *site);
/* True if there is a record of this kind. */
bool ins_sites_have(const ins_sites *s, enum wire_site_kind kind);
/* Writes the table into the module. */
void ins_sites_emit(ins_module *m);
void ins_sites_fini(ins_sites *s);

/* --- addresses.c --- */

/* Leaves a record if the module looks at addresses: WIRE_USES_ADDRESSES. */
void ins_addresses_tell(ins_module *m);

/* --- outline.c --- */

/* Checks, which are linked by now, become calls where inlining them would not pay; all: everywhere. */
void ins_outline_checks(ins_module *m, bool all);

/* --- api_lists.c: what the lists of wire/api.h say of a function --- */

/* True if a replaced function uses its arguments' values only. */
bool ins_api_is_pure(const char *name);
/* ins_api_is_tainting: true if it is passed on to the library. ins_api_is_harmless: true if its objects have
 * no behaviour. */
bool ins_api_is_tainting(const char *name);
bool ins_api_is_harmless(const char *name);
/* True if it may do an operation. */
bool ins_api_may_wait(const char *name);
/* True if a symbolic argument of a replaced function is decided before the call. */
bool ins_api_decides(const char *name, unsigned argument);
/* What is known of a function of the library. */
enum wire_known ins_api_known(const char *name);
/* The name in the lists of wire/api.h under which the runtime has the function, copied to out; false
 * if it has not. */
bool ins_api_is_taken(const char *symbol, char *out, size_t size);
/* True if a list has exactly this name: the runtime has such a function. */
bool ins_api_lists(const char *name);

/* --- rename.c --- */

/* Redirects the library functions of wire/api.h, and main. */
void ins_rename_functions(ins_module *m);
void ins_rename_fini(ins_module *m);
/* Drops what hooks make untrue: that a function has no side effects, returns... */
void ins_rename_clear_attributes(ins_module *m);

/* --- verifiers.c --- */

/* The abort of assume_abort_if_not becomes a quiet end, and functions whose names start with
 * __VERIFIER_atomic_ become sections. After the renaming. */
void ins_verifiers_follow(ins_module *m);

/* --- escape.c --- */

/* The type that argument i of a call, or of a function, points to if a copy of the object is
 * passed, else NULL. */
LLVMTypeRef ins_copied_type(LLVMValueRef f_or_call, unsigned i);

/* The alloca, global or other value that an address is computed from. */
LLVMValueRef ins_escape_base(LLVMValueRef address);
/* True if memory at this base is never shared: a local object or an internal
 * thread-local one whose address stays in instructions we see, or a constant. memo keeps
 * answers; it is cleared between functions. */
bool ins_escape_private(const ins_module *m, LLVMValueRef base, ins_map *memo);

/* --- redundant.c: which checks an earlier one of the same segment covers --- */

typedef struct ins_seen {
    td_id address;      /* what is computed, not where it is kept */
    uint32_t read_size; /* bytes covered for a read */
    uint32_t write_size;
} ins_seen;

TD_VEC(ins_seen, ins_seen_vec);

/* True if the access is covered by what was seen; otherwise it is seen from now on. */
bool ins_seen_covers(ins_seen_vec *seen, LLVMValueRef address, uint32_t size, bool write);

/* --- place.c --- */

/* Where in its granule of 8 bytes an access of this alignment is, 0..7, or -1 if that is
 * not known. Variables of the module may get a larger alignment to know it. */
int ins_place_of(const ins_module *m, LLVMValueRef address, unsigned align);

/* --- hooks.c --- */

typedef struct ins_access {
    LLVMValueRef inst; /* the hook goes before it */
    LLVMValueRef address;
    uint64_t size; /* bytes; 0: length tells */
    unsigned align;
    bool write;
    LLVMValueRef length; /* i64, or NULL */
    unsigned which;      /* label of inst that names it */
} ins_access;

TD_VEC(ins_access, ins_access_vec);

void ins_hook_access(ins_module *m, const ins_access *access);
/* The same for an access that an earlier check covers. */
void ins_hook_again(ins_module *m, const ins_access *access);
/* Takes these, and marks, out of functions that have a second version, where they stay. */
void ins_hook_drop_extra(const ins_module *m);
/* False if its size is not modelled. */
bool ins_hook_atomic(ins_module *m, LLVMValueRef inst);
/* The same for one that is not atomic in the source. */
void ins_hook_volatile(ins_module *m, LLVMValueRef inst);
/* The same for what inst does to size bytes in one, sequentially consistent. */
void ins_hook_exchange(ins_module *m, LLVMValueRef inst, LLVMValueRef address,
                       uint32_t size);
/* Before a call of a renamed function: leaves the site for the callee. */
void ins_hook_call(ins_module *m, LLVMValueRef call, const char *callee);
void ins_hook_refuse(ins_module *m, LLVMValueRef call, const char *callee);
/* inst accesses memory unseen; what names it for people. */
void ins_hook_unwatched(ins_module *m, LLVMValueRef inst, const char *what);
/* The same at the builder's position. */
void ins_hook_unwatched_here(ins_module *m, const char *what, LLVMValueRef site);
/* The call may read memory without a check. */
void ins_hook_unseen(ins_module *m, LLVMValueRef call);
/* The call may do anything, if it leads out of the executable. */
void ins_hook_called(ins_module *m, LLVMValueRef call);
/* The same of a function that is defined here, after the optimiser; of one that a library function was given. */
void ins_hook_linked(ins_module *m, LLVMValueRef call);
void ins_hook_called_back(ins_module *m, LLVMValueRef call);
/* Before a return: these bytes are gone; size 0: all of the stack below place. */
void ins_hook_leaves(ins_module *m, LLVMValueRef end, LLVMValueRef place,
                     LLVMValueRef size);
/* Where the stack ends before an instruction. */
LLVMValueRef ins_hook_stack(ins_module *m, LLVMValueRef before);
/* ins_hook_changed: inst changes something that is not recorded. ins_hook_kept: it writes to memory that is
 * not checked. */
void ins_hook_changed(ins_module *m, LLVMValueRef inst);
void ins_hook_kept(ins_module *m, LLVMValueRef inst, LLVMValueRef address, uint64_t size);
/* At the builder's position, behind the PHIs of a loop's header. */
void ins_hook_loop(ins_module *m, LLVMValueRef record, LLVMValueRef enters,
                   LLVMValueRef state, LLVMValueRef site, bool waits);
/* Likewise; value: what the loop carries, of 64 bits. */
void ins_hook_carry_loop(ins_module *m, LLVMValueRef record, LLVMValueRef enters,
                         LLVMValueRef state, LLVMValueRef site, LLVMValueRef value);

/* The address of a new site for inst, a constant; n_sides: 0 of what is not a branch. */
void ins_hook_build(ins_module *m, const char *name, LLVMValueRef *args, unsigned n);
LLVMValueRef ins_hook_site(ins_module *m, LLVMValueRef inst, enum wire_site_kind kind,
                           const char *callee, unsigned n_sides);

/* Puts the builder before inst. */
void ins_hook_stand(ins_module *m, LLVMValueRef inst);
/* At the builder's position: sets a mark, or the mark of the outcome that the condition selects. */
void ins_hook_entered(ins_module *m, LLVMValueRef mark);
void ins_hook_side(ins_module *m, LLVMValueRef marks, LLVMValueRef condition);
/* The file of a location, or of a function with debug information, as it can be opened from here. */
void ins_hook_file(LLVMValueRef where, char *out, size_t size);
LLVMValueRef ins_hook_entry_site(ins_module *m, LLVMValueRef f);
/* A record for the line of inst, which is executed if the mark of this side is set in the record
 * so many before it. */
void ins_hook_line(ins_module *m, LLVMValueRef inst, uint32_t distance, uint32_t side);

/* --- cover.c --- */

/* Marks what is executed. Before sroa. */
void ins_cover_module(ins_module *m);

/* --- copies.c --- */

/* Copies of small structures become loads and stores. Before ins_names_note. */
void ins_copies_lower(ins_module *m);
/* True if a load or store copies what lies between two members. */
bool ins_copies_is_hole(const ins_module *m, LLVMValueRef inst);

/* --- cycles.c --- */

/* Reads of the processor's counter of cycles become calls of treadle_cycles. */
void ins_cycles_lower(ins_module *m);

/* --- divide.c --- */

/* Fails if its argument is true. */
#define INS_DIVISION_HOOK "__treadle_divides"

/* Adds a check before each division that may fail. Runs before sroa. */
void ins_divide_module(ins_module *m);

/* --- blocks.c, see blocks.h --- */

/* True if the block is part of a cycle of its function. */
bool ins_blocks_repeat(LLVMBasicBlockRef block);

/* --- loop_marks.c --- */

/* Puts marks behind unrecorded changes in the block. in_loop: the block is in a loop with a hook. memo: that
 * of ins_escape_private. */
void ins_marks_block(ins_module *m, LLVMBasicBlockRef bb, bool in_loop, ins_map *memo);

/* --- loops.c --- */

/* Puts hooks into loops that may wait for other threads. After the walk. */
void ins_loops_module(ins_module *m);

/* --- rows.c: functions of wire/library.h --- */

/* Calls of the function go through a thunk. */
bool ins_row_has_thunk(const char *symbol);
/* Defines the thunks that the module refers to. Last of all. */
void ins_rows_emit(ins_module *m);

/* --- twin.c: a version of every function that tracks symbolic values --- */

/* A function in its two versions. */
typedef struct ins_twin {
    LLVMValueRef plain;    /* the function as it was */
    LLVMValueRef symbolic; /* the version that follows symbolic values */
    /* What a pointer to the function is, and callers pass labels to. */
    LLVMValueRef address;
    ins_map *origin; /* instruction of symbolic -> the one it is a copy of */
} ins_twin;

/* The name of a version that follows symbolic values is that of the function and this. */
#define INS_SYMBOLIC ".symbolic"

/* After the hooks were inserted. */
void ins_twins_make(ins_module *m);
/* Returns the twin of a function whose definition here is the called one, or NULL. */
const ins_twin *ins_twin_of(const ins_module *m, LLVMValueRef function);
void ins_twins_fini(ins_module *m);
/* Attributes of result and parameters, to a function or call of the same type. */
void ins_twin_copy_attributes(LLVMValueRef from, LLVMValueRef to);

/* --- bare.c: functions without hooks --- */

/* Finds them. First of all. */
void ins_bare_find(ins_module *m);
bool ins_bare_is(LLVMValueRef f);
/* True if a function gets hooks: it is defined here, and code can be put into it. */
bool ins_is_walked(LLVMValueRef f);

/* --- ctors.c --- */

/* Constructors are given to the runtime, which calls them. After the twins. */
void ins_ctors_wrap(ins_module *m);

/* --- naked.c --- */

/* Makes naked functions record that they are not instrumented when they are called. Runs after the twins,
 * because the recording function must not have one. */
void ins_naked_wrap(ins_module *m);

/* --- linked.c: what the linker or the program decides --- */

/* Calls of functions that another object may define; those of the runtime's libc/ through pointers. */
void ins_calls_linked(ins_module *m);
void ins_calls_back(ins_module *m);

/* --- flow.c --- */

/* Adds to each symbolic version the code that computes labels. After the twins. */
void ins_flow_module(ins_module *m);

/* --- asm_lower.c: inline assembly --- */

/* Replaces assembly that is understood by instructions. First of all, x86-64 only. */
void ins_asm_lower(ins_module *m);

/* A memory operand of assembly that stays. */
typedef struct ins_asm_touch {
    LLVMValueRef address;
    uint64_t size;
    bool is_write;
} ins_asm_touch;

/* The accesses of assembly that stays, as far as they are known. */
typedef struct ins_asm_left {
    char name[64];   /* for messages */
    bool is_refused; /* its accesses are unknown */
    /* Assembly of this processor is not parsed: its accesses are unknown. */
    bool is_unknown;
    LLVMValueRef atom; /* what it reads and writes in one, or NULL */
    uint32_t atom_size;
    unsigned n_touches;
    ins_asm_touch touches[24];
} ins_asm_left;

void ins_asm_look(ins_module *m, LLVMValueRef call, ins_asm_left *left);

/* --- intrinsic_names.c: which intrinsic a call is of --- */
/* Reads the name of an intrinsic without "llvm." and without its types; false if this LLVM does not know it.
 * Names are compared as a whole: an intrinsic whose name begins like a known one need not be similar. */
bool ins_intrinsic_name(LLVMValueRef callee, char *out, size_t size);
/* True if a call is of one of these intrinsics. */
bool ins_intrinsic_is(LLVMValueRef call, const char *const *names, size_t n);
/* memcpy, memmove or memset: to, from or value, length. */
bool ins_intrinsic_copies(LLVMValueRef call);

/* --- intrinsic.c: what an intrinsic does to memory --- */

enum ins_reach {
    INS_REACH_NOTHING, /* no memory that is checked */
    INS_REACH_LISTED,  /* what was listed, and no more */
    INS_REACH_UNKNOWN
};

#define INS_INTRINSIC_NAME 128 /* bytes of a name, more than the longest has */

/* Lists what a call of an intrinsic accesses, those of memcpy's kind apart. Where lanes have a
 * mask, code that computes their lengths is put before the call. */
enum ins_reach ins_intrinsic_reach(ins_module *m, LLVMValueRef call, ins_access_vec *out);
/* Fences that are intrinsics of the processor become LLVM's. */
void ins_intrinsic_lower(ins_module *m);

/* --- walk.c --- */

/* Why an instruction that may touch memory needs no further check. There is no other reason. */
enum ins_verdict {
    INS_UNJUDGED,
    INS_HOOKED,   /* a hook before it records its access */
    INS_PRIVATE,  /* memory that no other thread reaches */
    INS_COVERED,  /* an earlier check of the segment covers it */
    INS_NOTHING,  /* it touches no memory of the program, or a hole in a structure */
    INS_CALLED,   /* a call: what it does is judged where the callee is */
    INS_REFUSED,  /* a hook before it ends the run */
    INS_UNWATCHED /* a gap: a hook before it records that */
};

/* Inserts hooks; every instruction that may touch memory gets a verdict. */
void ins_walk_module(ins_module *m);

/* --- leaves.c --- */

/* Adds hooks that report before each return of f which locals end. memo: that of ins_escape_private. */
void ins_leaves_hook(ins_module *m, LLVMValueRef f, ins_map *memo);

/* --- check.c --- */

/* The address that it is given, as an integer (ptrtoint; from LLVM 22 on also ptrtoaddr). */
bool ins_is_number_of(LLVMValueRef inst);
/* True if an instruction of its kind never touches memory; false of a kind that is not known. */
bool ins_check_is_silent(LLVMValueRef inst);
/* After the walk: fails if an instruction has no verdict, or one that does not fit. */
td_status ins_check_module(const ins_module *m, td_diag *diag);
