/* SPDX-License-Identifier: Apache-2.0 */
/* The tables through which core calls the folders above it (core/above.h). */
#include "runtime/process/process.h"

#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"
#include "runtime/symbolic/values.h"

/* Types that are not here are core's own (core/grant.c). */
static const rt_type_calls types[WIRE_N_TYPES] = {
    [WIRE_TYPE_ANY] = {.grant = rt_grant_sync},
    [WIRE_TYPE_MUTEX] = {.grant = rt_grant_sync},
    [WIRE_TYPE_RWLOCK] = {.grant = rt_grant_sync},
    [WIRE_TYPE_SEM] = {.grant = rt_grant_sync},
    [WIRE_TYPE_COND] = {.grant = rt_grant_sync},
    [WIRE_TYPE_BARRIER] = {.grant = rt_grant_sync},
    [WIRE_TYPE_ONCE] = {.grant = rt_grant_sync},
    [WIRE_TYPE_NAME] = {.grant = rt_grant_sync},
    [WIRE_TYPE_FD] = {.grant = rt_fd_grant, .ready = rt_fd_ready, .tell = rt_fd_tell},
    [WIRE_TYPE_SIGNALS] = {.grant = rt_grant_signal,
                           .ready = rt_signal_woken,
                           .tell = rt_signal_tell},
};

/* What a run did comes before what its threads wait for. */
static rt_end_call *const ends[] = {rt_leaks_end,       rt_flush_end, rt_fd_end,
                                    rt_descriptors_end, rt_trap_end,  rt_waits_end};

static void thread_made(rt_thread *t)
{
    PLAN_CTL->shown = 1;
    RT_ASSERT(t->slot < PLAN_N_SLOTS && t->id > 0);
    rt_heap_init(&t->heap, t->slot);
}

const rt_above rt_above_core = {
    .types = types,
    .ends = ends,
    .n_ends = sizeof ends / sizeof ends[0],
    .main_entry = rt_main_entry,
    .thread_entry = rt_thread_entry,
    .real_thread_starts = rt_crash_stack,
    .image_added = rt_images_publish,
    .is_taken_over = rt_is_taken_over,
    .thread_made = thread_made,
    .forget = rt_race_forget,
    .is_promoted = rt_is_promoted,
    .watch = rt_watch,
    .touched_object = rt_access_object,
    .watch_operation = rt_watch_operation,
    .before_operation = rt_signal_before,
    .reads_other = rt_reads_other,
    .flush_reads = rt_visible_flush,
    .granted = rt_visible_granted,
    .by_inputs = rt_sym_by_inputs,
    .label_at = rt_sym_label_at,
    .label_put = rt_sym_label_put,
    .slot_written = rt_slot_written,
    .slot_read = rt_slot_read,
};
