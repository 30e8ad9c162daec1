/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the process: handlers registered by any thread, newest first; then the
 * destructors of the executable and of its libraries. They run in the thread that ends the process,
 * and the other threads continue until they are done: then comes the exit. A second thread that calls
 * exit waits for that.
 *
 * Handlers registered before main belong to every run. */
#include "runtime/posix/posix.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/memory/accesses.h"
#include "runtime/symbolic/values.h"
#include "wire/sym.h"

/* ---- destructors ---- */

/* The C compiler's own destructor is in every image: with no other there is nothing to do. */
#define OWN_FINIS 1

static void finis_add(uint64_t at, uint64_t size)
{
    if (size / 8 <= OWN_FINIS)
        return;
    rt_finis *f = rt_saved_alloc(sizeof *f);
    *f = (rt_finis){.at = (void (**)(void))at, .n = size / 8};
    rt_finis **last = &rt->finis;
    while (*last)
        last = &(*last)->next;
    *last = f;
}

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    const ElfW(Dyn) *d = NULL;
    uint64_t at = 0, bytes = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            d = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; d && d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_FINI_ARRAY)
            at = info->dlpi_addr + d->d_un.d_ptr;
        else if (d->d_tag == DT_FINI_ARRAYSZ)
            bytes = d->d_un.d_val;
    }
    const char *path = info->dlpi_name ? info->dlpi_name : "";
    if (!rt_is_image(path, "libc.so") && !rt_is_image(path, "ld-"))
        finis_add(at, bytes);
    return 0;
}

/* A static program has no dynamic section. */
extern __attribute__((weak, visibility("hidden"))) void (*__fini_array_start[])(void);
extern __attribute__((weak, visibility("hidden"))) void (*__fini_array_end[])(void);

void rt_exit_prepare(void)
{
    dl_iterate_phdr(look, NULL);
    if (!rt->finis)
        finis_add((uint64_t)__fini_array_start,
                  (uint64_t)__fini_array_end - (uint64_t)__fini_array_start);
}

static void call_destructors(uint32_t site)
{
    while (rt->finis_left) {
        rt_finis *f = rt->finis_left;
        uint64_t n = f->n;
        rt->finis_left = f->next;
        while (n > 0)
            rt_user_call(&(rt_user){(uint64_t)f->at[--n], site, 0}, 0, 0, 0);
    }
}

/* ---- handlers ---- */

enum { HANDLER_PLAIN, HANDLER_WITH_CODE, HANDLER_WITH_ARGUMENT };

/* What threads do to the lists of handlers is in an order. */
static void lists_change(uint32_t site)
{
    if (!rt->active || rt_is_only_thread())
        return;
    if (!rt->registers) {
        rt_gap_once(WIRE_GAP_REFUSED, site,
                    "uninstrumented code registers an exit handler");
        return;
    }
    rt_step(WIRE_SET, site, WIRE_OBJECT_HANDLERS);
}

/* Until the end of the run; before main, for good. */
static int handler_add(rt_handler **list, rt_handler what, uint32_t site)
{
    rt_handler *h = rt->active ? rt_bump(sizeof *h) : rt_saved_alloc(sizeof *h);
    RT_ASSERT(list == &rt->exits || list == &rt->quick_exits);
    *h = what;
    h->site = site;
    if (rt->active)
        rt_clock_copy(&h->clock, &rt->self->clock);
    lists_change(site);
    h->next = *list;
    *list = h;
    if (!rt->active) {
        rt->exits_before = rt->exits;
        rt->quick_exits_before = rt->quick_exits;
    }
    rt_changed();
    return 0;
}

/* The newest handler, which is called now. */
static const rt_handler *handler_take(rt_handler **list, uint32_t site)
{
    if (rt->registers)
        lists_change(site);
    const rt_handler *h = *list;
    if (h) {
        *list = h->next;
        rt_clock_join(&rt->self->clock, &h->clock);
    }
    return h;
}

static void call_handlers(rt_handler **list, int code, uint32_t site)
{
    const rt_handler *h;
    while ((h = handler_take(list, site)) != NULL) {
        const rt_user handler = {(uint64_t)h->function, h->site, 0};
        if (h->kind == HANDLER_WITH_CODE)
            rt_user_call(&handler, (uint64_t)(uint32_t)code, (uint64_t)h->arg, 0);
        else
            rt_user_call(&handler, (uint64_t)h->arg, 0, 0);
    }
}

