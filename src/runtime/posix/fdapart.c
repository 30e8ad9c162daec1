/* SPDX-License-Identifier: Apache-2.0 */
/* Where streams are objects of their own: each is told that its file is closed, or that it is watched. */
#include "runtime/posix/fd.h"

#include "runtime/core/core.h"

static bool attempt_end(rt_fd_call *c, rt_thread *t)
{
    if (c->file->in && c->file->in->object == c->b)
        rt_file_ends_in(c->file, t);
    if (c->file->out && c->file->out->object == c->b)
        rt_file_ends_out(c->file, t);
    c->result = 0;
    return true;
}

static void end_stream(const rt_fd_call *closed, rt_file *f, rt_stream *s)
{
    rt_fd_call c = {.what = WIRE_FD_CALL_CLOSE,
                    .fd = closed->what == WIRE_FD_CALL_DUP ? (int)closed->a : closed->fd,
                    .site = closed->site,
                    .object = s->object,
                    .source = s,
                    .attempt = attempt_end,
                    .file = f,
                    .b = s->object};
    rt_fd_do(&c, NULL, NULL);
}

static void end_file(const rt_fd_call *c, rt_file *f)
{
    if (f->in)
        end_stream(c, f, f->in);
    if (f->out && (!f->in || f->out->object != f->in->object))
        end_stream(c, f, f->out);
}

void rt_fd_finish(const rt_fd_call *c)
{
    rt_file *f = c->closed;
    if (!rt->fds_apart)
        return;
    for (rt_file *p = c->emptied; p; p = p->next) {
        p->resets = true;
        end_file(c, p);
    }
    if (f && f->type != RT_FILE_LISTENER)
        end_file(c, f);
}

static bool attempt_watch(rt_fd_call *c, rt_thread *t)
{
    (void)t;
    ((rt_stream *)c->b)->is_watched = true;
    c->result = 0;
    return true;
}

static void watch_stream(int fd, rt_file *f, rt_stream *s, uint32_t site)
{
    rt_fd_call c = {.what = WIRE_FD_CALL_CONTROL,
                    .fd = fd,
                    .site = site,
                    .object = s->object,
                    .attempt = attempt_watch,
                    .file = f,
                    .b = (uint64_t)s};
    rt_fd_do(&c, NULL, NULL);
}

void rt_fd_watch(int fd, uint32_t site)
{
    if (!rt->fds_watched)
        return;
    rt_fd_uses(fd, site);
    rt_file *f = rt_fd_file(fd);
    if (!f || f->type == RT_FILE_LISTENER)
        return;
    if (f->in)
        watch_stream(fd, f, f->in, site);
    if (f->out && f->out != f->in)
        watch_stream(fd, f, f->out, site);
}
