/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/llvm_versions.h - the differences between the versions 16 to 22 of LLVM-C.
 *
 * Purpose     The only place that depends on the version of LLVM. All other code of instrument/ is
 *             the same for all versions, and calls these functions.
 * Invariant   A version newer than those known here does not compile: its list of changes must be
 *             checked first (docs/developers.md).
 */
#pragma once

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>

/* Operands of nodes of debug information. From LLVM 21 on the size and the offset of a type are operands, before its base. */
unsigned ins_llvm_type_base(void);     /* of DIDerivedType and DICompositeType */
unsigned ins_llvm_type_elements(void); /* of DICompositeType */

/* A reference of C++; false up to LLVM 16, which has references and pointers look the same. */
bool ins_llvm_is_reference(LLVMMetadataRef type);

/* --- debug information in functions --- */

/* Calls of llvm.dbg.declare that the module has, as calls or as records; up to LLVM 20 it can be
 * turned into either form. Passes want records. */
void ins_llvm_debug_as_calls(LLVMModuleRef module);
void ins_llvm_debug_as_records(LLVMModuleRef module);

/* Calls found for each variable that is declared at the instruction, with the memory that holds it. */
typedef void ins_llvm_declared(void *context, LLVMValueRef memory,
                               LLVMMetadataRef variable);
void ins_llvm_each_declared(LLVMValueRef inst, ins_llvm_declared *found, void *context);

/* Declares that the memory holds the variable, at the instruction; the builder moves there. */
void ins_llvm_declare(LLVMBuilderRef builder, LLVMDIBuilderRef information,
                      LLVMValueRef memory, LLVMMetadataRef variable, LLVMValueRef before);

/* Puts the builder at the start of the block, before the debug records there: a PHI must have nothing before
 * it but PHIs. */
void ins_llvm_stand_first(LLVMBuilderRef builder, LLVMBasicBlockRef bb);

/* A builder for new subprograms of the module, and its end. */
LLVMDIBuilderRef ins_llvm_subprograms_open(LLVMModuleRef module, LLVMMetadataRef file);
void ins_llvm_subprograms_close(LLVMDIBuilderRef builder);
/* Puts a new subprogram into this unit. */
void ins_llvm_set_unit(LLVMContextRef context, LLVMMetadataRef subprogram,
                       unsigned operand, LLVMMetadataRef unit);

/* --- code --- */

/* The block whose address a constant is. */
LLVMBasicBlockRef ins_llvm_block_of(LLVMValueRef block_address);

/* Returns the value of case i of a switch, from 0 on, without the default. */
LLVMValueRef ins_llvm_case_value(LLVMValueRef inst, unsigned i);

/* The type of the registers of MMX, which became a vector in LLVM 20. */
bool ins_llvm_is_mmx(LLVMTypeRef type);

/* A variadic function can hand its arguments on. */
bool ins_llvm_has_must_tail(void);
/* The call becomes one that must be a jump, or the closest that the version has. */
void ins_llvm_set_must_tail(LLVMValueRef call);
/* The call never becomes a jump, unless it must be one. */
void ins_llvm_set_no_tail(LLVMValueRef call);

/* A function that keeps all registers keeps that of its result as well: up to LLVM 16 it can return nothing. */
bool ins_llvm_keeps_result(void);