void rt_exit_reset(void)
{
    RT_ASSERT(!rt->active);
    rt->exits = rt->exits_before;
    rt->quick_exits = rt->quick_exits_before;
    rt->finis_left = rt->finis;
}

bool rt_exit_has_work(enum rt_exit_how how)
{
    if (how == RT_EXIT_QUICKLY)
        return rt->quick_exits || rt->registers;
    return how == RT_EXIT_IN_ORDER && (rt->exits || rt->finis_left || rt->registers);
}

RT_API int __treadle_atexit(void (*handler)(void));
int __treadle_atexit(void (*handler)(void))
{
    if (!rt_controlled)
        return atexit(handler);
    rt_handler h = {.function = handler, .kind = HANDLER_PLAIN};
    return handler_add(&rt->exits, h, rt_call_site());
}

RT_API int __treadle_at_quick_exit(void (*handler)(void));
int __treadle_at_quick_exit(void (*handler)(void))
{
    if (!rt_controlled)
        return at_quick_exit(handler);
    rt_handler h = {.function = handler, .kind = HANDLER_PLAIN};
    return handler_add(&rt->quick_exits, h, rt_call_site());
}

RT_API int __treadle_on_exit(void (*handler)(int, void *), void *arg);
int __treadle_on_exit(void (*handler)(int, void *), void *arg)
{
    if (!rt_controlled)
        return on_exit(handler, arg);
    rt_handler h = {.function = (void (*)(void))handler,
                    .arg = arg,
                    .kind = HANDLER_WITH_CODE};
    return handler_add(&rt->exits, h, rt_call_site());
}

/* What atexit is in shared libraries, and constructors of C++ call. */
int __cxa_atexit(void (*handler)(void *), void *arg, void *image);
int __cxa_at_quick_exit(void (*handler)(void *), void *image);

RT_API int __treadle___cxa_atexit(void (*handler)(void *), void *arg, void *image);
int __treadle___cxa_atexit(void (*handler)(void *), void *arg, void *image)
{
    if (!rt_controlled)
        return __cxa_atexit(handler, arg, image);
    rt_handler h = {.function = (void (*)(void))handler,
                    .arg = arg,
                    .kind = HANDLER_WITH_ARGUMENT};
    return handler_add(&rt->exits, h, rt_call_site());
}

RT_API int __treadle___cxa_at_quick_exit(void (*handler)(void *), void *image);
int __treadle___cxa_at_quick_exit(void (*handler)(void *), void *image)
{
    if (!rt_controlled)
        return __cxa_at_quick_exit(handler, image);
    rt_handler h = {.function = (void (*)(void))handler, .kind = HANDLER_WITH_ARGUMENT};
    return handler_add(&rt->quick_exits, h, rt_call_site());
}

/* ---- ends ---- */

/* A return from main has no call: main itself is the place. */
_Noreturn static void fail_exit_code(uint32_t site, uint64_t value)
{
    char text[RT_HEX_TEXT];
    rt_hex((uint64_t)rt->user_main, text);
    rt_fail_end(WIRE_FAIL_EXIT_CODE, site, 0, value, site ? NULL : text);
}

/* Decides the exit status: handlers that receive it depend on it, and whether it is 0 matters if other
 * values are a finding. label: that of the code. */
static void decide_status(int code, uint32_t label, uint32_t site)
{
    uint64_t value = (uint64_t)(code & 0xff);
    bool is_given = false;
    rt_sym_arrive();
    if (label == 0)
        return;
    for (const rt_handler *h = rt->exits; h; h = h->next)
        is_given |= h->kind == HANDLER_WITH_CODE;
    if (is_given)
        rt_sym_concrete(label, (uint32_t)code, site);
    else if (rt->job.head.flags & WIRE_JOB_EXIT_CODE) {
        label =
            rt_sym_apply(WIRE_SYM(WIRE_SYM_AND, 32), label, (uint32_t)code, 0xff, value);
        rt_sym_branch(rt_sym_truth(label, value), value != 0, site);
    }
}

_Noreturn static void end(int code, enum rt_exit_how how, uint32_t label)
{
    uint32_t site = rt_call_site();
    if (rt->job.head.flags & WIRE_JOB_LEAKS)
        rt_leaks_clear();
    decide_status(code, label, site);
    rt_exit(code, how, site);
}

