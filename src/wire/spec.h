/* SPDX-License-Identifier: Apache-2.0 */
/* wire/spec.h - sequential specifications, as a program gives them to the runtime.
 *
 * Purpose     The declarations of include/treadle.h, for code that does not include it.
 * Invariants  The layouts are those of struct treadle_call and struct treadle_spec; a test
 *             compares them.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define WIRE_CALL_ARGS 4u

typedef struct wire_call {
    const char *op;
    uint64_t arg[WIRE_CALL_ARGS];
    unsigned int n_args;
    unsigned int choice;
} wire_call;

typedef struct wire_spec {
    size_t state_size;
    void (*init)(void *state);
    int (*step)(void *state, const wire_call *call, uint64_t *result);
} wire_spec;
