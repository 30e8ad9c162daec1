/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the C library by pointer: those of values and those that have a row are fine, one
 * that was found by dlsym is not watched.
 *
 * treadle:
 * cflags: -lm
 * expect: verdict incomplete
 * expect: ledger not watched library_pointer.c:32 qsort_r (libc.so.6)
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static double (*volatile f)(double) = cos;
static int (*volatile g)(int) = abs;
static size_t (*volatile s)(const char *) = strlen;

static int less(const void *a, const void *b, void *with)
{
    return with == a || *(const int *)a > *(const int *)b;
}

static void *work(void *with)
{
    int v[2] = {2, 1};
    void (*sort)(void *, size_t, size_t, int (*)(const void *, const void *, void *),
                 void *);
    *(void **)&sort = dlsym(RTLD_DEFAULT, "qsort_r");
    sort(v, 2, sizeof v[0], less, 0);
    return f(0.5) > 2 || g(-3) != 3 || s("ab") != 2 ? NULL : with;
}

int main(void)
{
    pthread_t t;
    void *got;
    pthread_create(&t, NULL, work, &t);
    pthread_join(t, &got);
    return got != &t;
}