/* Operations of what is called are ones as any other. One thread calls it: others wait. */
static void call_all(int code, enum rt_exit_how how, uint32_t site)
{
    RT_ASSERT((unsigned)how <= RT_EXIT_IN_ORDER);
    if (!rt_exit_has_work(how))
        return;
    if (!rt_is_only_thread()) {
        rt_op *op =
            rt_sync_op_at(site, WIRE_LOCK, (const void *)WIRE_OBJECT_EXIT, RT_MUTEX);
        op->a = true; /* a handler may call exit */
        rt_operation();
    }
    if (how == RT_EXIT_QUICKLY) {
        call_handlers(&rt->quick_exits, code, site);
        return;
    }
    call_handlers(&rt->exits, code, site);
    if (!rt->finis_left)
        return;
    call_destructors(site);
    call_handlers(&rt->exits, code, site); /* what was registered meanwhile */
}

_Noreturn void rt_exit(int code, enum rt_exit_how how, uint32_t site)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    uint64_t value = (uint64_t)(code & 0xff);
    rt_return_check();
    if (how == RT_EXIT_IN_ORDER)
        rt_locals_end();
    call_all(code, how, site);
    rt_op_new(WIRE_EXIT, site, 0)->a = value;
    rt_operation();
    if (how == RT_EXIT_IN_ORDER && rt->shm->keep_output)
        fflush(NULL);
    if ((rt->job.head.flags & WIRE_JOB_EXIT_CODE) && value != 0)
        fail_exit_code(site, value);
    rt_run_end(WIRE_DONE_EXIT, value);
}

/* ---- constructors ---- */

static void call_constructor(rt_constructor_fn *function, int argc, char **argv,
                             char **envp)
{
    rt_user_call(&(rt_user){(uint64_t)function, 0, 0}, (uint64_t)(uint32_t)argc,
                 (uint64_t)argv, (uint64_t)envp);
}

/* Those of instrumented code are called in each run, before main: what they do is part of
 * it. A library that is loaded later has its own called at once. */
RT_EXPORT void __treadle_constructor(rt_constructor_fn *function, int argc, char **argv,
                                     char **envp)
{
    if (!rt_controlled || rt->active) {
        call_constructor(function, argc, argv, envp);
        return;
    }
    rt_constructor *c = rt_saved_alloc(sizeof *c);
    *c = (rt_constructor){.function = function};
    rt_constructor **last = &rt->constructors;
    while (*last)
        last = &(*last)->next;
    *last = c;
}

static void call_constructors(void)
{
    for (const rt_constructor *c = rt->constructors; c; c = c->next) {
        call_constructor(c->function, rt->argc, rt->argv, rt->envp);
    }
}

void rt_main_entry(void)
{
    RT_ASSERT(rt_on() && rt->self->id == 0);
    rt_given_start();
    rt_unwatched_start();
#if defined(__x86_64__)
    __asm__ volatile("mov %%rsp, %0" : "=r"(rt->main_sp));
#endif
    call_constructors();
    const rt_user user_main = {(uint64_t)rt->user_main, 0, 0};
    int code = (int)rt_user_call(&user_main, (uint64_t)(uint32_t)rt->argc,
                                 (uint64_t)rt->argv, (uint64_t)rt->envp);
    end(code, RT_EXIT_IN_ORDER, rt_user_result(&user_main));
}

RT_API _Noreturn void __treadle_exit(int code);
void __treadle_exit(int code)
{
    rt_history_return();
    if (!rt_on())
        exit(code);
    end(code, RT_EXIT_IN_ORDER, rt_sym_argument((const void *)__treadle_exit, 0));
}

RT_API _Noreturn void __treadle__exit(int code);
void __treadle__exit(int code)
{
    if (!rt_on())
        _exit(code);
    end(code, RT_EXIT_AT_ONCE, rt_sym_argument((const void *)__treadle__exit, 0));
}

RT_API _Noreturn void __treadle__Exit(int code);
void __treadle__Exit(int code)
{
    if (!rt_on())
        _exit(code);
    end(code, RT_EXIT_AT_ONCE, rt_sym_argument((const void *)__treadle__Exit, 0));
}

RT_API _Noreturn void __treadle_quick_exit(int code);
void __treadle_quick_exit(int code)
{
    if (!rt_on())
        quick_exit(code);
    end(code, RT_EXIT_QUICKLY, rt_sym_argument((const void *)__treadle_quick_exit, 0));
}
