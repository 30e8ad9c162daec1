/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers.
 *
 * rand, random and their kin share one sequence, which the C library guards by a lock: each call is
 * an operation on it, as soon as there are several threads. The numbers are the C library's own;
 * its state is part of the snapshot. drand48 and its kin share one without a lock: a plain write.
 * Random numbers of the system are replaced by a sequence of the calling thread. */
#include "runtime/memory/accesses.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "runtime/symbolic/values.h"

/* ---- one sequence for all, with a lock ---- */

static void sequence_step(uint32_t site)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt_changed();
    bool is_step = rt_shared_step(WIRE_SET, site, WIRE_OBJECT_RANDOM);
    /* Values that flow through it are not followed. */
    if (is_step && (rt->reads || rt->flow))
        rt_gap_once(WIRE_GAP_CONCRETE, site, "a random number");
}

RT_API int __treadle_rand(void);
int __treadle_rand(void)
{
    if (rt_on())
        sequence_step(rt_call_site());
    return rand();
}

RT_API long __treadle_random(void);
long __treadle_random(void)
{
    if (rt_on())
        sequence_step(rt_call_site());
    return random();
}

/* A symbolic seed is decided: every value has its own numbers. */
static void seed_step(const void *self, unsigned seed)
{
    if (!rt_on())
        return;
    uint32_t site = rt_call_site();
    rt_sym_concrete(rt_sym_argument(self, 0), seed, site);
    rt_sym_arrive();
    sequence_step(site);
}

RT_API void __treadle_srand(unsigned seed);
void __treadle_srand(unsigned seed)
{
    seed_step((const void *)__treadle_srand, seed);
    srand(seed);
}

RT_API void __treadle_srandom(unsigned seed);
void __treadle_srandom(unsigned seed)
{
    seed_step((const void *)__treadle_srandom, seed);
    srandom(seed);
}

RT_API char *__treadle_initstate(unsigned seed, char *state, size_t size);
char *__treadle_initstate(unsigned seed, char *state, size_t size)
{
    if (rt_on()) {
        uint32_t site = rt_call_site();
        rt_access((uint64_t)state, size, true, site);
        sequence_step(site);
    }
    return initstate(seed, state, size);
}

RT_API char *__treadle_setstate(char *state);
char *__treadle_setstate(char *state)
{
    if (rt_on())
        sequence_step(rt_call_site());
    return setstate(state);
}

/* ---- one sequence for all, without a lock ---- */

static unsigned short state48[3]; /* represents that of the C library */

/* Self moves the sequence on; or that of its own, if it has one. */
static void step48(const unsigned short *own)
{
    if (!rt_on())
        return;
    uint32_t site = rt_call_site();
    rt_changed();
    /* The factors are those of all. */
    rt_access((uint64_t)state48, sizeof state48, !own, site);
    if (own)
        rt_access((uint64_t)own, sizeof state48, true, site);
}

#define SHARED48(type, name)                                                             \
    RT_API type __treadle_##name(void);                                                  \
    type __treadle_##name(void)                                                          \
    {                                                                                    \
        step48(NULL);                                                                    \
        return name();                                                                   \
    }
#define OWN48(type, name)                                                                \
    RT_API type __treadle_##name(unsigned short state[3]);                               \
    type __treadle_##name(unsigned short state[3])                                       \
    {                                                                                    \
        step48(state);                                                                   \
        return name(state);                                                              \
    }

SHARED48(double, drand48)
SHARED48(long, lrand48)
SHARED48(long, mrand48)
OWN48(double, erand48)
OWN48(long, nrand48)
OWN48(long, jrand48)

RT_API void __treadle_srand48(long seed);
void __treadle_srand48(long seed)
{
    step48(NULL);
    srand48(seed);
}

RT_API unsigned short *__treadle_seed48(unsigned short seed[3]);
unsigned short *__treadle_seed48(unsigned short seed[3])
{
    step48(NULL);
    return seed48(seed);
}

RT_API void __treadle_lcong48(unsigned short param[7]);
void __treadle_lcong48(unsigned short param[7])
{
    step48(NULL);
    lcong48(param);
}

/* ---- what the system gives ---- */

static void fill(void *out, size_t size)
{
    rt_changed();
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)out)[i] = (uint8_t)(rt_random(&rt->self->random) >> 40);
}

RT_API ssize_t __treadle_getrandom(void *out, size_t size, unsigned flags);
ssize_t __treadle_getrandom(void *out, size_t size, unsigned flags)
{
    if (!rt_on())
        return getrandom(out, size, flags);
    rt_access((uint64_t)out, size, true, rt_call_site());
    fill(out, size);
    return (ssize_t)size;
}

/* Self has read these bytes from a descriptor outside: if that is the system's source of random
 * numbers, it gets others. */
RT_HIDDEN void rt_random_read(int fd, void *p, size_t n);
void rt_random_read(int fd, void *p, size_t n)
{
    struct stat is;
    if (!rt_on() || n == 0 || fstat(fd, &is) != 0 || !S_ISCHR(is.st_mode))
        return;
    bool is_random = is.st_rdev == makedev(1, 8) || is.st_rdev == makedev(1, 9);
    if (is_random)
        fill(p, n);
}

RT_API int __treadle_getentropy(void *out, size_t size);
int __treadle_getentropy(void *out, size_t size)
{
    if (!rt_on())
        return getentropy(out, size);
    rt_access((uint64_t)out, size, true, rt_call_site());
    fill(out, size);
    return 0;
}

static uint32_t number(void)
{
    rt_changed();
    return (uint32_t)(rt_random(&rt->self->random) >> 32);
}

RT_API uint32_t __treadle_arc4random(void);
uint32_t __treadle_arc4random(void)
{
    if (rt_on())
        rt_call_site();
    uint32_t out;
    if (rt_on())
        return number();
    return getrandom(&out, sizeof out, 0) == sizeof out ? out : 0;
}

RT_API uint32_t __treadle_arc4random_uniform(uint32_t bound);
uint32_t __treadle_arc4random_uniform(uint32_t bound)
{
    uint64_t wide = __treadle_arc4random();
    return (uint32_t)(wide * bound >> 32);
}

RT_API void __treadle_arc4random_buf(void *out, size_t size);
void __treadle_arc4random_buf(void *out, size_t size)
{
    if (rt_on()) {
        rt_access((uint64_t)out, size, true, rt_call_site());
        fill(out, size);
        return;
    }
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)out)[i] = (uint8_t)__treadle_arc4random();
}

/* The C library's own state begins with the time of day. */
RT_API char *__treadle_strfry(char *text);
char *__treadle_strfry(char *text)
{
    if (!rt_on())
        return strfry(text);
    size_t length = strlen(text);
    uint32_t site = rt_call_site();
    rt_access((uint64_t)text, length + 1, false, site);
    rt_sym_bytes_concrete(text, length + 1, site, "strfry");
    rt_access((uint64_t)text, length, true, site);
    for (size_t i = 0; i + 1 < length; i++) {
        size_t k = i + (size_t)((uint64_t)number() * (length - i) >> 32);
        char c = text[i];
        text[i] = text[k];
        text[k] = c;
    }
    rt_changed();
    return text;
}
