/* SPDX-License-Identifier: Apache-2.0 */
/* base/memory.h - how much memory this process may use, and its last word when there is none.
 *
 * Purpose     A long computation asks whether memory is nearly used up, and ends in time. An
 *             allocation that fails all the same gets a reserve, and a look says so.
 * Words       used: memory of our own, what libraries allocate included; what is mapped from files
 *             or shared with the program under test does not count.
 *             space: addresses, where RLIMIT_AS limits them.
 * Invariants  (N1) after an allocation that failed every look says so;
 *             (N2) the last word is said once, and only where even the reserve is used up.
 * State       One per process, as the allocator's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Three quarters of what the machine has, or of what a control group or RLIMIT_AS allows. */
uint64_t td_memory_default(void);
/* From now on looks tell when it is near so many bytes. A reserve is set aside. 0: no limit. */
void td_memory_limit(uint64_t bytes);
/* What is nearly used up. */
typedef enum td_memory_state {
    TD_MEMORY_ENOUGH,
    TD_MEMORY_LIMIT,  /* memory of our own */
    TD_MEMORY_SPACE,  /* addresses: RLIMIT_AS */
    TD_MEMORY_FAILED, /* an allocation failed */
} td_memory_state;
/* Reads a file of /proc: not for every step. */
td_memory_state td_memory_look(void);
uint64_t td_memory_used(void);
/* Gives back to the system what was freed. */
void td_memory_trim(void);

/* Called when memory is out, or a library calls exit(), as solvers do then; why is for people. It may
 * allocate little, and may end the process; else that ends with exit code 70. NULL: nobody. */
typedef void td_memory_word(void *ctx, const char *why);
void td_memory_last_word(td_memory_word *word, void *ctx);

/* For allocators: gives up the reserve. False: none is left. */
bool td_memory_spare(void);
/* ... and the end. */
_Noreturn void td_memory_out(size_t asked);
