/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for several descriptors at once: poll, select and epoll. */
#include "runtime/posix/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/core/sys.h"
#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"
#include "runtime/posix/sync.h"
#include "runtime/symbolic/values.h"

#define SECOND INT64_C(1000000000)
#define ALWAYS (POLLERR | POLLHUP)

/* ---- timeouts ---- */

/* How long a call waits. */
typedef enum patience { FOR_EVER, FOR_A_WHILE, NOT_AT_ALL } patience;

/* Chooses whether a wait gives up, which is then no wait at all. */
static patience decide(const char *call, const struct timespec *timeout, uint32_t site)
{
    if (!timeout)
        return FOR_EVER;
    if (timeout->tv_sec == 0 && timeout->tv_nsec == 0)
        return NOT_AT_ALL;
    int64_t end = (int64_t)rt->self->now_ns + timeout->tv_sec * SECOND + timeout->tv_nsec;
    struct timespec until = {end / SECOND, end % SECOND};
    return rt_timed_gives_up(call, &until, site) ? NOT_AT_ALL : FOR_A_WHILE;
}

static const struct timespec *timespec_of(int ms, struct timespec *out)
{
    *out = (struct timespec){ms / 1000, ms % 1000 * 1000000L};
    return ms < 0 ? NULL : out;
}

static bool is_time(const struct timespec *t)
{
    return !t || (t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < SECOND);
}

/* A call with a timeout and without descriptors is a sleep. */
static int sleep_call(const struct timespec *timeout)
{
    return is_time(timeout) ? (int)rt_fd_answer(-rt_sleep(timeout, NULL))
                            : (int)rt_fd_answer(-EINVAL);
}

/* Descriptors are one object unless no call of these is in the program (rt_images_facts), or it makes
 * sockets. */
static void expect_one_object(uint32_t site)
{
    if (rt->fds_apart && !rt->fds_watched)
        rt_refuse("poll, select or epoll through a pointer", site);
}

/* ---- poll ---- */

static bool is_outside(int fd)
{
    return fd >= 0 && !rt_fd_is_ours(fd);
}

static short events_of(const rt_fd_call *c, uint32_t i)
{
    const struct pollfd *p = &c->polled[i];
    if (p->fd < 0 || c->outside[i])
        return c->found[i];
    if (!c->files[i])
        return POLLNVAL;
    return (short)(rt_file_events(c->files[i]) & (p->events | ALWAYS));
}

static bool can_poll(const rt_fd_call *c)
{
    for (uint32_t i = 0; i < c->n_polled; i++)
        if (events_of(c, i))
            return true;
    return false;
}

/* While a call waits it holds what it polls. */
static void take_files(rt_fd_call *c)
{
    c->files = rt_bump((c->n_polled + 1) * sizeof *c->files);
    for (uint32_t i = 0; i < c->n_polled; i++) {
        c->files[i] = rt_fd_file(c->polled[i].fd);
        if (c->files[i])
            c->files[i]->refs++;
    }
}

static bool attempt_poll(rt_fd_call *c, rt_thread *t)
{
    if (!c->files)
        take_files(c);
    if (!can_poll(c) && !c->is_impatient)
        return false;
    c->result = 0;
    for (uint32_t i = 0; i < c->n_polled; i++) {
        c->found[i] = events_of(c, i);
        c->result += c->found[i] != 0;
        if (c->files[i] && c->found[i])
            rt_file_learn(c->files[i], t, c->found[i]);
    }
    for (uint32_t i = 0; i < c->n_polled; i++)
        if (c->files[i])
            rt_file_give(c->files[i], t);
    return true;
}

/* Polls the outside descriptors, without waiting. */
static void ask_outside(rt_fd_call *c)
{
    static const struct timespec now;
    for (uint32_t i = 0; i < c->n_polled; i++) {
        struct pollfd one = c->polled[i];
        if (!is_outside(one.fd))
            continue;
        c->outside[i] = true;
        c->is_timed = true; /* what comes from there may come later */
        rt_taint("poll", c->site);
        rt_sys6(SYS_ppoll, (long)&one, 1, (long)&now, 0, 0, 0);
        c->found[i] = one.revents;
    }
}

