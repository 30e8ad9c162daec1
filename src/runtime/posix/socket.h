/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/socket.h - stream sockets with addresses, between threads of the process.
 *
 * Purpose     A socket that listens and one that connects to it become two streams, as socketpair makes
 *             them. Addresses are AF_UNIX, with a file of the run or without one, and AF_INET of 127.0.0.0/8.
 * Words       listener: a socket that listens.  pending: a connection that was not accepted yet. goes
 *             out: no socket of the process has the address; then the kernel gets the socket, at the
 *             same number, and the process is not used again.
 * Invariants  (N1) operations on listeners and addresses have the object of all descriptors;
 *             operations on a connection have those of its streams, with TCP one for both; (N2) the
 *             file of a path is found before the operation, as in all calls with names of files; (N3)
 *             ports and names that the program does not choose are the same in all runs with the same
 *             order.
 */
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "runtime/posix/fd.h"

typedef union rt_address {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_un un;
} rt_address;

#define RT_MOST_OPTIONS 16

typedef struct rt_socket_option {
    int level, name;
    uint8_t value[16];
    uint32_t size;
} rt_socket_option;

typedef struct rt_socket {
    struct rt_socket *next; /* bound before it */
    rt_file *file;
    int domain;
    bool is_bound;
    bool is_connecting; /* connect did not wait, and its end was not reported yet */
    bool reuses;        /* SO_REUSEADDR */
    rt_address local, peer;
    socklen_t local_size, peer_size;
    struct rt_inode *inode; /* node of a path */
    uint32_t most;          /* listener: limit of pending connections */
    rt_socket_option options[RT_MOST_OPTIONS];
    uint32_t n_options;
} rt_socket;

/* ---- socket.c ---- */

/* shutdown of a listener. */
void rt_listener_shut(rt_fd_call *c, rt_thread *t);

/* ---- sockaddr.c ---- */

/* What a program gave as an address: 0, or a negative error number. */
long rt_address_read(const rt_socket *s, const void *p, socklen_t size, rt_address *out);
void rt_address_tell(const rt_address *a, socklen_t size, void *out, socklen_t *out_size);
bool rt_address_is_path(const rt_address *a, socklen_t size);
/* The kernel may have it: an interface that others reach, a name that others can choose. */
bool rt_address_is_loopback(const rt_address *a);
bool rt_address_is_all(const rt_address *a);
/* A bound socket that a call with this address means; listens: only if it listens. The inode of a path. */
rt_socket *rt_address_find(const rt_socket *from, const rt_address *a, socklen_t size,
                           const struct rt_inode *inode, bool listens);
/* A socket of this run had it. */
bool rt_address_was_ours(const rt_socket *from, const rt_address *a, socklen_t size);
/* Chooses an unused port or abstract name. */
void rt_address_make_up(rt_socket *s);

/* ---- sockopt.c ---- */

/* A socket of the kernel's gets the options of ours. */
void rt_socket_options_pass(const rt_socket *s, int fd);
