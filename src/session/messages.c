/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that a session prints while it runs. The progress line or the screen of progress.c is cleared
 * first. */
#include "session/session_int.h"

void ses_progress_clear(ses *s)
{
    ses_progress *p = &s->progress;
    if (!p->is_shown)
        return;
    /* The screen uses the terminal's alternate buffer: the previous contents reappear. */
    fputs(p->full ? "\033[?25h\033[?1049l" : "\r\033[K", p->err);
    fflush(p->err);
    p->is_shown = false;
}

void ses_say(ses *s, const char *format, ...)
{
    if (s->progress.quiet)
        return;
    ses_progress_clear(s);
    fputs("treadle: ", s->progress.err);
    va_list args;
    va_start(args, format);
    td_printv(s->progress.err, format, args);
    va_end(args);
    fputc('\n', s->progress.err);
    fflush(s->progress.err);
}
