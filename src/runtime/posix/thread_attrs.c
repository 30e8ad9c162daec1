/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of threads: names, processors, stacks, clocks. They have no effect; setting and reading one are
 * operations, in programs that read them. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>

#include "runtime/memory/accesses.h"
#include "runtime/symbolic/values.h"

static const char unknown[] = "a question about something that is not a thread";

/* ---- names and processors ---- */

static void operation(const rt_thread *t, uint8_t kind, uint32_t site)
{
    if (!(rt->uses & WIRE_USES_NAMES))
        return;
    /* Another object than the one that cancellations are about. */
    rt_step(kind, site, (uint64_t)rt_thread_handle(t) + 8);
}

RT_API int __treadle_pthread_setname_np(pthread_t thread, const char *name);
int __treadle_pthread_setname_np(pthread_t thread, const char *name)
{
    if (!rt_on())
        return pthread_setname_np(rt_thread_real(thread), name);
    uint32_t site = rt_call_site();
    rt_thread *t = rt_thread_known(thread, site, unknown);
    size_t size = strlen(name) + 1;
    rt_access((uint64_t)name, size, false, site);
    rt_sym_bytes_concrete(name, size, site, "the name of a thread");
    if (size > sizeof t->name)
        return ERANGE;
    operation(t, WIRE_SET, site);
    memcpy(t->name, name, size);
    return 0;
}

static int name_get(const rt_thread *t, char *out, uint32_t site)
{
    operation(t, WIRE_GET, site);
    size_t used = strlen(t->name) + 1;
    rt_access((uint64_t)out, used, true, site);
    rt_sym_clear(out, used);
    memcpy(out, t->name, used);
    return 0;
}

RT_API int __treadle_pthread_getname_np(pthread_t thread, char *out, size_t size);
int __treadle_pthread_getname_np(pthread_t thread, char *out, size_t size)
{
    if (!rt_on())
        return pthread_getname_np(rt_thread_real(thread), out, size);
    uint32_t site = rt_call_site();
    const rt_thread *t = rt_thread_known(thread, site, unknown);
    if (size < sizeof t->name)
        return ERANGE;
    return name_get(t, out, site);
}

/* Sets the name of the calling thread; a name that is too long is cut. */
static int name_set(const char *name, uint32_t site)
{
    rt_thread *t = rt->self;
    size_t len = strnlen(name, sizeof t->name - 1);
    rt_access((uint64_t)name, len, false, site);
    rt_sym_bytes_concrete(name, len, site, "the name of a thread");
    operation(t, WIRE_SET, site);
    memcpy(t->name, name, len);
    t->name[len] = 0;
    return 0;
}

/* What takes system calls from the process, or from treadle, which traps them. */
static void refuse_traps(int option, uint32_t site)
{
#ifdef PR_SET_SYSCALL_USER_DISPATCH
    if (option == PR_SET_SYSCALL_USER_DISPATCH)
        rt_refuse("prctl with PR_SET_SYSCALL_USER_DISPATCH", site);
#endif
    if (option == PR_SET_SECCOMP)
        rt_refuse("prctl with PR_SET_SECCOMP", site);
}

RT_API int __treadle_prctl(int option, ...);
int __treadle_prctl(int option, ...)
{
    unsigned long a[4];
    va_list list;
    va_start(list, option);
    for (size_t i = 0; i < 4; i++)
        a[i] = va_arg(list, unsigned long);
    va_end(list);
    if (!rt_on())
        return prctl(option, a[0], a[1], a[2], a[3]);
    uint32_t site = rt_call_site();
    if (option == PR_SET_NAME)
        return name_set((const char *)a[0], site);
    if (option == PR_GET_NAME)
        return name_get(rt->self, (char *)a[0], site);
    refuse_traps(option, site);
    rt_taint("prctl", site);
    /* Most others want a number: memory is meant if it can be an address. */
    if (a[0] >= 4096 && a[0] < UINT64_C(0x7ffffffff000))
        rt_gap_once(WIRE_GAP_UNWATCHED, site, "prctl");
    return prctl(option, a[0], a[1], a[2], a[3]);
}

RT_API int __treadle_pthread_setaffinity_np(pthread_t thread, size_t size,
                                            const cpu_set_t *set);
