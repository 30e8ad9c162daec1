/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of a function, their dominators, and its natural loops. */
#include "instrument/blocks.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"

typedef struct visit {
    LLVMBasicBlockRef block;
    unsigned next; /* successor to visit */
} visit;
TD_VEC(visit, visit_vec);

/* Postorder, then turned round. */
void ins_blocks_order(LLVMValueRef f, ins_block_vec *out)
{
    ins_map seen = {0};
    visit_vec stack = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    TD_ASSERT(out->len == 0);
    ins_map_put(&seen, entry, entry);
    visit_vec_push(&stack, (visit){entry, 0});
    while (stack.len > 0) {
        visit *v = &stack.at[stack.len - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(v->block);
        TD_ASSERT(end != NULL); /* the module was verified */
        if (v->next >= LLVMGetNumSuccessors(end)) {
            ins_block_vec_push(out, v->block);
            stack.len--;
            continue;
        }
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, v->next++);
        if (ins_map_get(&seen, to))
            continue;
        ins_map_put(&seen, to, to);
        visit_vec_push(&stack, (visit){to, 0});
    }
    visit_vec_fini(&stack);
    ins_map_fini(&seen);
    for (size_t i = 0, j = out->len; i + 1 < j; i++) {
        LLVMBasicBlockRef swapped = out->at[i];
        out->at[i] = out->at[--j];
        out->at[j] = swapped;
    }
    TD_ASSERT(out->len > 0 && out->at[0] == entry); /* K1 */
}

uint32_t ins_blocks_number(const ins_blocks *g, LLVMBasicBlockRef bb)
{
    return (uint32_t)(uintptr_t)ins_map_get(&g->index, bb) - 1;
}

static void push_successors(ins_block_vec *to, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
        ins_block_vec_push(to, LLVMGetSuccessor(end, k));
}

bool ins_blocks_repeat(LLVMBasicBlockRef block)
{
    ins_map seen = {0};
    ins_block_vec todo = {0};
    push_successors(&todo, block);
    bool found = false;
    while (todo.len > 0 && !found) {
        LLVMBasicBlockRef next = todo.at[--todo.len];
        found = next == block;
        if (ins_map_get(&seen, next))
            continue;
        ins_map_put(&seen, next, next);
        push_successors(&todo, next);
    }
    ins_block_vec_fini(&todo);
    ins_map_fini(&seen);
    return found;
}

static void each_edge(ins_blocks *g,
                      void (*take)(ins_blocks *, uint32_t from, uint32_t to))
{
    for (uint32_t i = 0; i < g->blocks.len; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(g->blocks.at[i]);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            take(g, i, ins_blocks_number(g, LLVMGetSuccessor(end, k)));
    }
}

static void count_edge(ins_blocks *g, uint32_t from, uint32_t to)
{
    TD_ASSERT(to < g->blocks.len); /* a successor of what is reached is reached */
    (void)from;
    g->pred_at.at[to + 1]++;
}

/* pred_at of a block grows to that of the next one, and is moved back afterwards. */
static void put_edge(ins_blocks *g, uint32_t from, uint32_t to)
{
    TD_ASSERT(g->pred_at.at[to] < g->preds.len);
    g->preds.at[g->pred_at.at[to]++] = from;
}

static void find_preds(ins_blocks *g)
{
    uint32_t n = (uint32_t)g->blocks.len;
    for (uint32_t i = 0; i <= n; i++)
        ins_u32_vec_push(&g->pred_at, 0);
    each_edge(g, count_edge);
    for (uint32_t i = 0; i < n; i++)
        g->pred_at.at[i + 1] += g->pred_at.at[i];
    for (uint32_t i = 0; i < g->pred_at.at[n]; i++)
        ins_u32_vec_push(&g->preds, INS_NO_BLOCK);
    each_edge(g, put_edge);
    for (uint32_t i = n; i > 0; i--)
        g->pred_at.at[i] = g->pred_at.at[i - 1];
    g->pred_at.at[0] = 0;
}

static uint32_t meet(const ins_blocks *g, uint32_t a, uint32_t b)
{
    TD_DASSERT(a < g->blocks.len && b < g->blocks.len);
    while (a != b)
        if (a > b)
            a = g->parent.at[a];
        else
            b = g->parent.at[b];
    return a;
}

