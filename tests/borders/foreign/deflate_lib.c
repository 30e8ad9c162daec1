/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates by the program's functions and hands out text by a callback, as libraries that
 * compress do. */
#include <stddef.h>

typedef struct stream {
    void *(*get)(size_t);
    void (*put)(void *);
    int (*out)(void *, const unsigned char *, size_t);
    void *with;
} stream;

int pack(const stream *s, const unsigned char *in, size_t n);

int pack(const stream *s, const unsigned char *in, size_t n)
{
    unsigned char *room = s->get(2 * n);
    size_t k = 0;
    for (size_t i = 0; i < n;) {
        size_t run = 1;
        while (i + run < n && in[i + run] == in[i])
            run++;
        room[k++] = (unsigned char)run;
        room[k++] = in[i];
        i += run;
    }
    int done = s->out(s->with, room, k);
    s->put(room);
    return done;
}