int __treadle_pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
    if (!rt_on())
        return pthread_setaffinity_np(rt_thread_real(thread), size, set);
    uint32_t site = rt_call_site();
    rt_thread *t = rt_thread_known(thread, site, unknown);
    rt_access((uint64_t)set, size, false, site);
    rt_sym_bytes_concrete(set, size, site, "the processors of a thread");
    if (CPU_COUNT_S(size, set) == 0)
        return EINVAL;
    operation(t, WIRE_SET, site);
    t->cpus = rt_bump(sizeof(cpu_set_t));
    memcpy(t->cpus, set, size < sizeof(cpu_set_t) ? size : sizeof(cpu_set_t));
    return 0;
}

/* The same on every machine: four processors. */
RT_API int __treadle_pthread_getaffinity_np(pthread_t thread, size_t size,
                                            cpu_set_t *out);
int __treadle_pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *out)
{
    if (!rt_on())
        return pthread_getaffinity_np(rt_thread_real(thread), size, out);
    cpu_set_t four = {{15}};
    uint32_t site = rt_call_site();
    const rt_thread *t = rt_thread_known(thread, site, unknown);
    operation(t, WIRE_GET, site);
    rt_access((uint64_t)out, size, true, site);
    memset(out, 0, size);
    memcpy(out, t->cpus ? t->cpus : &four, size < sizeof four ? size : sizeof four);
    return 0;
}

/* ---- the program as a whole ---- */

RT_API int __treadle_pthread_setconcurrency(int level);
int __treadle_pthread_setconcurrency(int level)
{
    if (!rt_on())
        return pthread_setconcurrency(level);
    uint32_t site = rt_call_site();
    if (level < 0)
        return EINVAL;
    rt_step(WIRE_SET, site, WIRE_OBJECT_CONCURRENCY);
    rt->concurrency = level;
    return 0;
}

RT_API int __treadle_pthread_getconcurrency(void);
int __treadle_pthread_getconcurrency(void)
{
    if (!rt_on())
        return pthread_getconcurrency();
    rt_step(WIRE_GET, rt_call_site(), WIRE_OBJECT_CONCURRENCY);
    return rt->concurrency;
}

/* The handlers are never called: there is no fork. */
RT_API int __treadle_pthread_atfork(void (*prepare)(void), void (*parent)(void),
                                    void (*child)(void));
int __treadle_pthread_atfork(void (*prepare)(void), void (*parent)(void),
                             void (*child)(void))
{
    if (!rt_on())
        return pthread_atfork(prepare, parent, child);
    rt_call_site();
    return 0;
}

/* ---- one thread ---- */

RT_API int __treadle_pthread_getattr_np(pthread_t thread, pthread_attr_t *out);
int __treadle_pthread_getattr_np(pthread_t thread, pthread_attr_t *out)
{
    if (!rt_on())
        return pthread_getattr_np(rt_thread_real(thread), out);
    uint32_t site = rt_call_site();
    const rt_thread *t = rt_thread_known(thread, site, unknown);
    uint64_t bottom = rt_stack_bottom(t->slot) + 4096;
    rt_access((uint64_t)out, sizeof *out, true, site);
    int error = pthread_attr_init(out);
    if (error)
        return error;
    pthread_attr_setstack(out, (void *)bottom, rt_stack_top(t->slot) - bottom);
    pthread_attr_setdetachstate(out, t->detached ? PTHREAD_CREATE_DETACHED
                                                 : PTHREAD_CREATE_JOINABLE);
    return 0;
}

RT_API int __treadle_pthread_getcpuclockid(pthread_t thread, clockid_t *out);
int __treadle_pthread_getcpuclockid(pthread_t thread, clockid_t *out)
{
    if (!rt_on())
        return pthread_getcpuclockid(rt_thread_real(thread), out);
    uint32_t site = rt_call_site();
    rt_thread_known(thread, site, unknown);
    rt_access((uint64_t)out, sizeof *out, true, site);
    *out = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

/* Setting priorities is refused, so threads have none. */
RT_API int __treadle_pthread_getschedparam(pthread_t thread, int *policy,
                                           struct sched_param *out);
int __treadle_pthread_getschedparam(pthread_t thread, int *policy,
                                    struct sched_param *out)
{
    if (!rt_on())
        return pthread_getschedparam(rt_thread_real(thread), policy, out);
    uint32_t site = rt_call_site();
    rt_thread_known(thread, site, unknown);
    rt_access((uint64_t)policy, sizeof *policy, true, site);
    rt_access((uint64_t)out, sizeof *out, true, site);
    *policy = SCHED_OTHER;
    *out = (struct sched_param){0};
    return 0;
}
