/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors between threads: numbers, files, streams, and how calls are carried out. */
#include "runtime/posix/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "runtime/core/sys.h"
#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"
#include "runtime/posix/sync.h"
#include "runtime/symbolic/values.h"

/* ---- numbers ---- */

void rt_fd_reset(void)
{
    RT_ASSERT(!rt->active);
    rt->fds = NULL;
}

void rt_fd_end(rt_end *end)
{
    (void)end;
    for (int fd = 0; rt->fds && fd < rt->fds->end; fd++)
        if (rt->fds->at[fd])
            rt_sys(SYS_close, fd, 0, 0);
    rt->fds = NULL;
}

rt_file *rt_fd_file(int fd)
{
    return rt->fds && fd >= 0 && fd < RT_MAX_FDS ? rt->fds->at[fd] : NULL;
}

bool rt_fd_is_ours(int fd)
{
    if (!rt_on() || !rt->fds || fd < 0 || fd >= RT_MAX_FDS)
        return false;
    return rt->fds->at[fd] ||
           (fd >= rt->first_free_fd && rt_sys(SYS_fcntl, fd, F_GETFD, 0) == -EBADF);
}

static rt_fds *numbers(void)
{
    if (!rt->fds)
        rt->fds = rt_bump(sizeof *rt->fds);
    return rt->fds;
}

/* What the race check sees of numbers where operations do not order them. */
static uint64_t descriptors[RT_MAX_FDS];

static void tell_use(int fd, bool is_write, uint32_t site)
{
    if (rt->fds_apart && fd >= 0 && fd < RT_MAX_FDS)
        rt_access((uint64_t)&descriptors[fd], sizeof descriptors[fd], is_write, site);
}

void rt_fd_uses(int fd, uint32_t site)
{
    tell_use(fd, false, site);
}

void rt_fd_closes(int fd, uint32_t site)
{
    tell_use(fd, true, site);
}

/* A new file of that number has nothing to do with the ones before. */
static void forget_uses(long fd)
{
    uint64_t at = (uint64_t)&descriptors[fd];
    if (rt->fds_apart)
        rt_race_forget(at, at + sizeof descriptors[fd]);
}

/* Stays open, out of the way of the program's own descriptors. */
static int open_null(void)
{
    long low =
        rt_sys6(SYS_openat, AT_FDCWD, (long)"/dev/null", O_RDWR | O_CLOEXEC, 0, 0, 0);
    long high = rt_sys(SYS_fcntl, low, F_DUPFD_CLOEXEC, 900);
    rt_sys(SYS_close, low, 0, 0);
    return (int)high;
}

/* While the process has one thread: to grow the kernel's table of descriptors takes tens of
 * milliseconds once threads share it. */
void rt_fd_prepare(void)
{
    rt->null_fd = open_null();
}

static long reserve(int min, bool cloexec)
{
    int how = cloexec ? F_DUPFD_CLOEXEC : F_DUPFD;
    long fd = rt->null_fd > 0 ? rt_sys(SYS_fcntl, rt->null_fd, how, min) : -EBADF;
    if (fd != -EBADF)
        return fd;
    rt->null_fd = open_null();
    return rt_sys(SYS_fcntl, rt->null_fd, how, min);
}

int rt_fd_put(rt_file *f, int min, bool cloexec)
{
    long fd = reserve(min, cloexec);
    if (fd < 0)
        return (int)fd;
    if (fd >= RT_MAX_FDS) {
        rt_sys(SYS_close, fd, 0, 0);
        return -EMFILE;
    }
    rt_fds *n = numbers();
    n->at[fd] = f;
    f->refs++;
    if (fd >= n->end)
        n->end = (int)fd + 1;
    RT_ASSERT(n->end <= RT_MAX_FDS);
    forget_uses(fd);
    return (int)fd;
}

void rt_fd_take_away(int fd, rt_fd_call *c, rt_thread *t)
{
    RT_ASSERT(rt->fds && fd >= 0 && fd < RT_MAX_FDS);
    rt_file *f = rt->fds->at[fd];
    RT_ASSERT(f && f->refs > 0);
    rt->fds->at[fd] = NULL;
    rt_sys(SYS_close, fd, 0, 0);
    if (rt_file_drop(f, t))
        c->closed = f;
}

