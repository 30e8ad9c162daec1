/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/fd.h - descriptors between threads of the program.
 *
 * Purpose     Pipes, eventfds, sockets within the process and epoll instances, kept here and not in the
 *             kernel, so that a call that waits stops its thread and not the process, and a restart
 *             restores everything.
 * Words       stream: bytes on their way, or the count of an eventfd.  file: the object of a
 *             descriptor (dup makes a second descriptor of the same file). call: a thread's request
 *             on a file; it is executed when it is granted, and the thread copies data to or from its
 *             memory after the operation.
 *             outside: all other descriptors, which are the kernel's.
 *             apart: each stream is a separate object: no part of the program polls, or it makes
 *             sockets. watched: a stream that is polled. If streams are apart that is an operation on
 *             it; calls on a watched stream are executed by a second operation, on the object of all
 *             descriptors.
 * Invariants  (D1) a number in the table is reserved in the kernel too, by a copy of /dev/null;
 *             (D2) files and streams change only in a grant, and the result of a call is determined
 *             by the earlier calls with the same object: all calls share one, or (apart) those that
 *             make, copy and close descriptors share one, and a call on a stream has the stream's;
 *             (D3) a thread that waits holds its files: close takes nothing from under it;
 *             (D4) apart, which file a number means is found without an operation. It is
 *                  checked like a plain access: use reads and close writes.
 *
 *   FD the call is executed, or cannot be: then the thread waits
 *   FD_WAKE  possible while what it waits for is there; the call is carried out, or a part of it
 *   FD_LOOK the call only queries
 */
#pragma once

#include <poll.h>
#include <sys/epoll.h>
#include <sys/uio.h>

#include "runtime/core/state.h"
#include "runtime/core/sys.h"

#define RT_STREAM_BYTES 65536u
#define RT_STREAM_MOST (1u << 20)
#define RT_PIPE_BUF 4096u
#define RT_EVENT_MOST (UINT64_MAX - 1)

/* How often something happened that a poll of the file may see. */
typedef struct rt_edges {
    uint64_t in, out, end;
} rt_edges;

typedef struct rt_stream {
    uint8_t *
        bytes; /* a ring of size bytes, a power of two; NULL until something is written */
    uint32_t *labels; /* labels of the bytes; NULL: none has one */
    uint32_t size;
    uint32_t cap;               /* bytes it takes */
    uint64_t n_written, n_read; /* ever */
    uint64_t count;             /* count of an eventfd */
    uint32_t n_readers, n_writers;
    bool is_watched; /* poll or epoll looks at it, from now on */
    /* Reported to a reader once: the other side closed without reading everything. */
    bool is_reset;
    rt_edges edges;
    uint64_t object; /* object of its operations, if streams are apart */
    rt_clock sent;   /* clock of threads that wrote or closed: readers acquire it */
    rt_clock
        /* Clock of threads that read or closed: writers acquire it if they waited for space. */
        taken;
} rt_stream;

enum rt_file_type {
    RT_FILE_PIPE,
    RT_FILE_EVENT,
    RT_FILE_SOCKET, /* a connection */
    RT_FILE_EPOLL,
    RT_FILE_LISTENER,
    RT_FILE_UNCONNECTED /* a socket that is neither of them yet */
};

/* What an epoll instance watches. */
typedef struct rt_item {
    struct rt_item *next;
    struct rt_file *file; /* NULL: the descriptor leads outside */
    int fd;
    short outside; /* what the kernel said of one that does, when it was last asked */
    uint32_t events;
    uint64_t data;
    uint64_t seen;  /* edges when it was last reported */
    bool is_off;    /* reported once, as requested */
    rt_clock clock; /* clock of the thread that set it */
} rt_item;

typedef struct rt_file {
    uint8_t type; /* enum rt_file_type */
    bool nonblocking;
    bool counts_one;          /* eventfd: a read takes 1 */
    uint32_t refs;            /* descriptors, and calls that wait */
    rt_stream *in;            /* NULL: it cannot be read */
    rt_stream *out;           /* NULL: it cannot be written */
    bool in_ended, out_ended; /* not any more */
    bool in_shut;             /* reads no longer wait; the other side is not notified */
    bool resets;              /* closed before all was read */
    bool is_inet;             /* as TCP does it */
    bool is_gone;             /* a thread has observed that the other side is closed */
    int error;                /* reported once; 0: none */
    struct rt_socket *socket; /* its addresses (socket.h), or NULL */
    /* listener: connections not accepted yet, oldest first, and their number */
    struct rt_file *pending;
    uint32_t n_pending;
    struct rt_file *next; /* next such connection */
    rt_clock dropped;     /* clock of the threads that closed it */
    rt_item *items;       /* items of an epoll instance */
} rt_file;

typedef struct rt_fds {
    rt_file *at[RT_MAX_FDS];
    int end; /* behind the highest that was ever used */
    uint32_t n_streams;
    struct rt_socket *bound; /* sockets that had an address in this run */
    uint32_t n_names;        /* that were made up */
} rt_fds;

typedef struct rt_fd_call rt_fd_call;

/* A call, on the stack of its thread. */
struct rt_fd_call {
    uint8_t what; /* enum wire_fd_call */
    int fd;
    uint32_t site;
    uint64_t object;   /* 0: that of the numbers */
    bool is_impatient; /* it does not wait */
    bool is_timed;     /* ... or not forever */
    /* False: it has to wait. The result is then to be negative still. */
    bool (*attempt)(rt_fd_call *c, rt_thread *t);
    bool (*is_ready)(const rt_fd_call *c); /* NULL where attempt is never false */
    long result;                           /* or a negative error number */

