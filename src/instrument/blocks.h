/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/blocks.h - the blocks of a function, their dominators, and its natural loops.
 *
 * Purpose     LLVM-C knows neither dominators nor loops.
 * Words       natural loop: blocks from which a block leads back to a header that dominates it. A
 *             cycle with two entries is not one.
 * Invariants  (K1) blocks are those that can be reached, in reverse postorder: 0 is the entry, and
 *                  a block that dominates another one has a smaller number;
 *             (K2) parent of a block is smaller than it, of the entry itself.
 */
#pragma once

#include "instrument/instrument_int.h"

#define INS_NO_BLOCK UINT32_MAX

typedef struct ins_blocks {
    ins_block_vec blocks;
    ins_map index;       /* block -> its number + 1 */
    ins_u32_vec parent;  /* immediate dominator */
    ins_u32_vec pred_at; /* by block, and one more: first in preds */
    ins_u32_vec preds;
    uint8_t *in_loop; /* by block: whether it is in the loop looked at last */
} ins_blocks;

/* The blocks that can be reached, in reverse postorder. out is empty. */
void ins_blocks_order(LLVMValueRef f, ins_block_vec *out);

/* Finds the blocks of f, which has a body. All-zero means none. */
void ins_blocks_find(ins_blocks *g, LLVMValueRef f);
void ins_blocks_fini(ins_blocks *g);
/* INS_NO_BLOCK: it cannot be reached. */
uint32_t ins_blocks_number(const ins_blocks *g, LLVMBasicBlockRef bb);
/* False: names the broken invariant; why may be NULL. */
bool ins_blocks_valid(const ins_blocks *g, char *why, size_t size);
/* Marks the blocks of the loop with this header in in_loop. False: there is none. */
bool ins_blocks_loop(ins_blocks *g, uint32_t header);

/* Returns, of the PHIs of the last loop's header, the one that carries the value of a load before the loop
 * or of a failed compare-exchange in it (carried.c); NULL: none. */
LLVMValueRef ins_carried(const ins_module *m, const ins_blocks *g,
                         LLVMBasicBlockRef header, const ins_value_vec *phis);
