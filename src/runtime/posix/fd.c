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

rt_fds *rt_fd_numbers(void)
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

/* Stays open. */
static int open_null(void)
{
    return (int)rt_sys_open_high("/dev/null", O_RDWR);
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
    rt_fds *n = rt_fd_numbers();
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
    if (!rt_file_drop(f, t))
        return;
    c->closed = f;
    c->emptied = rt_listener_empties(f, t);
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
    s->object = WIRE_OBJECT_STREAM(rt_fd_numbers()->n_streams++ % WIRE_N_STREAMS);
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
    f->resets |= f->refs == 0 && f->type == RT_FILE_SOCKET && rt_stream_len(s) > 0;
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
    s->is_reset |= f->resets;
    s->edges.end++;
    rt_clock_join(&s->sent, &f->dropped);
    rt_clock_join(&s->sent, &t->clock);
}

rt_file *rt_listener_empties(rt_file *f, rt_thread *t)
{
    rt_file *all = f->pending;
    f->pending = NULL;
    f->n_pending = 0;
    for (rt_file *p = all; p && !rt->fds_apart; p = p->next) {
        p->resets = true;
        rt_file_ends_in(p, t);
        rt_file_ends_out(p, t);
    }
    return rt->fds_apart ? all : NULL;
}

/* Threads that closed other copies before have closed it, too, before the end is seen. */
bool rt_file_drop(rt_file *f, rt_thread *t)
{
    rt_clock_join(&f->dropped, &t->clock);
    RT_ASSERT(f->refs > 0);
    if (--f->refs > 0)
        return false;
    if (!rt->fds_apart) {
        rt_listener_empties(f, t);
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

/* ---- reading ---- */

/* What is left to do without waiting. */
bool rt_fd_gives_up(rt_fd_call *c)
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
        return rt_fd_gives_up(c);
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
    s->edges.out += rt_stream_room(s) < RT_PIPE_BUF;
    s->n_read += n;
    rt_clock_join(&s->taken, &t->clock);
}

/* Not what can be read or written at all. */
static int unfit(const rt_fd_call *c)
{
    const rt_file *f = c->file;
    bool writes = c->what == WIRE_FD_CALL_WRITE;
    if (c->wants_socket && !rt_file_is_socket(f))
        return ENOTSOCK;
    if (f->type == RT_FILE_EPOLL)
        return EINVAL;
    if (f->type == RT_FILE_SOCKET || !rt_file_is_socket(f))
        return 0;
    if (f->is_inet)
        return writes ? EPIPE : ENOTCONN;
    return writes ? ENOTCONN : EINVAL;
}

/* Reports the error of a socket once, to the first call that queries it. */
static bool tells_error(rt_fd_call *c)
{
    rt_file *f = c->file;
    if (f->error == 0)
        return false;
    c->result = -f->error;
    f->error = 0;
    return true;
}

/* All is read that will ever be. */
static bool read_end(rt_fd_call *c, rt_thread *t)
{
    rt_stream *s = c->file->in;
    rt_clock_join(&t->clock, &s->sent);
    if (s->is_reset && c->done == 0) {
        c->result = -ECONNRESET;
        c->file->is_gone = true;
    }
    s->is_reset &= c->done > 0;
    return true;
}

bool rt_fd_attempt_read(rt_fd_call *c, rt_thread *t)
{
    rt_stream *s = in_of(c->file);
    if (tells_error(c))
        return true;
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
    if (s->n_writers == 0 || c->file->in_shut)
        return read_end(c, t);
    return rt_fd_gives_up(c);
}

bool rt_fd_can_read(const rt_fd_call *c)
{
    const rt_stream *s = in_of(c->file);
    if (!s || c->file->type == RT_FILE_EVENT)
        return !s || s->count > 0;
    return rt_stream_len(s) > 0 || s->n_writers == 0 || c->file->in_shut;
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
        return rt_fd_gives_up(c);
    s->count += c->a;
    s->edges.in++;
    rt_clock_join(&s->sent, &t->clock);
    c->result = sizeof s->count;
    return true;
}

static void add_bytes(rt_fd_call *c, rt_thread *t, uint64_t n)
{
    rt_stream *s = c->stream = c->file->out;
    if (rt_stream_uses_again(s, n))
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
    uint64_t left = (uint64_t)(c->wanted - c->done), most = rt_stream_room(c->file->out);
    bool whole = c->file->type == RT_FILE_PIPE && c->wanted <= (long)RT_PIPE_BUF;
    if (most >= left)
        return left;
    return whole ? 0 : most;
}

/* No descriptor reads it. With TCP the first write does not know that yet. */
static bool write_end(rt_fd_call *c, rt_thread *t)
{
    rt_file *f = c->file;
    rt_clock_join(&t->clock, &f->out->taken);
    c->result = c->done > 0 ? c->done : -EPIPE;
    if (f->is_inet && f->in->is_reset && c->done == 0) {
        f->in->is_reset = false;
        f->is_gone = true;
        c->result = -ECONNRESET;
    } else if (f->is_inet && !f->is_gone) {
        f->is_gone = true;
        f->in->edges.end++;
        c->result = c->wanted;
    } else {
        c->is_broken = true;
    }
    return true;
}

bool rt_fd_attempt_write(rt_fd_call *c, rt_thread *t)
{
    const rt_stream *s = out_of(c->file);
    if (tells_error(c))
        return true;
    if (!s || unfit(c)) {
        c->is_broken = unfit(c) ? unfit(c) == EPIPE : c->file->type == RT_FILE_SOCKET;
        c->result = unfit(c) ? -unfit(c) : c->is_broken ? -EPIPE : -EBADF;
        return true;
    }
    if (c->file->type == RT_FILE_EVENT)
        return write_event(c, t);
    if (s->n_readers == 0 && c->wanted > 0)
        return write_end(c, t);
    uint64_t n = writable(c);
    if (n > 0)
        add_bytes(c, t, n);
    c->result = c->done;
    return c->done == c->wanted || rt_fd_gives_up(c);
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
    RT_ASSERT(mdl_type_of(t->pending.kind) == WIRE_TYPE_FD);
    rt_fd_call *c = (rt_fd_call *)t->pending.b;
    uint8_t kind = t->pending.kind;
    bool done = true;
    c->moved = 0;
    c->is_passed = c->source && c->source->is_watched;
    if (kind != WIRE_FD_WAKE && c->fd >= 0 && !c->object && !c->has_file)
        c->file = rt_fd_file(c->fd);
    if (c->fd >= 0 && !c->file)
        c->result = -EBADF;
    else if (!c->is_passed)
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
    return (c->source && c->source->is_watched) || c->is_ready(c);
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
    if (f && (f->type == RT_FILE_LISTENER || f->type == RT_FILE_UNCONNECTED))
        return true;
    c->result = f && unfit(c) ? -unfit(c) : -EBADF;
    if (!f || unfit(c))
        return false;
    bool in = side == RT_FD_IN || (side == RT_FD_ANY && f->in);
    rt_stream *s = c->source = in ? f->in : f->out;
    c->object = s ? s->object : 0;
    return s != NULL;
}

/* A handler that runs before a call that would wait may as well have ended it. Of those that look at several,
 * one that lets calls continue (SA_RESTART) does so too. */
static bool is_interrupted(const rt_fd_call *c)
{
    bool looks = c->what == WIRE_FD_CALL_POLL;
    bool waits = looks || c->what == WIRE_FD_CALL_READ || c->what == WIRE_FD_CALL_WRITE ||
                 c->what == WIRE_FD_CALL_ACCEPT || c->what == WIRE_FD_CALL_CONNECT;
    if (!waits || c->is_impatient)
        return false;
    enum rt_interruption how = rt_signal_point(c->site);
    if (looks && rt->self->signals.is_masked)
        return rt->self->signals.let_in;
    return (looks ? how != RT_UNDISTURBED : how == RT_INTERRUPTED) &&
           rt_choice("interruption of a call on a descriptor", c->site);
}

/* Executes the call without waiting; reports if it would have had to wait. */
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

/* What poll may see is ordered with all calls on descriptors. */
static void pass_on(rt_fd_call *c)
{
    c->is_passed = false;
    c->has_file = true;
    c->source = NULL;
    c->object = 0;
}

long rt_fd_do(rt_fd_call *c, void (*move)(rt_fd_call *c, void *with), void *with)
{
    bool done = false;
    if (is_interrupted(c))
        return do_interrupted(c, move, with);
    for (uint8_t kind = WIRE_FD; !done; kind = WIRE_FD_WAKE) {
        done = operation(kind, c);
        if (c->is_passed) {
            pass_on(c);
            done = operation(WIRE_FD, c);
        }
        if (c->moved > 0 && move)
            move(c, with);
        if (!done && rt->self->signals.let_in) {
            c->result = -EINTR;
            break;
        }
    }
    return c->result;
}

long rt_fd_look(rt_fd_call *c)
{
    operation(WIRE_FD_LOOK, c);
    if (c->is_passed) {
        pass_on(c);
        operation(WIRE_FD_LOOK, c);
    }
    return c->result;
}

static bool attempt_outside(rt_fd_call *c, rt_thread *t)
{
    (void)t;
    c->result = WIRE_FD_OUTSIDE;
    return true;
}

static void order(uint8_t kind, enum wire_fd_call what, int fd, uint32_t site)
{
    rt_fd_call c = {.what = (uint8_t)what,
                    .fd = -1,
                    .site = site,
                    .attempt = attempt_outside,
                    .fds = {fd, -1}};
    if (!rt_is_only_thread())
        operation(kind, &c);
}

void rt_fd_order(enum wire_fd_call what, int fd, uint32_t site)
{
    order(WIRE_FD, what, fd, site);
}

void rt_fd_order_look(int fd, uint32_t site)
{
    order(WIRE_FD_LOOK, WIRE_FD_CALL_CONTROL, fd, site);
}

long rt_fd_answer(long result)
{
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}