/* Polls our descriptors. found[i] is the result for fds[i]; returns how many have events, or an error. */
static long poll_ours(const struct pollfd *fds, uint32_t n, patience how, uint32_t site,
                      short *found)
{
    rt_fd_call c = {.what = WIRE_FD_CALL_POLL,
                    .fd = -1,
                    .site = site,
                    .attempt = attempt_poll,
                    .is_ready = can_poll,
                    .is_impatient = how == NOT_AT_ALL,
                    .is_timed = how == FOR_A_WHILE,
                    .polled = fds,
                    .n_polled = n,
                    .found = found,
                    .outside = rt_bump((n + 1) * sizeof *c.outside),
                    .fds = {-1, -1}};
    ask_outside(&c);
    for (uint32_t i = 0; i < n; i++)
        rt_fd_watch(fds[i].fd, site);
    return how == NOT_AT_ALL ? rt_fd_look(&c) : rt_fd_do(&c, NULL, NULL);
}

static bool any_ours(const struct pollfd *fds, nfds_t n)
{
    for (nfds_t i = 0; i < n; i++)
        if (rt_fd_is_ours(fds[i].fd))
            return true;
    return false;
}

static int poll_call(struct pollfd *fds, nfds_t n, const struct timespec *timeout)
{
    uint32_t site = rt_call_site();
    expect_one_object(site);
    if (n > RT_MAX_FDS || !is_time(timeout))
        return (int)rt_fd_answer(-EINVAL);
    rt_access((uint64_t)fds, n * sizeof *fds, false, site);
    short *found = rt_bump((n + 1) * sizeof *found);
    patience how = decide("timeout of poll", timeout, site);
    long result = poll_ours(fds, (uint32_t)n, how, site, found);
    for (nfds_t i = 0; i < n; i++) {
        rt_access((uint64_t)&fds[i].revents, sizeof fds[i].revents, true, site);
        rt_sym_forget((uint64_t)&fds[i].revents, sizeof fds[i].revents);
        fds[i].revents = found[i];
    }
    return (int)rt_fd_answer(result);
}

RT_API int __treadle_poll(struct pollfd *fds, nfds_t n, int timeout_ms);
int __treadle_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    struct timespec timeout;
    if (rt_on() && n == 0 && timeout_ms >= 0)
        return sleep_call(timespec_of(timeout_ms, &timeout));
    if (!rt_on() || !any_ours(fds, n))
        return poll(fds, n, timeout_ms);
    return poll_call(fds, n, timespec_of(timeout_ms, &timeout));
}

RT_API int __treadle_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                           const sigset_t *mask);
int __treadle_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                    const sigset_t *mask)
{
    if (rt_on() && n == 0 && timeout)
        return sleep_call(timeout);
    if (!rt_on() || !any_ours(fds, n))
        return ppoll(fds, n, timeout, mask);
    uint64_t before = rt_signal_blocks(mask);
    int result = poll_call(fds, n, timeout);
    rt_signal_blocked(before);
    return result;
}

/* ---- select ---- */

#define SELECT_IN (POLLRDNORM | POLLIN | POLLHUP | POLLERR)
#define SELECT_OUT (POLLWRNORM | POLLOUT | POLLERR)

/* The three sets of a call, or NULL. */
typedef struct sets {
    fd_set *at[3];
    int n;
} sets;

static const short set_events[3] = {SELECT_IN, SELECT_OUT, POLLPRI};

static bool is_in(const sets *s, int which, int fd)
{
    return s->at[which] && FD_ISSET(fd, s->at[which]);
}

static bool select_ours(const sets *s)
{
    for (int fd = 0; fd < s->n; fd++)
        for (int k = 0; k < 3; k++)
            if (is_in(s, k, fd) && rt_fd_is_ours(fd))
                return true;
    return false;
}

static uint32_t list_sets(const sets *s, struct pollfd *fds)
{
    uint32_t n = 0;
    for (int fd = 0; fd < s->n; fd++) {
        short events = 0;
        for (int k = 0; k < 3; k++)
            if (is_in(s, k, fd))
                events |= set_events[k];
        if (events)
            fds[n++] = (struct pollfd){.fd = fd, .events = events};
    }
    return n;
}

static void tell_sets(const sets *s, bool is_write, uint32_t site)
{
    for (int k = 0; k < 3; k++)
        if (s->at[k] && s->n > 0)
            rt_access((uint64_t)s->at[k], ((uint64_t)s->n + 63) / 64 * 8, is_write, site);
}

