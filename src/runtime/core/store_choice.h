/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/store_choice.h - which stores a job chooses to be read (store_list.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct rt_store_list;

/* A value that lies in memory for one instruction only, and what lies there otherwise. */
typedef struct rt_laid {
    uint64_t address, value;
    uint8_t size; /* 0: none */
} rt_laid;

/* The access whose label is known once its instruction was executed. */
typedef struct rt_labelled {
    struct rt_store_list *list; /* NULL: none */
    uint64_t address;
    uint32_t thread, nth; /* thread and number of its store; nth 0: it only reads */
} rt_labelled;

/* The stores that a choice names (WIRE_STEP_STORE). */
typedef struct rt_named_store {
    bool is_set;
    uint32_t thread, nth;
} rt_named_store;
typedef struct rt_store_choice {
    rt_named_store reads, behind;
} rt_store_choice;
