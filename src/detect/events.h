/* SPDX-License-Identifier: Apache-2.0 */
/* detect/events.h - the events of a session, where they are few enough to be drawn.
 *
 * Ownership   A det_event_vec owns its texts.
 */
#pragma once

#include <stdint.h>

#include "base/vec.h"

#define DET_NO_EVENT UINT32_MAX
#define DET_MAX_EVENTS 400u /* limit per session; more are not kept */

typedef struct det_event {
    uint32_t thread; /* 0 is main; the same in all runs */
    char *text;      /* "lock m" */
    char *file;      /* "" */
    uint32_t line;
    /* Event of the thread before it, or its create; smaller; DET_NO_EVENT. */
    uint32_t before;
    uint32_t after; /* event on its object that it depends on, smaller; DET_NO_EVENT */
} det_event;

TD_VEC(det_event, det_event_vec);

static inline void det_events_fini(det_event_vec *v)
{
    for (size_t i = 0; i < v->len; i++) {
        td_free(v->at[i].text);
        td_free(v->at[i].file);
    }
    det_event_vec_fini(v);
}