/* The sets keep those that have something; how many. */
static int keep_found(const sets *s, const struct pollfd *fds, uint32_t n,
                      const short *found)
{
    int count = 0;
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            if (!is_in(s, k, fds[i].fd))
                continue;
            if (found[i] & set_events[k])
                count++;
            else
                FD_CLR(fds[i].fd, s->at[k]);
        }
    return count;
}

static int select_call(const sets *s, const struct timespec *timeout)
{
    uint32_t site = rt_call_site();
    expect_one_object(site);
    if (!is_time(timeout))
        return (int)rt_fd_answer(-EINVAL);
    tell_sets(s, false, site);
    struct pollfd *fds = rt_bump(((size_t)s->n + 1) * sizeof *fds);
    uint32_t n = list_sets(s, fds);
    short *found = rt_bump((n + 1) * sizeof *found);
    poll_ours(fds, n, decide("timeout of select", timeout, site), site, found);
    for (uint32_t i = 0; i < n; i++)
        if (found[i] & POLLNVAL)
            return (int)rt_fd_answer(-EBADF);
    tell_sets(s, true, site);
    return keep_found(s, fds, n, found);
}

RT_API int __treadle_select(int n, fd_set *in, fd_set *out, fd_set *other,
                            struct timeval *timeout);
int __treadle_select(int n, fd_set *in, fd_set *out, fd_set *other,
                     struct timeval *timeout)
{
    sets s = {{in, out, other}, n};
    struct timespec wait = {0, 0};
    if (timeout)
        wait = (struct timespec){timeout->tv_sec, timeout->tv_usec * 1000};
    if (rt_on() && n == 0 && timeout)
        return sleep_call(&wait);
    if (!rt_on() || n < 0 || n > FD_SETSIZE || !select_ours(&s))
        return select(n, in, out, other, timeout);
    return select_call(&s, timeout ? &wait : NULL);
}

RT_API int __treadle_pselect(int n, fd_set *in, fd_set *out, fd_set *other,
                             const struct timespec *timeout, const sigset_t *mask);
int __treadle_pselect(int n, fd_set *in, fd_set *out, fd_set *other,
                      const struct timespec *timeout, const sigset_t *mask)
{
    sets s = {{in, out, other}, n};
    if (rt_on() && n == 0 && timeout)
        return sleep_call(timeout);
    if (!rt_on() || n < 0 || n > FD_SETSIZE || !select_ours(&s))
        return pselect(n, in, out, other, timeout, mask);
    uint64_t before = rt_signal_blocks(mask);
    int result = select_call(&s, timeout);
    rt_signal_blocked(before);
    return result;
}

/* ---- epoll: what is watched ---- */

static uint64_t edges_of(const rt_item *i)
{
    rt_edges e = rt_file_edges(i->file);
    return (i->events & EPOLLIN ? e.in : 0) + (i->events & EPOLLOUT ? e.out : 0) + e.end;
}

static uint32_t item_events(const rt_item *i)
{
    if (i->is_off || (i->file && i->file->refs == 0))
        return 0;
    if (!i->file)
        return (uint32_t)(unsigned short)i->outside & (i->events | ALWAYS);
    uint32_t events =
        (uint32_t)(unsigned short)rt_file_events(i->file) & (i->events | ALWAYS);
    bool old =
        (i->events & EPOLLET) && i->file->type != RT_FILE_EPOLL && i->seen == edges_of(i);
    return old ? 0 : events;
}

bool rt_epoll_any(const rt_file *epoll)
{
    for (const rt_item *i = epoll->items; i; i = i->next)
        if (item_events(i))
            return true;
    return false;
}

/* The watched lead to the file, or are it. */
static bool leads_to(const rt_file *from, const rt_file *to)
{
    if (from == to)
        return true;
    if (!from)
        return false;
    for (const rt_item *i = from->items; i; i = i->next)
        if (leads_to(i->file, to))
            return true;
    return false;
}

static bool attempt_create(rt_fd_call *c, rt_thread *t)
{
    (void)t;
    c->result = c->fds[0] = rt_fd_put(rt_file_new(RT_FILE_EPOLL), 0, c->a != 0);
    return true;
}

RT_API int __treadle_epoll_create1(int flags);
int __treadle_epoll_create1(int flags)
{
    if (!rt_on())
        return epoll_create1(flags);
    rt_fd_call c = {.what = WIRE_FD_CALL_OPEN,
                    .fd = -1,
                    .site = rt_call_site(),
                    .attempt = attempt_create,
                    .a = (flags & EPOLL_CLOEXEC) != 0,
                    .fds = {-1, -1}};
    expect_one_object(c.site);
    return (int)rt_fd_answer(rt_fd_do(&c, NULL, NULL));
}

