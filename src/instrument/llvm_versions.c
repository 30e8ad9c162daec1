/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/llvm_versions.h"

#include <llvm/Config/llvm-config.h>
#include <string.h>

#define V LLVM_VERSION_MAJOR

#if V < 16 || V > 22
#error "only LLVM 16 to 22 are known"
#endif

/* --- operands of debug information --- */

unsigned ins_llvm_type_base(void)
{
    return V >= 21 ? 5 : 3;
}

unsigned ins_llvm_type_elements(void)
{
    return V >= 21 ? 6 : 4;
}

bool ins_llvm_is_reference(LLVMMetadataRef type)
{
#if V >= 17
    uint16_t tag = type ? LLVMGetDINodeTag(type) : 0;
    return tag == 0x10 ||
           tag == 0x42; /* "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type" */
#else
    (void)type;
    return false;
#endif
}

/* --- debug information in functions --- */

static void set_records(LLVMModuleRef module, bool records)
{
#if V == 19 || V == 20
    LLVMSetIsNewDbgInfoFormat(module, records);
#else
    (void)module;
    (void)records;
#endif
}

void ins_llvm_debug_as_calls(LLVMModuleRef module)
{
    set_records(module, false);
}

void ins_llvm_debug_as_records(LLVMModuleRef module)
{
    set_records(module, true);
}

#if V >= 22
void ins_llvm_each_declared(LLVMValueRef inst, ins_llvm_declared *found, void *context)
{
    LLVMDbgRecordRef r = LLVMGetFirstDbgRecord(inst);
    for (; r; r = LLVMGetNextDbgRecord(r)) {
        LLVMValueRef memory = LLVMDbgRecordGetKind(r) == LLVMDbgRecordDeclare
                                  ? LLVMDbgVariableRecordGetValue(r, 0)
                                  : NULL;
        if (memory)
            found(context, memory, LLVMDbgVariableRecordGetVariable(r));
    }
}
#elif V < 21 /* for 21: llvm_records.cc */
void ins_llvm_each_declared(LLVMValueRef inst, ins_llvm_declared *found, void *context)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    LLVMValueRef memory = NULL;
    size_t length = 0;
    if (!callee || !LLVMIsAFunction(callee) ||
        strcmp(LLVMGetValueName2(callee, &length), "llvm.dbg.declare") != 0)
        return;
    LLVMValueRef place = LLVMGetOperand(inst, 0);
    if (LLVMGetMDNodeNumOperands(place) != 1)
        return;
    LLVMGetMDNodeOperands(place, &memory);
    if (memory)
        found(context, memory, LLVMValueAsMetadata(LLVMGetOperand(inst, 1)));
}
#endif

/* Where the builder is said to be. */
void ins_llvm_declare(LLVMBuilderRef builder, LLVMDIBuilderRef information,
                      LLVMValueRef memory, LLVMMetadataRef variable, LLVMValueRef before)
{
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(builder);
    LLVMMetadataRef expression = LLVMDIBuilderCreateExpression(information, NULL, 0);
#if V >= 21
    LLVMDIBuilderInsertDeclareRecordBefore(information, memory, variable, expression,
                                           location, before);
#else
    LLVMBasicBlockRef bb = LLVMGetInstructionParent(before);
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(bb));
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef declare = LLVMGetNamedFunction(module, "llvm.dbg.declare");
    LLVMMetadataRef words[] = {LLVMValueAsMetadata(memory), variable, expression};
    LLVMValueRef args[3];
    for (size_t i = 0; i < 3; i++)
        args[i] = LLVMMetadataAsValue(context, words[i]);
    if (!declare)
        return;
    LLVMPositionBuilderBefore(builder, before);
    LLVMSetCurrentDebugLocation2(builder, location);
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(declare), declare, args, 3, "");
#endif
}

void ins_llvm_stand_first(LLVMBuilderRef builder, LLVMBasicBlockRef bb)
{
    LLVMValueRef first = LLVMGetFirstInstruction(bb);
#if V >= 19
    LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, first);
#else
    LLVMPositionBuilderBefore(builder, first);
#endif
}

/* Before LLVM 17 a new subprogram cannot be put into a unit that is there: the new ones have a unit of
 * their own. */
LLVMDIBuilderRef ins_llvm_subprograms_open(LLVMModuleRef module, LLVMMetadataRef file)
{
#if V >= 17
    (void)file;
    return LLVMCreateDIBuilderDisallowUnresolved(module);
#else
    LLVMDIBuilderRef builder = LLVMCreateDIBuilder(module);
    LLVMDIBuilderCreateCompileUnit(builder, LLVMDWARFSourceLanguageC11, file, "treadle",
                                   7, 1, "", 0, 0, "", 0, LLVMDWARFEmissionFull, 0, 0, 0,
                                   "", 0, "", 0);
    return builder;
#endif
}

void ins_llvm_subprograms_close(LLVMDIBuilderRef builder)
{
#if V < 17
    LLVMDIBuilderFinalize(builder);
#endif
    LLVMDisposeDIBuilder(builder);
}

void ins_llvm_set_unit(LLVMContextRef context, LLVMMetadataRef subprogram,
                       unsigned operand, LLVMMetadataRef unit)
{
#if V >= 17
    LLVMReplaceMDNodeOperandWith(LLVMMetadataAsValue(context, subprogram), operand, unit);
#else
    (void)context;
    (void)subprogram;
    (void)operand;
    (void)unit;
#endif
}

/* --- code --- */

LLVMBasicBlockRef ins_llvm_block_of(LLVMValueRef block_address)
{
#if V >= 19
    return LLVMGetBlockAddressBasicBlock(block_address);
#else
    return LLVMValueAsBasicBlock(LLVMGetOperand(block_address, 1));
#endif
}

LLVMValueRef ins_llvm_case_value(LLVMValueRef inst, unsigned i)
{
#if V >= 22
    return LLVMGetSwitchCaseValue(inst, i + 1); /* 0 is the default */
#else
    return LLVMGetOperand(inst, 2 + 2 * i);
#endif
}

bool ins_llvm_is_mmx(LLVMTypeRef type)
{
#if V >= 20
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetVectorSize(type) == 1 &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetElementType(type)) == 64;
#else
    return LLVMGetTypeKind(type) == LLVMX86_MMXTypeKind;
#endif
}

bool ins_llvm_has_must_tail(void)
{
    return V >= 18;
}

void ins_llvm_set_must_tail(LLVMValueRef call)
{
#if V >= 18
    LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
#else
    LLVMSetTailCall(call, 1);
#endif
}

void ins_llvm_set_no_tail(LLVMValueRef call)
{
#if V >= 18
    if (LLVMIsACallInst(call) && LLVMGetTailCallKind(call) != LLVMTailCallKindMustTail)
        LLVMSetTailCallKind(call, LLVMTailCallKindNoTail);
#else
    (void)call;
#endif
}

bool ins_llvm_keeps_result(void)
{
    return V < 17;
}
