/* SPDX-License-Identifier: Apache-2.0 */
/* A library calls back for memory and for what it has made. What the callbacks do is watched, what
 * it reads and writes itself is not.
 *
 * treadle: -k
 * library: deflate_lib.c
 * expect: verdict bug
 * expect: finding race deflate_user.c:35
 * expect: ledger not watched deflate_user.c:43 pack (deflate_lib.so)
 *
 * treadle:
 * cflags: -DALONE
 * library: deflate_lib.c
 * expect: verdict complete
 * expect: ledger not watched, alone
 */
#include <pthread.h>
#include <stdlib.h>

typedef struct stream {
    void *(*get)(size_t);
    void (*put)(void *);
    int (*out)(void *, const unsigned char *, size_t);
    void *with;
} stream;

int pack(const stream *s, const unsigned char *in, size_t n);

static size_t total;

static int count(void *p, const unsigned char *text, size_t n)
{
    (void)p;
    (void)text;
    total += n;
    return 0;
}

static void *work(void *p)
{
    static const unsigned char in[] = "aaabbb";
    stream s = {malloc, free, count, p};
    return pack(&s, in, 6) ? p : 0;
}

int main(void)
{
    pthread_t t;
#ifdef ALONE
    work(&t);
#else
    pthread_create(&t, 0, work, 0);
    work(&t);
    pthread_join(t, 0);
#endif
    return total == 0;
}
