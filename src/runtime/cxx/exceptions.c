/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions that threads share. libstdc++ counts the shares of an exception; the last one destroys it. What it does
 * to a count that more than one thread may know is done here, as an operation, and then by the library. The count is
 * restored before that; no scheduling point lies in between, so this is unobservable. */
#include "runtime/cxx/cxx_int.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Before the object that is thrown. */
typedef struct exception_head {
    int32_t count;
    uint32_t unused;
    uint32_t is_shared; /* not the library's: it leaves this room unused */
    uint32_t unused_too;
    void *type;
    void (*destructor)(void *);
    void *handlers[2];
    struct exception_head *next;
    int32_t n_handlers, handler;
    void *of_handler[4];
    uint64_t class_name;
    void *of_unwinder[3];
} exception_head;
_Static_assert(sizeof(exception_head) == 128, "the library's");

/* Points behind the count of the newest one that is caught. */
typedef struct exception_globals {
    void *caught;
    unsigned n_thrown;
} exception_globals;

exception_globals *__cxa_get_globals(void);
void __cxa_free_exception(void *object);

static void (*real_end_catch)(void *none);
static void (*real_rethrow)(void *share);
static void (*real_throw)(void *object, void *type, void (*destructor)(void *));

__attribute__((constructor(101))) static void find_real(void)
{
    real_end_catch = (void (*)(void *))dlsym(RTLD_NEXT, "__cxa_end_catch");
    real_rethrow = (void (*)(void *))dlsym(
        RTLD_NEXT, "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE");
    real_throw =
        (void (*)(void *, void *, void (*)(void *)))dlsym(RTLD_NEXT, "__cxa_throw");
}

static exception_head *head_of(void *object)
{
    return (exception_head *)object - 1;
}

void share(void **self) CXX_NAME("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void share(void **self)
{
    if (!*self)
        return;
    __treadle_mark(&head_of(*self)->is_shared);
    __atomic_add_fetch(&head_of(*self)->count, 1, __ATOMIC_ACQ_REL);
}

void drop(void **self) CXX_NAME("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
void drop(void **self)
{
    void *object = *self;
    if (!object)
        return;
    exception_head *h = head_of(object);
    if (__atomic_sub_fetch(&h->count, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    if (h->destructor)
        h->destructor(object);
    __cxa_free_exception(object);
    *self = NULL;
}

/* The object of the newest exception that is caught, NULL: there is none, or of another language. */
static void *caught_object(exception_head **head)
{
    static const char *const own = "\0++CCUNG", *const dependent = "\1++CCUNG";
    const exception_globals *g = __cxa_get_globals();
    if (!g->caught)
        return NULL;
    *head = (exception_head *)((char *)g->caught - offsetof(exception_head, type));
    if (memcmp(&(*head)->class_name, own, 8) == 0)
        return *head + 1;
    return memcmp(&(*head)->class_name, dependent, 8) == 0 ? (*head)->type : NULL;
}

void __cxa_end_catch(void);
void __cxa_end_catch(void)
{
    exception_head *head = NULL;
    void *object = caught_object(&head);
    if (object && head->n_handlers == 1 &&
        __treadle_is_marked(&head_of(object)->is_shared)) {
        __atomic_sub_fetch(&head_of(object)->count, 1, __ATOMIC_ACQ_REL);
        __treadle_add(&head_of(object)->count, 1); /* which the library takes */
    }
    __treadle_call_behind(real_end_catch, NULL);
}

void rethrow(void **self)
    CXX_NAME("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE");
void rethrow(void **self)
{
    __treadle_mark(&head_of(*self)->is_shared);
    __atomic_add_fetch(&head_of(*self)->count, 1, __ATOMIC_ACQ_REL);
    __treadle_rethrown();
    __treadle_add(&head_of(*self)->count, -1); /* which the library adds */
    __treadle_call_behind(real_rethrow, self);
}

/* By libstdc++ itself; the program's own come by way of the runtime. */
void __cxa_throw(void *object, void *type, void (*destructor)(void *));
void __cxa_throw(void *object, void *type, void (*destructor)(void *))
{
    __treadle_throw_behind(real_throw, object, type, destructor);
}

/* ---- std::call_once ---- */

extern __thread void (*once_call)(void) CXX_NAME("_ZSt11__once_call");

static void left(const bool *is_done)
{
    if (!*is_done)
        __treadle_once_left();
}

/* Given to pthread_once. A call that throws does not count. */
void __once_proxy(void);
void __once_proxy(void)
{
    __attribute__((cleanup(left))) bool is_done = false;
    once_call();
    is_done = true;
}
