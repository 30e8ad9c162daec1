/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/symbolic/values.h - symbolic values and inputs, for the folders above. Labels: wire/sym.h.
 * All do nothing unless rt->symbolic. */
#pragma once

#include "runtime/core/core.h"

void rt_sym_reset(void);
/* The job's reads are symbolic or not; before rt_sym_reset. */
void rt_visible_reset(void);
/* Call after the operation was granted and recorded, with its outcome. */
void rt_visible_granted(rt_thread *t, uint8_t kind);
/* rt_visible_ended: call when the thread has ended and its result is recorded. rt_visible_joined: self has
 * joined it and fetched the result; returns its label. */
void rt_visible_ended(rt_thread *t);
uint32_t rt_visible_joined(const rt_thread *t, uint32_t site);
/* What a loop carries (core/above.h). */
void rt_slot_written(uint32_t label, uint64_t value);
uint32_t rt_slot_read(uint32_t bits);
/* Decides values read or written that were not tracked, or records them as concrete. */
void rt_visible_flush(void);
/* Adds a ledger entry: there were more plain accesses than are recorded. */
void rt_sym_unshared(void);
/* True if some memory may have labels. */
bool rt_sym_live(void);
bool rt_sym_exists(void);                   /* a value is symbolic, in memory or not */
bool rt_sym_any(uint64_t p, uint64_t size); /* one of these bytes has a label */
bool rt_sym_by_inputs(uint64_t p, uint64_t size); /* ... that inputs have a say in */
bool rt_sym_is_input(uint32_t label);             /* an input affects the value */
/* A symbolic value went where it is not followed: a ledger line. */
void rt_sym_lost(uint32_t site);
/* Code that is not followed reads size bytes at p: a ledger line with name, once per site and
 * run, if an input affects one of them. Such code wrote size bytes at p: they have no labels. */
void rt_sym_bytes_concrete(const void *p, uint64_t size, uint32_t site, const char *name);
void rt_sym_clear(void *p, uint64_t size);
/* What goes there is not read back by the program: standard output, standard error (follow.c). */
bool rt_stream_is_output(uint64_t stream);
/* Returns the new label of a read of `size` bytes at p, at most 16; 0: there is no space. A read that
 * affects control flow is recorded once. */
uint32_t rt_sym_read(uint64_t p, uint32_t size, uint32_t site);
void rt_sym_used(uint32_t label);
void rt_sym_tell_used(uint64_t p, uint64_t size, uint32_t site);
/* Memory that changes its meaning; memory that is copied. */
void rt_sym_forget(uint64_t p, uint64_t size);
void rt_sym_copy(uint64_t to, uint64_t from, uint64_t size);
/* Label of size bytes, at most 16, that have the value low, high. */
uint32_t rt_sym_get(uint64_t p, uint32_t size, uint64_t low, uint64_t high);
void rt_sym_put(uint64_t p, uint32_t size, uint32_t label);
/* The same where there may be no labels at all. */
uint32_t rt_sym_label_at(uint64_t p, uint32_t size, uint64_t value);
void rt_sym_label_put(uint64_t p, uint32_t size, uint32_t label);
/* Decisions; nothing where the label is 0. */
void rt_sym_branch(uint32_t label, bool taken, uint32_t site);
void rt_sym_concrete(uint32_t label, uint64_t value, uint32_t site);
/* New nodes: an input; an extension with zeros; whether a value is not 0; is less than. */
uint32_t rt_sym_input(uint32_t bits, uint64_t value, uint32_t number);
uint32_t rt_sym_extended(uint32_t label, uint32_t bits);
uint32_t rt_sym_truth(uint32_t label, uint64_t value);
uint32_t rt_sym_less(uint32_t label, int32_t value, int32_t bound);
/* Returns the label of argument i if it was passed to self, and marks it as fetched. */
uint32_t rt_sym_argument(const void *self, uint32_t i);
void rt_sym_arrive(void);
void rt_sym_return(const void *self, uint32_t label);
/* Before and after a call of a function of the program: the label of its first argument, and
 * that of its result. */
void rt_sym_pass(const void *callee, uint32_t label);
uint32_t rt_sym_result(const void *callee);

/* Bytes that are the text of a symbolic number: spelled when they are looked at. */
void rt_sym_put_text(uint64_t p, uint32_t size);
/* result = value op by, where what is WIRE_SYM() of op; value has the label. */
uint32_t rt_sym_apply(uint32_t what, uint32_t label, uint64_t value, uint64_t by,
                      uint64_t result);
/* The label as one of 64 bits; value: with all its bits. */
uint32_t rt_sym_resized(uint32_t label, uint64_t value, bool is_signed);
void rt_labels_map(void); /* inserted code may look at labels from now on */

/* ---- what is read, and where it affects the run (reads.c). Only where rt->flow is set ---- */

void rt_reads_reset(void);
/* Self is about to read [p, p + size), or to write; is at an operation. */
void rt_reads_read(uint64_t p, uint64_t size, uint32_t site);
void rt_reads_other(void);
/* Self has asked for the label of what it read at p. */
void rt_reads_claimed(uint64_t p);

/* ---- inputs (input.c) ---- */

/* Writes the value of an input of this name that no job chooses. */
void rt_input_fixed(void *object, size_t size, const char *name);
/* Bits and enum wire_sign of an input. */
#define RT_INPUT_TYPE(bits, sign) ((uint32_t)(bits) | (uint32_t)(sign) << 8)
/* An input of at most 64 bits; its label. *value is its fixed value, and then the one it has.
 * i: which byte of the named object it is, -1: all of it. */
uint32_t rt_input_make(uint64_t key, uint32_t type, uint64_t *value, const char *name,
                       long i, uint32_t site);
/* Makes a choice of treadle's own, such as whether a wait times out: an input of one bit that is decided at
 * once; 0 if choices are not made. */
bool rt_choice(const char *what, uint32_t site);
/* The same, once for self at that site; these are kept in *asked. */
typedef struct rt_sites rt_sites;
bool rt_choice_once(rt_sites **asked, const char *what, uint32_t site);
/* The key of the next input of t. */
uint64_t rt_input_key(rt_thread *t);
