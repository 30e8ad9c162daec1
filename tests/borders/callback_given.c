/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that gcc built are given to everything that calls one back.
 *
 * treadle:
 * gcc: callback_lib.c
 * expect: verdict incomplete
 * expect: ledger not watched callback_given.c:96 given_start
 * expect: ledger not watched callback_given.c:98 given_thrd
 * expect: ledger not watched callback_given.c:71 given_pointer
 * expect: ledger not watched callback_given.c:72 given_pointer
 * expect: ledger not watched callback_given.c:80 given_pointer
 * expect: ledger not watched callback_given.c:104 given_none
 * expect: ledger not watched callback_given.c:105 given_none
 * expect: ledger not watched callback_given.c:107 given_signal
 * expect: ledger not watched callback_given.c:110 given_info
 * expect: ledger cannot be undone callback_given.c:111 sigaction
 * expect: ledger not watched callback_given.c:111 given_info
 * expect: ledger not watched callback_given.c:114 given_order
 * expect: ledger not watched callback_given.c:115 given_order
 * expect: ledger not watched callback_given.c:116 given_order
 * expect: ledger not watched callback_given.c:119 given_order
 * expect: ledger not watched callback_given.c:120 given_order
 * expect: ledger not watched callback_given.c:121 given_walk
 * expect: ledger not watched callback_given.c:122 given_walk_r
 * expect: ledger not watched callback_given.c:123 given_order
 * expect: ledger not watched callback_given.c:124 given_pointer
 * expect: ledger not watched callback_given.c:126 given_filter
 * expect: ledger not watched callback_given.c:127 given_visit
 * expect: ledger not watched callback_given.c:128 given_visit_n
 * expect: ledger not watched callback_given.c:130 given_error
 * expect: ledger not watched callback_given.c:131 given_image
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <ftw.h>
#include <glob.h>
#include <link.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <threads.h>

void given_none(void);
void given_pointer(void *p);
void *given_start(void *p);
int given_thrd(void *p);
void given_signal(int number);
void given_info(int number, siginfo_t *info, void *context);
int given_order(const void *a, const void *b);
void given_walk(const void *node, VISIT which, int depth);
void given_walk_r(const void *node, VISIT which, void *p);
int given_filter(const struct dirent *d);
int given_visit(const char *path, const struct stat *st, int type);
int given_visit_n(const char *path, const struct stat *st, int type, struct FTW *at);
int given_error(const char *path, int error);
int given_image(struct dl_phdr_info *info, size_t size, void *p);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;

static int ours(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void *keys(void *p)
{
    pthread_key_t key;
    tss_t tss;
    pthread_key_create(&key, given_pointer);
    tss_create(&tss, given_pointer);
    pthread_setspecific(key, p);
    tss_set(tss, p);
    return p;
}

static void *cleans(void *p)
{
    pthread_cleanup_push(given_pointer, p);
    pthread_exit(p);
    pthread_cleanup_pop(0);
    return p;
}

static void *other(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    thrd_t c;
    pthread_create(&t, NULL, other, NULL); /* not joined: main is not alone */
    pthread_create(&t, NULL, given_start, NULL);
    pthread_join(t, NULL);
    thrd_create(&c, given_thrd, NULL);
    thrd_join(c, NULL);
    pthread_create(&t, NULL, keys, &t);
    pthread_join(t, NULL);
    pthread_create(&t, NULL, cleans, &t);
    pthread_join(t, NULL);
    pthread_once(&once, given_none);
    call_once(&flag, given_none);
    signal(SIGUSR1, given_signal);
    raise(SIGUSR1);
    struct sigaction action = {.sa_sigaction = given_info, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    sigaction(SIGSEGV, &action, NULL);
    int all[] = {3, 1, 2}, one = 2;
    size_t n = 3;
    qsort(all, n, sizeof one, given_order);
    bsearch(&one, all, n, sizeof one, given_order);
    lfind(&one, all, &n, sizeof one, given_order);
    void *tree = NULL;
    tsearch(&all[0], &tree, ours);
    tsearch(&all[1], &tree, given_order);
    tfind(&all[1], &tree, given_order);
    twalk(tree, given_walk);
    twalk_r(tree, given_walk_r, NULL);
    tdelete(&all[1], &tree, given_order);
    tdestroy(tree, given_pointer);
    struct dirent **list;
    scandir("/", &list, given_filter, alphasort);
    ftw("/", given_visit, 4);
    nftw("/", given_visit_n, 4, 0);
    glob_t globbed = {0};
    glob("/proc/*", 0, given_error, &globbed);
    dl_iterate_phdr(given_image, NULL);
    return 0;
}
