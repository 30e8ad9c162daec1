/* SPDX-License-Identifier: Apache-2.0 */
/* Finds three files as they were before the session in every run, and changes all of them. */
#define _GNU_SOURCE 1
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int x;

static void *set(void *p)
{
    atomic_store(&x, 1);
    return p;
}

static void expect(const char *name, const char *text)
{
    char line[32] = "";
    FILE *f = fopen(name, "r");
    assert(f && fgets(line, sizeof line, f) && strcmp(line, text) == 0);
    assert(fclose(f) == 0);
}

/* A descriptor that reads sees what another one writes afterwards. */
static void follow(void)
{
    char c = 0;
    struct stat a, b;
    int reader = open("one", O_RDONLY);
    assert(reader >= 0 && read(reader, &c, 1) == 1 && c == 'o' && fstat(reader, &a) == 0);
    int writer = open("one", O_WRONLY);
    assert(writer >= 0 && pwrite(writer, "X", 1, 1) == 1 && fstat(writer, &b) == 0);
    assert(read(reader, &c, 1) == 1 && c == 'X');
    assert(a.st_ino == b.st_ino && a.st_dev == b.st_dev && b.st_nlink == 1);
    close(reader);
    close(writer);
}

int main(void)
{
    pthread_t t;
    expect("one", "one\n");
    expect("two", "two\n");
    expect("three", "three\n");
    follow();
    expect("one", "oXe\n");
    FILE *f = fopen("one", "w");
    assert(f && fputs("new\n", f) >= 0 && fclose(f) == 0);
    assert(rename("two", "four") == 0 && access("two", F_OK) == -1);
    expect("four", "two\n");
    assert(chmod("four", 0400) == 0);
    assert(unlink("three") == 0 && access("three", F_OK) == -1);
    assert(freopen("out", "w", stdout) && puts("lost") > 0 && fflush(stdout) == 0);
    assert(mkdir("made", 0755) == 0);
    pthread_create(&t, NULL, set, NULL);
    int seen = atomic_load(&x);
    pthread_join(t, NULL);
    expect("one", "new\n");
    return seen > 1;
}
