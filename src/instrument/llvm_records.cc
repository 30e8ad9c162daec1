/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM 21 alone: debug information is in records there. LLVM-C has no function that looks into one, and crashes
 * where an instruction has none. */
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Instruction.h>

extern "C" {
#include "instrument/llvm_versions.h"
}

void ins_llvm_each_declared(LLVMValueRef inst, ins_llvm_declared *found, void *context)
{
    auto *instruction = llvm::cast<llvm::Instruction>(llvm::unwrap(inst));
    for (llvm::DbgRecord &record : instruction->getDbgRecordRange()) {
        auto *r = llvm::dyn_cast<llvm::DbgVariableRecord>(&record);
        if (!r || !r->isDbgDeclare() || r->getNumVariableLocationOps() != 1)
            continue;
        llvm::Value *memory = r->getVariableLocationOp(0);
        if (memory)
            found(context, llvm::wrap(memory), llvm::wrap(r->getRawVariable()));
    }
}
