/* SPDX-License-Identifier: Apache-2.0 */
/* A small HTTP server: main accepts connections and gives them to a pool of threads. A client in the same process
 * asks for a page and reads up to the end. */
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef REQUESTS
#define REQUESTS 1
#endif
#define BACKLOG 4

/* Connections for the pool; -1 tells a worker to stop. */
static struct {
    sem_t filled;
    int at[REQUESTS + WORKERS], n;
    atomic_int taken;
} queue;

static struct sockaddr_in address = {.sin_family = AF_INET};

/* ---- the pool ---- */

static void push(int connection)
{
    queue.at[queue.n++] = connection;
    sem_post(&queue.filled);
}

static int pop(void)
{
    sem_wait(&queue.filled);
    return queue.at[atomic_fetch_add(&queue.taken, 1)];
}

/* The whole request, as far as it fits. */
static bool receive(int connection, char *request, size_t room)
{
    size_t n = 0;
    while (n + 1 < room) {
        ssize_t got = read(connection, request + n, room - 1 - n);
        if (got <= 0)
            return false;
        n += (size_t)got;
        request[n] = 0;
        if (strstr(request, "\r\n\r\n"))
            return true;
    }
    return false;
}

static void serve(int connection)
{
    static const char head[] = "HTTP/1.0 200 OK\r\n\r\n", body[] = "hello\n";
    char request[64];
    if (receive(connection, request, sizeof request)) {
        write(connection, head, sizeof head - 1);
        write(connection, body, sizeof body - 1);
    }
    close(connection);
}

static void *worker(void *arg)
{
    int connection;
    while ((connection = pop()) >= 0)
        serve(connection);
    return arg;
}

/* ---- the client ---- */

static void ask(const char *request)
{
    char answer[64] = "";
    size_t n = 0;
    ssize_t got;
    int c = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(c, (struct sockaddr *)&address, sizeof address) == 0);
    assert(write(c, request, strlen(request)) == (ssize_t)strlen(request));
    while ((got = read(c, answer + n, sizeof answer - 1 - n)) > 0)
        n += (size_t)got;
    assert(strstr(answer, "hello"));
    close(c);
}

static void *client(void *arg)
{
    for (int i = 0; i < REQUESTS; i++)
        ask("GET / HTTP/1.0\r\n\r\n");
    return arg;
}

/* ---- the server ---- */

static int listen_here(void)
{
    int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), yes = 1;
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0);
    assert(bind(s, (struct sockaddr *)&address, sizeof address) == 0);
    assert(listen(s, BACKLOG) == 0);
    assert(getsockname(s, (struct sockaddr *)&address, &size) == 0);
    return s;
}

static int watch(int listener)
{
    int loop = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    assert(epoll_ctl(loop, EPOLL_CTL_ADD, listener, &event) == 0);
    return loop;
}

static void run(int loop, int listener)
{
    struct epoll_event event;
    for (int n = 0; n < REQUESTS; n++) {
        assert(epoll_wait(loop, &event, 1, -1) == 1 && event.data.fd == listener);
        push(accept(listener, NULL, NULL));
    }
}

int main(void)
{
    pthread_t workers[WORKERS], c;
    int listener = listen_here(), loop = watch(listener);
    sem_init(&queue.filled, 0, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    pthread_create(&c, NULL, client, NULL);
    run(loop, listener);
    for (int i = 0; i < WORKERS; i++)
        push(-1);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    pthread_join(c, NULL);
    close(listener);
    return 0;
}
