/* SPDX-License-Identifier: Apache-2.0 */
/* base/memory.h - how much memory this process may use, and what happens when it runs out.
 *
 * Purpose     A long computation checks whether memory is nearly used up, and ends in time. If an
 *             allocation fails nevertheless, a reserve is freed, and later checks report it.
 * Words       used: memory of our own, what libraries allocate included; what is mapped from files
 *             or shared with the program under test does not count.
 *             space: addresses, where RLIMIT_AS limits them.
 * Invariants  (N1) after a failed allocation every check reports TD_MEMORY_FAILED;
 *             (N2) the out-of-memory callback is called once, after the reserve is used up.
 * State       One per process, like the allocator's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Three quarters of what the machine has, or of what a control group or RLIMIT_AS allows. */
uint64_t td_memory_default(void);
/* Sets the limit that checks compare with, and allocates the reserve. 0: no limit. */
void td_memory_limit(uint64_t bytes);
/* Which resource is nearly used up. */
typedef enum td_memory_state {
    TD_MEMORY_ENOUGH,
    TD_MEMORY_LIMIT,  /* memory of our own */
    TD_MEMORY_SPACE,  /* addresses: RLIMIT_AS */
    TD_MEMORY_FAILED, /* an allocation failed */
} td_memory_state;
/* Checks the limits. Reads a file of /proc, so it is too slow for every step. */
td_memory_state td_memory_look(void);
uint64_t td_memory_used(void);
/* Returns freed memory to the system. */
void td_memory_trim(void);

/* Called when the process is out of memory, crashes, or a library calls exit(), as solvers do then; why is a
 * message for the user. It may allocate little, and may end the process; otherwise the process ends
 * with exit status 70. NULL: no callback. */
typedef void td_memory_word(void *ctx, const char *why);
void td_memory_last_word(td_memory_word *word, void *ctx);

/* True: the process is in the middle of anything. Only what is written already should be printed. */
bool td_memory_crashed(void);
/* The exit status in place of 70: what was printed already decides it. */
void td_memory_status(int status);

/* For allocators: frees the reserve. False: none is left. */
bool td_memory_spare(void);
/* Ends the process after that. */
_Noreturn void td_memory_out(size_t asked);