RT_API int __treadle_epoll_create(int size);
int __treadle_epoll_create(int size)
{
    if (!rt_on())
        return epoll_create(size);
    return size > 0 ? __treadle_epoll_create1(0) : (int)rt_fd_answer(-EINVAL);
}

/* ---- epoll_ctl ---- */

static rt_item **item_at(rt_file *epoll, int fd, const rt_file *f)
{
    rt_item **at = &epoll->items;
    while (*at && ((*at)->fd != fd || (*at)->file != f))
        at = &(*at)->next;
    return at;
}

static void set_item(rt_item *i, const struct epoll_event *event, const rt_thread *t)
{
    i->events = event->events;
    i->data = event->data.u64;
    i->seen = UINT64_MAX; /* what is there already is new */
    i->is_off = false;
    rt_clock_copy(&i->clock, &t->clock);
}

static int change_items(rt_fd_call *c, rt_file *target, const rt_thread *t)
{
    rt_file *epoll = c->file;
    rt_item **at = item_at(epoll, (int)c->a, target);
    switch (c->b) {
    case EPOLL_CTL_ADD:
        if (*at)
            return -EEXIST;
        if (leads_to(target, epoll))
            return -ELOOP;
        *at = rt_bump(sizeof **at);
        (*at)->file = target;
        (*at)->fd = (int)c->a;
        break;
    case EPOLL_CTL_MOD:
        break;
    case EPOLL_CTL_DEL:
        if (*at)
            *at = (*at)->next;
        else
            return -ENOENT;
        return 0;
    default:
        return -EINVAL;
    }
    if (!*at)
        return -ENOENT;
    set_item(*at, c->events, t);
    return 0;
}

static bool attempt_ctl(rt_fd_call *c, rt_thread *t)
{
    rt_file *target = rt_fd_file((int)c->a);
    bool is_open = target || rt_sys6(SYS_fcntl, (long)c->a, F_GETFD, 0, 0, 0, 0) >= 0;
    if (!is_open)
        c->result = -EBADF;
    else if (c->file->type != RT_FILE_EPOLL || target == c->file)
        c->result = -EINVAL;
    else
        c->result = change_items(c, target, t);
    return true;
}

RT_API int __treadle_epoll_ctl(int epoll, int op, int fd, struct epoll_event *event);
int __treadle_epoll_ctl(int epoll, int op, int fd, struct epoll_event *event)
{
    if (!rt_fd_is_ours(epoll)) {
        if (rt_on())
            rt_taint("epoll_ctl", rt_call_site());
        return epoll_ctl(epoll, op, fd, event);
    }
    uint32_t site = rt_call_site();
    rt_fd_uses(epoll, site);
    if (op != EPOLL_CTL_DEL)
        rt_fd_watch(fd, site);
    if (is_outside(fd))
        rt_taint("epoll_ctl", site);
    if (op != EPOLL_CTL_DEL)
        rt_access((uint64_t)event, sizeof *event, false, site);
    struct epoll_event copy = op == EPOLL_CTL_DEL ? (struct epoll_event){0} : *event;
    rt_fd_call c = {.what = WIRE_FD_CALL_CONTROL,
                    .fd = epoll,
                    .site = site,
                    .attempt = attempt_ctl,
                    .a = (uint64_t)fd,
                    .b = (uint64_t)op,
                    .events = &copy};
    return (int)rt_fd_answer(rt_fd_do(&c, NULL, NULL));
}

/* ---- epoll_wait ---- */

static void tell_item(rt_item *i, rt_thread *t, struct epoll_event *out)
{
    uint32_t events = item_events(i);
    out->events = events;
    out->data.u64 = i->data;
    rt_clock_join(&t->clock, &i->clock);
    if (i->file) {
        rt_file_learn(i->file, t, (short)events);
        i->seen = edges_of(i);
    }
    i->is_off = (i->events & EPOLLONESHOT) != 0;
}

/* Makes the next call start after the last reported item. */
static void start_behind(rt_file *epoll, rt_item *last)
{
    rt_item *end = last;
    if (!last->next)
        return;
    while (end->next)
        end = end->next;
    end->next = epoll->items;
    epoll->items = last->next;
    last->next = NULL;
}