/* ---- files and streams ---- */

rt_file *rt_file_new(enum rt_file_type type)
{
    rt_file *f = rt_bump(sizeof *f);
    f->type = (uint8_t)type;
    return f;
}

rt_stream *rt_stream_new(void)
{
    rt_stream *s = rt_bump(sizeof *s);
    s->cap = RT_STREAM_BYTES;
    s->object = WIRE_OBJECT_STREAM(numbers()->n_streams++ % WIRE_N_STREAMS);
    return s;
}

void rt_file_opens(rt_file *f, rt_stream *in, rt_stream *out)
{
    f->in = in;
    f->out = out;
    if (in)
        in->n_readers++;
    if (out)
        out->n_writers++;
}

static rt_stream *in_of(const rt_file *f)
{
    return f->in_ended ? NULL : f->in;
}

static rt_stream *out_of(const rt_file *f)
{
    return f->out_ended ? NULL : f->out;
}

void rt_file_ends_in(rt_file *f, rt_thread *t)
{
    rt_stream *s = in_of(f);
    f->in_ended = true;
    if (!s)
        return;
    RT_ASSERT(s->n_readers > 0);
    s->n_readers--;
    s->edges.end++;
    rt_clock_join(&s->taken, &f->dropped);
    rt_clock_join(&s->taken, &t->clock);
}

void rt_file_ends_out(rt_file *f, rt_thread *t)
{
    rt_stream *s = out_of(f);
    f->out_ended = true;
    if (!s)
        return;
    RT_ASSERT(s->n_writers > 0);
    s->n_writers--;
    s->edges.end++;
    rt_clock_join(&s->sent, &f->dropped);
    rt_clock_join(&s->sent, &t->clock);
}

/* Who is not the last has closed it, too, before the end is seen. */
bool rt_file_drop(rt_file *f, rt_thread *t)
{
    rt_clock_join(&f->dropped, &t->clock);
    RT_ASSERT(f->refs > 0);
    if (--f->refs > 0)
        return false;
    if (!rt->fds_apart) {
        rt_file_ends_in(f, t);
        rt_file_ends_out(f, t);
    }
    return true;
}

void rt_file_give(rt_file *f, rt_thread *t)
{
    if (f->refs > 1)
        f->refs--;
    else
        rt_file_drop(f, t);
}

/* ---- what poll says ---- */

static uint32_t room(const rt_stream *s)
{
    RT_ASSERT(rt_stream_len(s) <= s->cap);
    return s->cap - rt_stream_len(s);
}

static short pipe_events(const rt_file *f)
{
    short events = 0;
    if (f->in && rt_stream_len(f->in) > 0)
        events |= POLLIN | POLLRDNORM;
    if (f->in && f->in->n_writers == 0)
        events |= POLLHUP;
    if (f->out && room(f->out) >= RT_PIPE_BUF)
        events |= POLLOUT | POLLWRNORM;
    if (f->out && f->out->n_readers == 0)
        events |= POLLERR;
    return events;
}

static short socket_events(const rt_file *f)
{
    short events = 0;
    bool no_more = f->in_ended || f->in->n_writers == 0;
    bool no_reader = f->out_ended || f->out->n_readers == 0;
    if (no_more || rt_stream_len(f->in) > 0)
        events |= POLLIN | POLLRDNORM;
    if (no_more)
        events |= POLLRDHUP;
    if (no_reader || room(f->out) >= RT_PIPE_BUF)
        events |= POLLOUT | POLLWRNORM;
    if (no_more && no_reader)
        events |= POLLHUP;
    return events;
}

short rt_file_events(const rt_file *f)
{
    switch (f->type) {
    case RT_FILE_PIPE:
        return pipe_events(f);
    case RT_FILE_SOCKET:
        return socket_events(f);
    case RT_FILE_EVENT:
        return (short)((f->in->count > 0 ? POLLIN | POLLRDNORM : 0) |
                       (f->in->count < RT_EVENT_MOST ? POLLOUT | POLLWRNORM : 0));
    default:
        return rt_epoll_any(f) ? POLLIN | POLLRDNORM : 0;
    }
}

/* A write had to wait, or would have, without those who read. */
static bool uses_again(const rt_stream *s, uint64_t n)
{
    return s->n_written + n > s->cap;
}