    rt_stream *source; /* whose object it is, where they are apart */
    bool is_passed;    /* that is watched: the call is about all descriptors */
    bool has_file;     /* ... and file is known */
    rt_file *file;     /* looked up by the first attempt, or by rt_fd_begin */
    rt_file *closed;   /* without descriptors, but its streams were not closed yet */
    rt_file *emptied;  /* likewise, of connections that will not be accepted */
    long wanted, done; /* bytes */
    /* Bytes moved by the last attempt are those of the stream from at on. */
    rt_stream *stream;
    uint64_t at;
    long moved;
    bool peeks;     /* what is read stays */
    bool wants_all; /* a read waits for all that is wanted */
    bool is_broken; /* a write that can never be read */
    bool wants_socket;
    bool is_held;  /* it holds its file */
    bool is_exact; /* dup2: that number and no other */
    bool goes_out; /* bind, connect: the address is not of this process */
    uint64_t a, b; /* whatever else is asked for */
    int fds[2];    /* made */
    /* poll: what is polled, its files while it waits, what was found, first of those outside */
    const struct pollfd *polled;
    uint32_t n_polled;
    rt_file **files;
    short *found;
    bool *outside;
    struct epoll_event *events; /* epoll_wait: what it found */
};

static inline bool rt_file_is_socket(const rt_file *f)
{
    return f->type == RT_FILE_SOCKET || f->type == RT_FILE_LISTENER ||
           f->type == RT_FILE_UNCONNECTED;
}

/* ---- fd.c ---- */

rt_fds *rt_fd_numbers(void);
/* The number is one of ours, or was and is free now. */
bool rt_fd_is_ours(int fd);
rt_file *rt_fd_file(int fd);
/* The call is about that side of its file. False: it fails with the result. */
enum rt_fd_side { RT_FD_IN, RT_FD_OUT, RT_FD_ANY };
bool rt_fd_begin(rt_fd_call *c, enum rt_fd_side side);
/* The race check sees that the number is used, or closed. */
void rt_fd_uses(int fd, uint32_t site);
void rt_fd_closes(int fd, uint32_t site);
/* Carries out the call, waits if it has to; the result. move, if not NULL, is called behind every
 * operation that moved bytes. */
long rt_fd_do(rt_fd_call *c, void (*move)(rt_fd_call *c, void *with), void *with);
/* The same for calls that only look. */
long rt_fd_look(rt_fd_call *c);
/* Call before a call that makes, copies or closes an outside descriptor, or sets its flags: if there are
 * threads, it is ordered with all such calls, also on our descriptors. fd may be -1: unknown. */
void rt_fd_order(enum wire_fd_call what, int fd, uint32_t site);
/* The same for a call that only queries. */
void rt_fd_order_look(int fd, uint32_t site);
/* The call cannot be carried out now: true if it does not wait. */
bool rt_fd_gives_up(rt_fd_call *c);
bool rt_fd_attempt_read(rt_fd_call *c, rt_thread *t);
bool rt_fd_can_read(const rt_fd_call *c);
bool rt_fd_attempt_write(rt_fd_call *c, rt_thread *t);
bool rt_fd_can_write(const rt_fd_call *c);

/* Only in a grant: */

/* Puts a file at the lowest free number from min on: it, or a negative error number. */
int rt_fd_put(rt_file *f, int min, bool cloexec);
void rt_fd_take_away(int fd, rt_fd_call *c, rt_thread *t);
rt_file *rt_file_new(enum rt_file_type type);
rt_stream *rt_stream_new(void);
/* The file reads and writes these streams, from now on or no longer. */
void rt_file_opens(rt_file *f, rt_stream *in, rt_stream *out);
void rt_file_ends_in(rt_file *f, rt_thread *t);
void rt_file_ends_out(rt_file *f, rt_thread *t);
/* Ends connections that were not accepted; if streams are apart, rt_fd_finish ends those returned. */
rt_file *rt_listener_empties(rt_file *f, rt_thread *t);
/* Returns true if that was the last descriptor. */
bool rt_file_drop(rt_file *f, rt_thread *t);
/* Call when a call that waited needs the file no longer. */
void rt_file_give(rt_file *f, rt_thread *t);
/* Bytes on their way. */
static inline uint32_t rt_stream_len(const rt_stream *s)
{
    return (uint32_t)(s->n_written - s->n_read);
}
static inline uint32_t rt_stream_room(const rt_stream *s)
{
    RT_ASSERT(rt_stream_len(s) <= s->cap);
    return s->cap - rt_stream_len(s);
}
/* A write had to wait, or would have, without those who read. */
static inline bool rt_stream_uses_again(const rt_stream *s, uint64_t n)
{
    return s->n_written + n > s->cap;
}
/* errno, and -1. */
long rt_fd_answer(long result);

/* ---- fdapart.c ---- */

/* Behind a call that may have closed a file. */
void rt_fd_finish(const rt_fd_call *c);
/* Where they are apart, the streams of a file are watched from now on. */
void rt_fd_watch(int fd, uint32_t site);

/* ---- fdevents.c ---- */

/* What poll says of a file: POLLIN, ...; the thread learns what it sees. */
short rt_file_events(const rt_file *f);
void rt_file_learn(const rt_file *f, rt_thread *t, short events);
rt_edges rt_file_edges(const rt_file *f);

/* ---- fdpoll.c ---- */

/* Something of an epoll instance can be told. */
bool rt_epoll_any(const rt_file *epoll);