static bool attempt_epoll(rt_fd_call *c, rt_thread *t)
{
    long n = 0, most = 0;
    if (c->file->type != RT_FILE_EPOLL) {
        c->result = -EINVAL;
        return true;
    }
    if (!rt_epoll_any(c->file) && !c->is_impatient)
        return false;
    for (const rt_item *i = c->file->items; i; i = i->next)
        most++;
    most = most < c->wanted ? most : c->wanted;
    c->events = rt_bump(((size_t)most + 1) * sizeof *c->events);
    rt_item *last = NULL;
    for (rt_item *i = c->file->items; i && n < most; i = i->next)
        if (item_events(i)) {
            tell_item(i, t, &c->events[n++]);
            last = i;
        }
    if (last && n == c->wanted)
        start_behind(c->file, last);
    c->result = n;
    return true;
}

/* Polls the watched outside descriptors, without waiting; closed ones are no longer watched. True if there
 * are any. */
static bool ask_items(rt_file *epoll)
{
    static const struct timespec now;
    bool any = false;
    for (rt_item *i = epoll->type == RT_FILE_EPOLL ? epoll->items : NULL; i;
         i = i->next) {
        if (i->file)
            continue;
        struct pollfd one = {.fd = i->fd, .events = (short)i->events};
        rt_sys6(SYS_ppoll, (long)&one, 1, (long)&now, 0, 0, 0);
        i->outside = one.revents & POLLNVAL ? 0 : one.revents;
        any = true;
    }
    return any;
}

static bool can_epoll(const rt_fd_call *c)
{
    return rt_epoll_any(c->file);
}

static int epoll_call(int epoll, struct epoll_event *events, int most,
                      const struct timespec *timeout)
{
    uint32_t site = rt_call_site();
    if (most <= 0 || !is_time(timeout))
        return (int)rt_fd_answer(-EINVAL);
    patience how = decide("timeout of epoll_wait", timeout, site);
    rt_fd_call c = {.what = WIRE_FD_CALL_POLL,
                    .fd = epoll,
                    .site = site,
                    .attempt = attempt_epoll,
                    .is_ready = can_epoll,
                    .is_impatient = how == NOT_AT_ALL,
                    .is_timed = how == FOR_A_WHILE,
                    .wanted = most};
    rt_fd_uses(epoll, site);
    rt_file *file = rt_fd_file(epoll);
    if (file && ask_items(file)) {
        c.is_timed = true; /* what comes from there may come later */
        rt_taint("epoll_wait", site);
    }
    long n = rt_fd_do(&c, NULL, NULL);
    if (n > 0) {
        rt_access((uint64_t)events, (uint64_t)n * sizeof *events, true, site);
        rt_sym_forget((uint64_t)events, (uint64_t)n * sizeof *events);
        memcpy(events, c.events, (size_t)n * sizeof *events);
    }
    return (int)rt_fd_answer(n);
}

static int epoll_masked(int epoll, struct epoll_event *events, int most,
                        const struct timespec *timeout, const sigset_t *mask)
{
    uint64_t before = rt_signal_blocks(mask);
    int result = epoll_call(epoll, events, most, timeout);
    rt_signal_blocked(before);
    return result;
}

RT_API int __treadle_epoll_pwait(int epoll, struct epoll_event *events, int most,
                                 int timeout_ms, const sigset_t *mask);
int __treadle_epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout_ms,
                          const sigset_t *mask)
{
    struct timespec timeout;
    if (!rt_fd_is_ours(epoll))
        return epoll_pwait(epoll, events, most, timeout_ms, mask);
    return epoll_masked(epoll, events, most, timespec_of(timeout_ms, &timeout), mask);
}

RT_API int __treadle_epoll_wait(int epoll, struct epoll_event *events, int most,
                                int timeout_ms);
int __treadle_epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms)
{
    return __treadle_epoll_pwait(epoll, events, most, timeout_ms, NULL);
}

RT_API int __treadle_epoll_pwait2(int epoll, struct epoll_event *events, int most,
                                  const struct timespec *timeout, const sigset_t *mask);
int __treadle_epoll_pwait2(int epoll, struct epoll_event *events, int most,
                           const struct timespec *timeout, const sigset_t *mask)
{
    if (rt_fd_is_ours(epoll))
        return epoll_masked(epoll, events, most, timeout, mask);
    return (int)syscall(SYS_epoll_pwait2, epoll, events, most, timeout, mask, _NSIG / 8);
}
