/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that a program gives away to be called; each writes to what the program shares. */
#define _GNU_SOURCE
#include <dirent.h>
#include <ftw.h>
#include <link.h>
#include <search.h>
#include <signal.h>

int shared;

void given_none(void)
{
    shared++;
}
void given_pointer(void *p)
{
    shared++;
}
void *given_start(void *p)
{
    shared++;
    return p;
}
int given_thrd(void *p)
{
    shared++;
    return 0;
}
void given_status(int status, void *p)
{
    shared++;
}
void given_signal(int number)
{
    shared++;
}
void given_info(int number, siginfo_t *info, void *context)
{
    shared++;
}
int given_order(const void *a, const void *b)
{
    shared++;
    return *(const int *)a - *(const int *)b;
}
void given_walk(const void *node, VISIT which, int depth)
{
    shared++;
}
void given_walk_r(const void *node, VISIT which, void *p)
{
    shared++;
}
int given_filter(const struct dirent *d)
{
    shared++;
    return 0;
}
int given_visit(const char *path, const struct stat *st, int type)
{
    shared++;
    return 1;
}
int given_visit_n(const char *path, const struct stat *st, int type, struct FTW *at)
{
    shared++;
    return 1;
}
int given_error(const char *path, int error)
{
    shared++;
    return 0;
}
int given_image(struct dl_phdr_info *info, size_t size, void *p)
{
    shared++;
    return 1;
}