/* Cooper, Harvey, Kennedy, A simple, fast dominance algorithm, 2001. */
static void find_dominators(ins_blocks *g)
{
    for (size_t i = 0; i < g->blocks.len; i++)
        ins_u32_vec_push(&g->parent, i == 0 ? 0 : INS_NO_BLOCK);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < g->blocks.len; i++) {
            uint32_t best = INS_NO_BLOCK;
            for (uint32_t k = g->pred_at.at[i]; k < g->pred_at.at[i + 1]; k++) {
                uint32_t pred = g->preds.at[k];
                if (g->parent.at[pred] != INS_NO_BLOCK)
                    best = best == INS_NO_BLOCK ? pred : meet(g, best, pred);
            }
            TD_ASSERT(best < i); /* K2: an edge from a smaller one leads here */
            changed |= g->parent.at[i] != best;
            g->parent.at[i] = best;
        }
    }
}

static bool dominates(const ins_blocks *g, uint32_t a, uint32_t b)
{
    TD_ASSERT(a < g->blocks.len && b < g->blocks.len);
    while (b > a)
        b = g->parent.at[b];
    return a == b;
}

void ins_blocks_find(ins_blocks *g, LLVMValueRef f)
{
    TD_ASSERT(g->blocks.len == 0 && !LLVMIsDeclaration(f));
    ins_blocks_order(f, &g->blocks);
    for (size_t i = 0; i < g->blocks.len; i++)
        ins_map_put(&g->index, g->blocks.at[i], (void *)(uintptr_t)(i + 1));
    find_preds(g);
    find_dominators(g);
    g->in_loop = td_alloc(g->blocks.len + 1);
    TD_AUDIT(ins_blocks_valid(g, NULL, 0));
}

void ins_blocks_fini(ins_blocks *g)
{
    ins_block_vec_fini(&g->blocks);
    ins_map_fini(&g->index);
    ins_u32_vec_fini(&g->parent);
    ins_u32_vec_fini(&g->pred_at);
    ins_u32_vec_fini(&g->preds);
    td_free(g->in_loop);
    *g = (ins_blocks){0};
}

static bool broken(char *why, size_t size, const char *what, size_t at)
{
    if (why != NULL)
        snprintf(why, size, "%s (at %zu)", what, at);
    return false;
}

bool ins_blocks_valid(const ins_blocks *g, char *why, size_t size)
{
    if (g->parent.len != g->blocks.len || g->pred_at.len != g->blocks.len + 1 ||
        g->index.len != g->blocks.len)
        return broken(why, size, "not as many as there are blocks", g->blocks.len);
    for (uint32_t i = 0; i < g->blocks.len; i++) {
        if (ins_blocks_number(g, g->blocks.at[i]) != i)
            return broken(why, size, "K1: a block with another number", i);
        if (i > 0 ? g->parent.at[i] >= i : g->parent.at[i] != 0)
            return broken(why, size, "K2: dominated by a later block", i);
        bool is_entered = i == 0;
        for (uint32_t k = g->pred_at.at[i]; k < g->pred_at.at[i + 1]; k++) {
            if (g->preds.at[k] >= g->blocks.len)
                return broken(why, size, "a block before it that cannot be reached", i);
            is_entered |= g->preds.at[k] < i;
        }
        if (!is_entered)
            return broken(why, size, "K1: entered from later blocks only", i);
    }
    return true;
}

bool ins_blocks_loop(ins_blocks *g, uint32_t header)
{
    TD_ASSERT(header < g->blocks.len);
    ins_u32_vec todo = {0};
    memset(g->in_loop, 0, g->blocks.len);
    for (uint32_t k = g->pred_at.at[header]; k < g->pred_at.at[header + 1]; k++)
        if (dominates(g, header, g->preds.at[k]))
            ins_u32_vec_push(&todo, g->preds.at[k]);
    bool found = todo.len > 0;
    g->in_loop[header] = found;
    while (todo.len > 0) {
        uint32_t b = ins_u32_vec_pop(&todo);
        if (g->in_loop[b])
            continue;
        g->in_loop[b] = 1;
        for (uint32_t k = g->pred_at.at[b]; k < g->pred_at.at[b + 1]; k++)
            ins_u32_vec_push(&todo, g->preds.at[k]);
    }
    ins_u32_vec_fini(&todo);
    return found;
}
