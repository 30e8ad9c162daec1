/* SPDX-License-Identifier: Apache-2.0 */
/* stringbuffer: one thread appends a text to another text, a second one shortens the former.
 *
 * After CB.stringbuffer, a bug of Java's library. Bug: append asks for the length, and later
 * for the letters; each is locked, both together are not. FIXED: one lock around both. */
#include <assert.h>

#include "../../programs/common.h"

enum { CAPACITY = 16 };

typedef struct text {
    pthread_mutex_t lock; /* recursive */
    char letters[CAPACITY];
    int len;
} text;

static text source = {.letters = "abcd", .len = 4}, sink;

static int text_len(text *s)
{
    pthread_mutex_lock(&s->lock);
    int len = s->len;
    pthread_mutex_unlock(&s->lock);
    return len;
}

static void text_get(text *s, int len, char *to)
{
    pthread_mutex_lock(&s->lock);
    assert(len <= s->len);
    memcpy(to, s->letters, (size_t)len);
    pthread_mutex_unlock(&s->lock);
}

static void *append(void *arg)
{
    pthread_mutex_lock(&sink.lock);
#ifdef FIXED
    pthread_mutex_lock(&source.lock);
#endif
    int len = text_len(&source);
    text_get(&source, len, sink.letters + sink.len);
    sink.len += len;
#ifdef FIXED
    pthread_mutex_unlock(&source.lock);
#endif
    pthread_mutex_unlock(&sink.lock);
    return arg;
}

static void *erase(void *arg)
{
    pthread_mutex_lock(&source.lock);
    source.len = 0;
    pthread_mutex_unlock(&source.lock);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&source.lock, &recursive);
    pthread_mutex_init(&sink.lock, &recursive);
    pthread_t t[2] = {start(append, 0), start(erase, 1)};
    join_all(t, 2);
    return 0;
}
