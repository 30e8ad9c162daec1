/* SPDX-License-Identifier: Apache-2.0 */
/* Requests are polled for under a lock, by a server that has nothing else to do; the client waits for each answer. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum state { IDLE, ASKED, ANSWERED };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum state state;
static int question, answer;

static void *serve(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        if (state == ASKED) {
            answer = 3 * question;
            state = ANSWERED;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static int ask(int what)
{
    pthread_mutex_lock(&lock);
    question = what;
    state = ASKED;
    pthread_mutex_unlock(&lock);
    for (;;) {
        pthread_mutex_lock(&lock);
        bool is_done = state == ANSWERED;
        int got = answer;
        if (is_done)
            state = IDLE;
        pthread_mutex_unlock(&lock);
        if (is_done)
            return got;
    }
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    for (;;) {
        assert(ask(2) == 6);
        assert(ask(5) == 15);
    }
}