void rt_file_learn(const rt_file *f, rt_thread *t, short events)
{
    if (f->in && (events & (POLLIN | POLLHUP | POLLRDHUP)))
        rt_clock_join(&t->clock, &f->in->sent);
    if (f->out && ((events & (POLLERR | POLLHUP)) ||
                   ((events & POLLOUT) && uses_again(f->out, RT_PIPE_BUF))))
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

/* ---- reading ---- */

/* What is left to do without waiting. */
static bool give_up(rt_fd_call *c)
{
    bool now = c->is_impatient || c->file->nonblocking;
    if (now)
        c->result = c->done > 0 ? c->done : -EAGAIN;
    return now;
}

static bool read_event(rt_fd_call *c, rt_thread *t)
{
    rt_stream *s = c->file->in;
    if (c->wanted < (long)sizeof s->count) {
        c->result = -EINVAL;
        return true;
    }
    if (s->count == 0)
        return give_up(c);
    c->a = c->file->counts_one ? 1 : s->count;
    RT_ASSERT(c->a <= s->count);
    s->count -= c->a;
    s->edges.out++;
    rt_clock_join(&t->clock, &s->sent);
    rt_clock_join(&s->taken, &t->clock);
    c->result = sizeof s->count;
    c->moved = c->result;
    return true;
}

static void take_bytes(rt_fd_call *c, rt_thread *t, uint32_t n)
{
    rt_stream *s = c->stream = c->file->in;
    c->at = s->n_read;
    c->moved = n;
    c->done += n;
    rt_clock_join(&t->clock, &s->sent);
    if (c->peeks)
        return;
    s->edges.out += room(s) < RT_PIPE_BUF;
    s->n_read += n;
    rt_clock_join(&s->taken, &t->clock);
}

/* Not what can be read or written at all. */
static int unfit(const rt_fd_call *c)
{
    if (c->wants_socket && c->file->type != RT_FILE_SOCKET)
        return ENOTSOCK;
    return c->file->type == RT_FILE_EPOLL ? EINVAL : 0;
}

bool rt_fd_attempt_read(rt_fd_call *c, rt_thread *t)
{
    rt_stream *s = in_of(c->file);
    if (!s || unfit(c)) {
        bool is_shut = c->file->type == RT_FILE_SOCKET;
        c->result = unfit(c) ? -unfit(c) : is_shut ? 0 : -EBADF;
        return true;
    }
    if (c->file->type == RT_FILE_EVENT)
        return read_event(c, t);
    uint32_t len = rt_stream_len(s);
    uint64_t left = (uint64_t)(c->wanted - c->done);
    if (len > 0 && left > 0)
        take_bytes(c, t, left < len ? (uint32_t)left : len);
    c->result = c->done;
    if (c->wanted == 0 || (c->done > 0 && (!c->wants_all || c->done == c->wanted)))
        return true;
    if (s->n_writers == 0) {
        rt_clock_join(&t->clock, &s->sent);
        return true;
    }
    return give_up(c);
}

bool rt_fd_can_read(const rt_fd_call *c)
{
    const rt_stream *s = in_of(c->file);
    if (!s || c->file->type == RT_FILE_EVENT)
        return !s || s->count > 0;
    return rt_stream_len(s) > 0 || s->n_writers == 0;
}

/* ---- writing ---- */

/* The ring grows up to the capacity. */
static void make_room(rt_stream *s, uint64_t n)
{
    uint32_t size = s->size ? s->size : 256;
    while (size < rt_stream_len(s) + n)
        size *= 2;
    if (size == s->size)
        return;
    uint8_t *bytes = rt_bump(size);
    uint32_t *labels = s->labels ? rt_bump(size * sizeof *labels) : NULL;
    for (uint64_t i = s->n_read; i < s->n_written; i++) {
        bytes[i & (size - 1)] = s->bytes[i & (s->size - 1)];
        if (labels)
            labels[i & (size - 1)] = s->labels[i & (s->size - 1)];
    }
    s->bytes = bytes;
    s->labels = labels;
    s->size = size;
}

static bool write_event(rt_fd_call *c, rt_thread *t)
{
    rt_stream *s = c->file->out;
    if (c->wanted < (long)sizeof s->count || c->a > RT_EVENT_MOST) {
        c->result = -EINVAL;
        return true;
    }
    if (s->count > RT_EVENT_MOST - c->a)
        return give_up(c);
    s->count += c->a;
    s->edges.in++;
    rt_clock_join(&s->sent, &t->clock);
    c->result = sizeof s->count;
    return true;
}

static void add_bytes(rt_fd_call *c, rt_thread *t, uint64_t n)
{
    rt_stream *s = c->stream = c->file->out;
    if (uses_again(s, n))
        rt_clock_join(&t->clock, &s->taken);
    make_room(s, n);
    c->at = s->n_written;
    c->moved = (long)n;
    c->done += (long)n;
    s->n_written += n;
    s->edges.in++;
    rt_clock_join(&s->sent, &t->clock);
}

/* Small writes to a pipe go in one piece. */
static uint64_t writable(const rt_fd_call *c)
{
    uint64_t left = (uint64_t)(c->wanted - c->done), most = room(c->file->out);
    bool whole = c->file->type == RT_FILE_PIPE && c->wanted <= (long)RT_PIPE_BUF;
    if (most >= left)
        return left;
    return whole ? 0 : most;
}

bool rt_fd_attempt_write(rt_fd_call *c, rt_thread *t)
{
    const rt_stream *s = out_of(c->file);
    if (!s || unfit(c)) {
        c->is_broken = !unfit(c) && c->file->type == RT_FILE_SOCKET;
        c->result = unfit(c) ? -unfit(c) : c->is_broken ? -EPIPE : -EBADF;
        return true;
    }
    if (c->file->type == RT_FILE_EVENT)
        return write_event(c, t);
    c->is_broken = s->n_readers == 0 && c->wanted > 0;
    if (c->is_broken) {
        rt_clock_join(&t->clock, &s->taken);
        c->result = c->done > 0 ? c->done : -EPIPE;
        return true;
    }
    uint64_t n = writable(c);
    if (n > 0)
        add_bytes(c, t, n);
    c->result = c->done;
    return c->done == c->wanted || give_up(c);
}

bool rt_fd_can_write(const rt_fd_call *c)
{
    const rt_stream *s = out_of(c->file);
    if (!s)
        return true;
    if (c->file->type == RT_FILE_EVENT)
        return s->count <= RT_EVENT_MOST - c->a;
    return s->n_readers == 0 || writable(c) > 0;
}

/* ---- calls ---- */

/* A call that waits keeps its file. Apart, a close meanwhile is a race. */
static void hold(rt_fd_call *c, bool now, rt_thread *t)
{
    if (!c->file || c->is_held == now || rt->fds_apart)
        return;
    c->is_held = now;
    if (now)
        c->file->refs++;
    else
        rt_file_give(c->file, t);
}

uint8_t rt_fd_grant(rt_thread *t, uint64_t *value)
{
    RT_ASSERT(rt_type[t->pending.kind] == WIRE_TYPE_FD);
    rt_fd_call *c = (rt_fd_call *)t->pending.b;
    uint8_t kind = t->pending.kind;
    bool done = true;
    c->moved = 0;
    if (kind != WIRE_FD_WAKE && c->fd >= 0 && !c->object)
        c->file = rt_fd_file(c->fd);
    if (c->fd >= 0 && !c->file)
        c->result = -EBADF;
    else
        done = c->attempt(c, t);
    hold(c, !done, t);
    *value =
        WIRE_FD_VALUE(c->fd >= 0 ? c->fd : c->fds[0], done ? c->result : WIRE_FD_WAITS);
    t->result = done;
    return kind;
}

bool rt_fd_ready(const rt_thread *t)
{
    RT_ASSERT(t->pending.kind == WIRE_FD_WAKE);
    const rt_fd_call *c = (const rt_fd_call *)t->pending.b;
    return c->is_ready(c);
}

void rt_fd_tell(const rt_object *o)
{
    wire_rec *r = NULL;
    for (uint32_t i = 0; i < rt->n_live; i++) {
        const rt_thread *t = &rt->threads[rt->live[i]];
        if (t->state != RT_WAITING || t->pending.kind != WIRE_FD_WAKE ||
            t->pending.model != o || !rt_fd_ready(t))
            continue;
        if (!r || r->size == WIRE_IDS)
            r = rt_emit(WIRE_NOTE_WOKEN);
        r->ids[r->size++] = t->id;
    }
}

static bool operation(uint8_t kind, rt_fd_call *c)
{
    rt_op *op = rt_op_new(kind, c->site, c->object ? c->object : WIRE_OBJECT_FDS);
    op->size = c->what;
    op->b = (uint64_t)c;
    op->patient = kind == WIRE_FD_WAKE && c->is_timed;
    op->cancellable = kind == WIRE_FD_WAKE && rt_cancellable();
    return rt_operation() != 0;
}

bool rt_fd_begin(rt_fd_call *c, enum rt_fd_side side)
{
    if (!rt->fds_apart)
        return true;
    rt_fd_uses(c->fd, c->site);
    rt_file *f = c->file = rt_fd_file(c->fd);
    c->result = f && unfit(c) ? -unfit(c) : -EBADF;
    if (!f || unfit(c))
        return false;
    bool in = side == RT_FD_IN || (side == RT_FD_ANY && f->in);
    const rt_stream *s = in ? f->in : f->out;
    c->object = s ? s->object : 0;
    return s != NULL;
}

/* A handler that runs before a call that would wait may as well have ended it. Of those that look at several,
 * one that lets calls go on (SA_RESTART) does so too. */
static bool is_interrupted(const rt_fd_call *c)
{
    bool looks = c->what == WIRE_FD_CALL_POLL;
    bool waits = looks || c->what == WIRE_FD_CALL_READ || c->what == WIRE_FD_CALL_WRITE;
    if (!waits || c->is_impatient)
        return false;
    enum rt_interruption how = rt_signal_point(c->site);
    if (looks && rt->self->signals.is_masked)
        return rt->self->signals.let_in;
    return (looks ? how != RT_UNDISTURBED : how == RT_INTERRUPTED) &&
           rt_choice("interruption of a call on a descriptor", c->site);
}

/* It does not wait, and says so if it should have. */
static long do_interrupted(rt_fd_call *c, void (*move)(rt_fd_call *c, void *with),
                           void *with)
{
    c->is_impatient = true;
    rt_fd_do(c, move, with);
    bool looks = c->what == WIRE_FD_CALL_POLL;
    bool would_wait = looks ? c->result == 0 : c->result == -EAGAIN;
    if (would_wait && !(c->file && c->file->nonblocking && !looks))
        c->result = -EINTR;
    return c->result;
}

long rt_fd_do(rt_fd_call *c, void (*move)(rt_fd_call *c, void *with), void *with)
{
    bool done = false;
    if (is_interrupted(c))
        return do_interrupted(c, move, with);
    for (uint8_t kind = WIRE_FD; !done; kind = WIRE_FD_WAKE) {
        done = operation(kind, c);
        if (c->moved > 0 && move)
            move(c, with);
        if (!done && rt->self->signals.let_in) {
            c->result = -EINTR;
            break;
        }
    }
    return c->result;
}

static bool attempt_end(rt_fd_call *c, rt_thread *t)
{
    if (c->file->in && c->file->in->object == c->object)
        rt_file_ends_in(c->file, t);
    if (c->file->out && c->file->out->object == c->object)
        rt_file_ends_out(c->file, t);
    c->result = 0;
    return true;
}

static void end_stream(const rt_fd_call *closed, const rt_stream *s)
{
    rt_fd_call c = {.what = WIRE_FD_CALL_CLOSE,
                    .fd = closed->what == WIRE_FD_CALL_DUP ? (int)closed->a : closed->fd,
                    .site = closed->site,
                    .object = s->object,
                    .attempt = attempt_end,
                    .file = closed->closed};
    rt_fd_do(&c, NULL, NULL);
}

void rt_fd_finish(const rt_fd_call *c)
{
    const rt_file *f = c->closed;
    if (!f || !rt->fds_apart)
        return;
    if (f->in)
        end_stream(c, f->in);
    if (f->out && (!f->in || f->out->object != f->in->object))
        end_stream(c, f->out);
}

long rt_fd_look(rt_fd_call *c)
{
    operation(WIRE_FD_LOOK, c);
    return c->result;
}

long rt_fd_answer(long result)
{
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}
