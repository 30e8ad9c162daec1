/* SPDX-License-Identifier: Apache-2.0 */
/* Figures for Prometheus, in a file or at a port. */
#include "cli/prometheus.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/now.h"

#define MAX_REQUEST 8192u
#define CLIENT_MS 1000u /* for all of one client */

/* ---- where ---- */

/* Returns the port; 0 for a file. */
static uint32_t port_of(const char *where)
{
    static const char loopback[] = "127.0.0.1:";
    if (strncmp(where, loopback, strlen(loopback)) == 0)
        where += strlen(loopback);
    size_t n = strlen(where);
    if (n == 0 || n > 5 || strspn(where, "0123456789") != n)
        return 0;
    return (uint32_t)strtoul(where, NULL, 10);
}

static td_status listen_at(uint32_t port, int *out, td_diag *diag)
{
    TD_ASSERT(port > 0 && port <= UINT16_MAX);
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(fd, (const struct sockaddr *)&at, sizeof at) == 0 && listen(fd, 8) == 0) {
        *out = fd;
        return TD_OK;
    }
    td_status status =
        td_diag_errno(diag, TD_E_USAGE, "cannot listen on 127.0.0.1:%u", port);
    if (fd >= 0)
        close(fd);
    return status;
}

td_status cli_prometheus_open(const char *where, cli_prometheus *out, td_diag *diag)
{
    *out = (cli_prometheus){.fd = -1};
    if (!where)
        return TD_OK;
    uint32_t port = port_of(where);
    if (port > UINT16_MAX)
        return td_diag_set(diag, TD_E_USAGE, "invalid port %u", port);
    if (port > 0)
        return listen_at(port, &out->fd, diag);
    if (strchr(where, ':') && !strchr(where, '/'))
        return td_diag_set(
            diag, TD_E_USAGE,
            "--prometheus requires a file, a port or 127.0.0.1:PORT, got '%s'", where);
    out->path = where;
    return TD_OK;
}

void cli_prometheus_close(cli_prometheus *p)
{
    if (p->fd >= 0)
        close(p->fd);
    p->fd = -1;
}

/* ---- a file ---- */

td_status cli_prometheus_write(const cli_prometheus *p, const td_text *text,
                               td_diag *diag)
{
    TD_ASSERT(p->path != NULL && p->fd < 0);
    td_text aside = {0};
    td_status status = TD_OK;
    td_text_add(&aside, "%s.%ld.tmp", p->path, (long)getpid());
    unlink(aside.at);
    FILE *f = fopen(aside.at, "wex");
    bool is_good = f && fwrite(text->at, 1, text->len, f) == text->len;
    is_good = f && fclose(f) == 0 && is_good;
    if (!is_good || rename(aside.at, p->path) != 0) {
        status = td_diag_errno(diag, TD_E_USAGE, "cannot write '%s'", p->path);
        unlink(aside.at);
    }
    td_text_fini(&aside);
    return status;
}

/* ---- a client ---- */

static bool is_ready(int fd, short what, uint64_t until)
{
    struct pollfd p = {.fd = fd, .events = what};
    uint64_t now = td_now_ms();
    return now < until && poll(&p, 1, (int)(until - now)) == 1;
}

/* Reads a request up to its blank line or the size limit. */
static bool read_request(int fd, uint64_t until)
{
    char bytes[MAX_REQUEST + 1];
    size_t n = 0;
    while (n < MAX_REQUEST && is_ready(fd, POLLIN, until)) {
        ssize_t got = recv(fd, bytes + n, MAX_REQUEST - n, MSG_DONTWAIT);
        if (got <= 0)
            return false;
        n += (size_t)got;
        TD_ASSERT(n <= MAX_REQUEST);
        bytes[n] = '\0';
        if (strstr(bytes, "\r\n\r\n") || strstr(bytes, "\n\n"))
            return true;
    }
    return false;
}

static void send_all(int fd, const char *at, size_t n, uint64_t until)
{
    while (n > 0 && is_ready(fd, POLLOUT, until)) {
        ssize_t put = send(fd, at, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put <= 0)
            return;
        at += put;
        n -= (size_t)put;
    }
}

void cli_prometheus_serve(const cli_prometheus *p, const td_text *text)
{
    TD_ASSERT(p->path == NULL && p->fd >= 0);
    uint64_t until = td_now_ms() + CLIENT_MS;
    td_text head = {0};
    int fd = accept4(p->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    if (read_request(fd, until)) {
        td_text_add(&head,
                    "HTTP/1.0 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n"
                    "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                    text->len);
        send_all(fd, head.at, head.len, until);
        send_all(fd, text->at, text->len, until);
    }
    td_text_fini(&head);
    close(fd);
}
