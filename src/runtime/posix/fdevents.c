/* SPDX-License-Identifier: Apache-2.0 */
/* What poll says of descriptors between threads. */
#include "runtime/posix/fd.h"

#include "runtime/core/core.h"

static short pipe_events(const rt_file *f)
{
    short events = 0;
    if (f->in && rt_stream_len(f->in) > 0)
        events |= POLLIN | POLLRDNORM;
    if (f->in && f->in->n_writers == 0)
        events |= POLLHUP;
    if (f->out && rt_stream_room(f->out) >= RT_PIPE_BUF)
        events |= POLLOUT | POLLWRNORM;
    if (f->out && f->out->n_readers == 0)
        events |= POLLERR;
    return events;
}

static short socket_events(const rt_file *f)
{
    short events = 0;
    bool no_more = f->in_ended || f->in_shut || f->in->n_writers == 0;
    bool no_reader = f->out_ended || (!f->is_inet && f->out->n_readers == 0);
    if (no_more || rt_stream_len(f->in) > 0)
        events |= POLLIN | POLLRDNORM;
    if (no_more)
        events |= POLLRDHUP;
    if (no_reader || rt_stream_room(f->out) >= RT_PIPE_BUF)
        events |= POLLOUT | POLLWRNORM;
    if ((no_more && no_reader) || f->is_gone || f->in->is_reset)
        events |= POLLHUP;
    if (f->in->is_reset)
        events |= POLLERR;
    return events;
}

static short listener_events(const rt_file *f)
{
    if (f->type == RT_FILE_UNCONNECTED)
        return (short)(POLLOUT | POLLWRNORM | POLLHUP |
                       (f->error ? POLLIN | POLLRDNORM | POLLRDHUP | POLLERR : 0));
    return (short)((f->pending || f->in_ended ? POLLIN | POLLRDNORM : 0) |
                   (f->in_ended ? POLLRDHUP : 0));
}

short rt_file_events(const rt_file *f)
{
    switch (f->type) {
    case RT_FILE_PIPE:
        return pipe_events(f);
    case RT_FILE_SOCKET:
        return socket_events(f);
    case RT_FILE_LISTENER:
    case RT_FILE_UNCONNECTED:
        return listener_events(f);
    case RT_FILE_EVENT:
        return (short)((f->in->count > 0 ? POLLIN | POLLRDNORM : 0) |
                       (f->in->count < RT_EVENT_MOST ? POLLOUT | POLLWRNORM : 0));
    default:
        return rt_epoll_any(f) ? POLLIN | POLLRDNORM : 0;
    }
}

void rt_file_learn(const rt_file *f, rt_thread *t, short events)
{
    if (f->in && (events & (POLLIN | POLLHUP | POLLRDHUP)))
        rt_clock_join(&t->clock, &f->in->sent);
    if (f->out && ((events & (POLLERR | POLLHUP)) ||
                   ((events & POLLOUT) && rt_stream_uses_again(f->out, RT_PIPE_BUF))))
        rt_clock_join(&t->clock, &f->out->taken);
    for (const rt_item *i = f->items; i; i = i->next)
        if (i->file && i->file->refs > 0 && i->file->type != RT_FILE_EPOLL)
            rt_file_learn(i->file, t, rt_file_events(i->file));
}

/* The reading end of a pipe is told of writes, the writing end of reads, all others of both. */
rt_edges rt_file_edges(const rt_file *f)
{
    rt_edges sum = {0};
    if (f->in) {
        sum.in += f->in->edges.in;
        sum.end += f->in->edges.end;
    }
    if (f->out) {
        sum.out += f->out->edges.out;
        sum.end += f->out != f->in ? f->out->edges.end : 0;
    }
    return sum;
}
