/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions of C++: where they are thrown, and what is reported of one that is not caught.
 * runtime/cxx has the parts that are compiled as the program is. */
#include "runtime/posix/sync.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"

/* Itanium C++ ABI. */
typedef struct type_info {
    const void *table;
    const char *name;
} type_info;

/* A class with one base at its start. */
typedef struct derived {
    type_info type;
    const type_info *base;
} derived;

/* A class with several; flags of a base: 1: virtual; the offset is above 8 bits. */
typedef struct derived_many {
    type_info type;
    unsigned flags, n;
    struct {
        const type_info *type;
        long flags;
    } bases[];
} derived_many;

#define WEAK __attribute__((weak))
extern const char
    table_of_derived[] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE") WEAK;
extern const char
    table_of_many[] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE") WEAK;
type_info *__cxa_current_exception_type(void) WEAK;
char *__cxa_demangle(const char *name, char *out, size_t *size, int *status) WEAK;
void current_exception(void **out) __asm__("_ZSt17current_exceptionv") WEAK;

/* ---- exceptions ---- */

void __cxa_throw(void *object, void *type, void (*destructor)(void *))
    __attribute__((weak, noreturn));
void terminate(void) __asm__("_ZSt9terminatev") __attribute__((weak, noreturn));

/* Notes where the exception was thrown, in case it is not caught. */
RT_API _Noreturn void __treadle___cxa_throw(void *object, void *type,
                                            void (*destructor)(void *));
void __treadle___cxa_throw(void *object, void *type, void (*destructor)(void *))
{
    if (rt_on())
        rt->self->cxx_end = rt_call_site();
    __cxa_throw(object, type, destructor);
}

void *__cxa_begin_catch(void *exception) __attribute__((weak));

/* The functions between the throw and the caller have been left. */
RT_API void *__treadle___cxa_begin_catch(void *exception);
void *__treadle___cxa_begin_catch(void *exception)
{
    void *object = __cxa_begin_catch(exception);
    if (rt_on() && !rt_is_only_thread())
        rt_watch_caught((uint64_t)__builtin_frame_address(0));
    return object;
}

RT_API _Noreturn void __treadle__ZSt9terminatev(void);
void __treadle__ZSt9terminatev(void)
{
    if (rt_on() && !__cxa_current_exception_type())
        rt->self->cxx_end = rt_call_site();
    terminate();
}

/* A word that runtime/cxx keeps about an exception: no access of the program. */
RT_EXPORT void __treadle_mark(uint32_t *word);
void __treadle_mark(uint32_t *word)
{
    *word = 1;
}

RT_EXPORT void __treadle_add(int32_t *word, int32_t by);
void __treadle_add(int32_t *word, int32_t by)
{
    __atomic_fetch_add(word, by, __ATOMIC_RELAXED);
}

RT_EXPORT bool __treadle_is_marked(const uint32_t *word);
bool __treadle_is_marked(const uint32_t *word)
{
    return *word != 0;
}

/* The operation that self did last throws an exception again. */
RT_EXPORT void __treadle_rethrown(void);
void __treadle_rethrown(void)
{
    if (rt_on())
        rt->self->cxx_end = rt->self->pending.site;
}

/* A function of libstdc++ for which runtime/cxx has a wrapper; it may throw. */
RT_EXPORT void __treadle_call_behind(void (*function)(void *), void *arg);
void __treadle_call_behind(void (*function)(void *), void *arg)
{
    function(arg);
}

/* A throw of libstdc++: where the program called it. */
RT_EXPORT void __treadle_throw_behind(void (*function)(void *, void *, void (*)(void *)),
                                      void *object, void *type,
                                      void (*destructor)(void *));
void __treadle_throw_behind(void (*function)(void *, void *, void (*)(void *)),
                            void *object, void *type, void (*destructor)(void *))
{
    if (rt_on() && rt->self->cxx_site)
        rt->self->cxx_end = rt->self->cxx_site;
    if (rt_on())
        rt->self->cxx_site = 0;
    function(object, type, destructor);
}

/* ---- the end ---- */

#define N_BASES 32 /* in a chain */

/* Returns the first base at a known offset, or NULL. */
static const type_info *base_of(const type_info *type, char **object)
{
    if (type->table == table_of_derived + 2 * sizeof(void *))
        return ((const derived *)type)->base;
    if (type->table != table_of_many + 2 * sizeof(void *))
        return NULL;
    const derived_many *d = (const derived_many *)type;
    if (d->n == 0 || (d->bases[0].flags & 1))
        return NULL;
    *object += d->bases[0].flags >> 8;
    return d->bases[0].type;
}

/* Returns what() of an object that is a std::exception, the third function of its table; NULL if it is not
 * one. */
static const char *what_of(const type_info *type, char *object)
{
    for (int i = 0; type && object && i < N_BASES; i++) {
        if (strcmp(type->name, "St9exception") == 0) {
            const uint64_t *table = *(const uint64_t *const *)(void *)object;
            const rt_user what = {table[2], rt->self->cxx_end, 0};
            return (const char *)rt_user_call(&what, (uint64_t)object, 0, 0);
        }
        type = base_of(type, &object);
    }
    return NULL;
}

static void put_uncaught(const type_info *type, void *object, char *out, size_t size)
{
    int status = -1;
    char *name = __cxa_demangle(type->name, NULL, NULL, &status);
    const char *what = what_of(type, object);
    snprintf(out, size, "uncaught exception of type '%.200s'%s%.150s",
             status == 0 ? name : type->name, what ? ": " : "", what ? what : "");
}

/* Ends the run, for std::terminate. The object is that of the current exception, NULL: not known. */
RT_EXPORT void __treadle_uncaught(void *object);
void __treadle_uncaught(void *object)
{
    char made[400] = "";
    if (!rt_on())
        return;
    const type_info *type = __cxa_current_exception_type();
    if (type)
        put_uncaught(type, object, made, sizeof made);
    rt_fail_end(WIRE_FAIL_ABORT, rt->self->cxx_end, 0, SIGABRT, made);
}

/* Ends the run; NULL: for std::terminate, with the uncaught exception. */
RT_EXPORT void __treadle_terminated(const char *text);
void __treadle_terminated(const char *text)
{
    void *object = NULL;
    if (!rt_on())
        return;
    if (text)
        rt_fail_end(WIRE_FAIL_ABORT, rt->self->cxx_end, 0, SIGABRT, text);
    if (__cxa_current_exception_type())
        current_exception(&object);
    __treadle_uncaught(object);
}

/* An exception leaves the function that the newest pthread_once of self has called. */
RT_EXPORT void __treadle_once_left(void);
void __treadle_once_left(void)
{
    if (rt_on())
        rt_cleanup_unwind();
}

/* How long a thread sleeps before it looks once more whether its time is over: in a run it does not, as any moment may
 * be the one. */
RT_EXPORT int64_t __treadle_nap(int64_t ns);
int64_t __treadle_nap(int64_t ns)
{
    const int64_t most = 1000000;
    if (rt_on())
        return ns;
    int64_t nap = ns < most ? ns : most;
    nanosleep(&(struct timespec){0, nap}, NULL);
    return nap;
}
