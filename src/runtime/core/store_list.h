/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/store_list.h - stores of atomic objects, and fences (store_list.c). */
#pragma once

#include "runtime/core/core.h"

static inline bool rt_acquires(uint8_t order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME ||
           order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}
static inline bool rt_releases(uint8_t order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

/* A release fence saves the thread's clock; an acquire fence joins the clocks that its relaxed loads have
 * seen. */
void rt_fence(rt_thread *t, uint8_t order);
/* True if the stores of what t's pending operation accesses are kept. */
bool rt_store_list_kept(const rt_thread *t);
uint8_t rt_store_list_grant(rt_thread *t, uint64_t *value, uint64_t *old);
void rt_store_list_tell(const rt_thread *t, uint8_t kind, uint64_t old);
void rt_store_list_undo(rt_thread *t);
/* Restores the value in memory after one instruction was given another. */
void rt_store_list_settle(void);
/* Call when a plain access writes the bytes, or they are freed. */
void rt_store_list_overwrite(uint64_t p, uint64_t size);
