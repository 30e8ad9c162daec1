/* SPDX-License-Identifier: Apache-2.0 */
/* The limits of a session: time, memory, and Ctrl-C. All other files of session/ check here whether to
 * continue. */
#include "session/session_int.h"

#include "base/assert.h"
#include "base/memory.h"

#define LOOK_MS 10u

uint64_t ses_elapsed_ms(const ses *s)
{
    uint64_t now = s->exec->now_ms(s->run);
    TD_ASSERT(now >= s->start_ms); /* the clock never goes back */
    return now - s->start_ms;
}

static bool memory_is_full(ses *s, uint64_t ms)
{
    if (ms < s->memory_ms)
        return false;
    s->memory_ms = ms + LOOK_MS;
    s->memory = td_memory_look();
    return s->memory != TD_MEMORY_ENOUGH;
}

const char *ses_memory_why(const ses *s, char out[80])
{
    TD_ASSERT(s->stop == SES_STOP_MEMORY && s->memory != TD_MEMORY_ENOUGH);
    char size[32];
    td_size_print(s->all_memory, size);
    if (s->memory == TD_MEMORY_LIMIT)
        snprintf(out, 80, "memory limit %s (--own-memory)", size);
    else if (s->memory == TD_MEMORY_SPACE)
        snprintf(out, 80, "address space limit (ulimit -v)");
    else
        snprintf(out, 80, "an allocation failed");
    return out;
}

/* Checks the clock, and the other limits when it has advanced. */
bool ses_is_over(ses *s)
{
    uint64_t ms = ses_elapsed_ms(s);
    if (s->stop == SES_GO && ms != s->looked_ms) {
        s->looked_ms = s->stop_ms = ms;
        if (s->exec->interrupted(s->run))
            s->stop = SES_STOP_USER;
        else if (s->opts->time_ms && ms >= s->opts->time_ms)
            s->stop = SES_STOP_TIME;
        else if (memory_is_full(s, ms))
            s->stop = SES_STOP_MEMORY;
    }
    TD_ASSERT(s->stop != SES_GO || !s->is_leaving); /* only what stopped is left behind */
    return s->stop != SES_GO && s->stop != SES_STOP_BUG && !s->is_leaving;
}
