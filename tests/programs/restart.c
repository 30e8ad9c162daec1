/* SPDX-License-Identifier: Apache-2.0 */
/* Every run starts with memory as it was before main: what the program wrote, what the kernel
 * wrote for it, pages far apart in a large array, the C library's own state.
 *
 * treadle: --search=all
 * expect: runs 20
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 * model: main: create A, 3* store x, join A, exit
 * model: A: 3* store y */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static struct utsname name;
static char large[64 << 20];
static int seven = 7;
static atomic_int x, y;

static void *worker(void *arg)
{
    for (int i = 1; i <= 3; i++)
        atomic_store(&y, i);
    large[20 << 20] = 1;
    return arg;
}

static void check(void)
{
    static char text[] = "a b";
    assert(seven == 7 && name.sysname[0] == 0);
    for (int i = 0; i < 64; i += 4)
        assert(large[i << 20] == 0);
    char *first = strtok(text, " ");
    assert(first && strcmp(first, "a") == 0 && strcmp(strtok(NULL, " "), "b") == 0);
    int *block = malloc(sizeof *block);
    *block = 1;
    free(block);
}

static void spoil(void)
{
    uname(&name);
    seven = 8;
    for (int i = 0; i < 64; i += 8)
        large[i << 20] = 1;
}

int main(void)
{
    pthread_t t;
    check();
    spoil();
    pthread_create(&t, NULL, worker, NULL);
    for (int i = 1; i <= 3; i++)
        atomic_store(&x, i);
    pthread_join(t, NULL);
    return 0;
}
