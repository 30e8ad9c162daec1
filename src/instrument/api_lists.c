/* SPDX-License-Identifier: Apache-2.0 */
/* What the lists of wire/api.h say of a function of the library. */
#include "instrument/instrument_int.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "wire/api.h"

#define X(name) #name,
static const char *const taken_over[] = {
    WIRE_REPLACED(X) WIRE_INPUTS(X) WIRE_SYMBOLIC(X) WIRE_MARKS(X) WIRE_LIBC(X)
        WIRE_LIBC_PURE(X) WIRE_STDIN(X) WIRE_DESCRIPTORS(X) WIRE_REFUSED(X)
            WIRE_TAINTING(X) WIRE_FILES(X)};
static const char *const replaced[] = {WIRE_REPLACED(X) WIRE_MARKS(X) WIRE_DESCRIPTORS(X)
                                           WIRE_STDIN(X)};
/* Replaced functions that are not operations, or always change something: no thread waits with them. */
static const char *const busy[] = {"free",
                                   "rand",
                                   "srand",
                                   "random",
                                   "srandom",
                                   "getrandom",
                                   "time",
                                   "gettimeofday",
                                   "clock_gettime",
                                   "clock",
                                   "treadle_cycles",
                                   "timespec_get",
                                   "getrusage",
                                   "times",
                                   "getentropy",
                                   "arc4random",
                                   "arc4random_uniform",
                                   "arc4random_buf",
                                   "strfry",
                                   "drand48",
                                   "lrand48",
                                   "mrand48",
                                   "erand48",
                                   "nrand48",
                                   "jrand48",
                                   "srand48",
                                   "seed48",
                                   "lcong48",
                                   "getpid",
                                   "getppid",
                                   "gettid",
                                   "pthread_self",
                                   "pthread_equal",
                                   "thrd_current",
                                   "thrd_equal",
                                   "atexit",
                                   "on_exit",
                                   "at_quick_exit",
                                   "__cxa_atexit",
                                   "__cxa_at_quick_exit",
                                   "pthread_getspecific",
                                   "tss_get"};
/* Functions that do not track symbolic arguments, WIRE_TAKES excepted. */
static const char *const deciding[] = {WIRE_REPLACED(X) WIRE_INPUTS(X) WIRE_DESCRIPTORS(
    X) WIRE_REFUSED(X) WIRE_TAINTING(X) WIRE_FILES(X)};
static const char *const tainting[] = {WIRE_TAINTING(X) WIRE_FILES(X)};
static const char *const pure[] = {WIRE_LIBC_PURE(X)};
static const char *const harmless[] = {WIRE_HARMLESS(X)};
#undef X
#define X(alias, name) {#alias, #name},
static const char *const aliases[][2] = {WIRE_ALIASES(X)};
#undef X
#define X(name, how) {#name, WIRE_KNOWN_##how},
static const struct {
    const char *name;
    enum wire_known how;
} known[] = {WIRE_KNOWN(X)};
#undef X

#define X(name, argument) {#name, argument},
static const struct {
    const char *name;
    unsigned argument;
} takes[] = {WIRE_TAKES(X)};
#undef X

#define N_OF(list) (sizeof(list) / sizeof((list)[0]))

static bool is_in(const char *const *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

/* Where files are large by default, open64 is open. */
bool ins_api_is_taken(const char *symbol, char *out, size_t size)
{
    snprintf(out, size, "%s", symbol);
    for (size_t i = 0; i < N_OF(aliases); i++)
        if (strcmp(aliases[i][0], symbol) == 0)
            snprintf(out, size, "%s", aliases[i][1]);
    if (is_in(taken_over, N_OF(taken_over), out))
        return true;
    size_t n = strlen(out);
    if (n < 3 || strcmp(out + n - 2, "64") != 0)
        return false;
    out[n - 2] = 0;
    return is_in(tainting, N_OF(tainting), out);
}

bool ins_api_is_pure(const char *name)
{
    return is_in(pure, N_OF(pure), name);
}

bool ins_api_is_tainting(const char *name)
{
    return is_in(tainting, N_OF(tainting), name);
}

bool ins_api_is_harmless(const char *name)
{
    return is_in(harmless, N_OF(harmless), name);
}

bool ins_api_decides(const char *name, unsigned argument)
{
    for (size_t i = 0; i < N_OF(takes); i++)
        if (takes[i].argument == argument && strcmp(takes[i].name, name) == 0)
            return false;
    return is_in(deciding, N_OF(deciding), name);
}

bool ins_api_may_wait(const char *name)
{
    return is_in(replaced, N_OF(replaced), name) && !is_in(busy, N_OF(busy), name) &&
           ins_api_known(name) != WIRE_KNOWN_ALLOCATES;
}

enum wire_known ins_api_known(const char *name)
{
    for (size_t i = 0; i < N_OF(known); i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].how;
    return WIRE_KNOWN_NO;
}

bool ins_api_lists(const char *name)
{
    return is_in(taken_over, N_OF(taken_over), name);
}
