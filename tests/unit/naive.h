/* SPDX-License-Identifier: Apache-2.0 */
/* What can come next, by brute force: the naive search of section 4.2.1 of the 2014 paper.
 *
 * Keeps the events of all runs with their causes and conflicts as sets. A set is a
 * configuration if it holds the causes of its members and no two of them exclude each
 * other. For every history, every state of the object of its next operation and every set
 * of reads of that state it is asked whether there is a configuration in which they meet.
 * Shares no code with unfold/. */
#pragma once

#include "trace/trace.h"
#include "unfold/unfold.h"

typedef struct naive naive;

naive *naive_new(void);
void naive_free(naive *n);
/* The run is identified. False: there are too many events, and it was not taken. */
bool naive_insert(naive *n, const trc *t);

/* Compares events, targets and blocked histories; why says where they differ. */
bool naive_agrees(const naive *n, unf *u, char *why, size_t size);
/* Compares cause, conflict and concurrency of all pairs of events. */
bool naive_relates(const naive *n, unf *u, char *why, size_t size);
