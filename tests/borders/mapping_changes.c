/* SPDX-License-Identifier: Apache-2.0 */
/* One thread uses a page, another changes what its address means: a race, unless both orders do the same.
 *
 * treadle:
 * args: none
 * expect: verdict bug
 * expect: finding race
 *
 * treadle:
 * args: less
 * expect: verdict bug
 * expect: finding race
 *
 * treadle:
 * args: less-read
 * expect: verdict complete
 *
 * treadle:
 * args: more
 * expect: verdict bug
 * expect: finding crash
 *
 * treadle:
 * args: same
 * expect: verdict complete
 *
 * treadle:
 * args: over
 * expect: verdict bug
 * expect: finding race
 *
 * treadle:
 * args: empty
 * expect: verdict bug
 * expect: finding race
 *
 * treadle:
 * args: advice
 * expect: verdict complete
 *
 * treadle:
 * args: moved
 * expect: verdict bug
 * expect: finding race
 *
 * treadle:
 * args: shrunk
 * expect: verdict bug
 * expect: finding race
 *
 * treadle:
 * args: kept
 * expect: verdict complete
 *
 * treadle:
 * args: target
 * expect: verdict bug
 * expect: finding race
 * expect: ledger cannot be undone
 *
 * treadle:
 * args: left
 * expect: verdict bug
 * expect: finding race
 * expect: ledger cannot be undone
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096

static char *p;
static volatile char seen;

static char *map(int prot)
{
    return mmap(NULL, 2 * PAGE, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void *reads(void *none)
{
    seen = p[3];
    return none;
}

static void *writes(void *none)
{
    p[3] = 1;
    return none;
}

#define CASE(name, setup, access, change)                                                \
    if (strcmp(argv[1], name) == 0) {                                                    \
        setup;                                                                           \
        pthread_create(&t, NULL, access, NULL);                                          \
        change;                                                                          \
        pthread_join(t, NULL);                                                           \
    }

int main(int argc, char **argv)
{
    pthread_t t;
    if (argc < 2)
        return 0;
    CASE("none", p = map(3), reads, mprotect(p, PAGE, PROT_NONE))
    CASE("less", p = map(3), writes, mprotect(p, PAGE, PROT_READ))
    CASE("less-read", p = map(3), reads, mprotect(p, PAGE, PROT_READ))
    CASE("more", p = map(1), writes, mprotect(p, PAGE, 3))
    CASE("same", p = map(3), writes, mprotect(p, PAGE, 3))
    CASE("over", p = map(3), reads,
         mmap(p, PAGE, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0))
    CASE("empty", p = map(3), reads, madvise(p, PAGE, MADV_DONTNEED))
    CASE("advice", p = map(3), reads, madvise(p, PAGE, MADV_WILLNEED))
    CASE("moved", p = map(3), writes, mremap(p, PAGE, 16 * PAGE, MREMAP_MAYMOVE))
    CASE("shrunk", p = map(3) + PAGE, writes, mremap(p - PAGE, 2 * PAGE, PAGE, 0))
    CASE("kept", p = map(3), writes, mremap(p, 2 * PAGE, PAGE, 0))
    CASE("target", p = map(3), writes,
         mremap(map(3), PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, p))
    CASE("left", p = map(3), writes, mremap(p, PAGE, PAGE, MREMAP_MAYMOVE | 4))
    return 0;
}
