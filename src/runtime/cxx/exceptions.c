/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions that threads share. The library counts the shares of an exception; the last one destroys it. What it does
 * to a count that more than one thread may know is done here, as an operation, and then by the library. The count is
 * restored before that; no scheduling point lies in between, so this is unobservable. Compiled twice: for libstdc++,
 * and with TREADLE_LIBCXX for libc++. */
#include "runtime/cxx/cxx_int.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Before the object that is thrown. */
typedef struct exception_head {
#ifdef TREADLE_LIBCXX
    uint32_t is_shared; /* not the library's: it leaves this room unused */
    uint32_t unused;
    int64_t count; /* in a share of another exception: the object of that one */
#else
    int32_t count;
    uint32_t unused;
    uint32_t is_shared; /* not the library's: it leaves this room unused */
    uint32_t unused_too;
#endif
    void *type; /* in a share: the object of the other one */
    void (*destructor)(void *);
    void *handlers[2];
    struct exception_head *next;
    int32_t n_handlers, handler;
    void *of_handler[4];
    uint64_t class_name;
    void *of_unwinder[3];
} exception_head;
_Static_assert(sizeof(exception_head) == 128, "the library's");

#ifdef TREADLE_LIBCXX
#define REAL_RETHROW "__cxa_rethrow_primary_exception"
static const char class_of_own[] = "\0++CGNLC", class_of_share[] = "\1++CGNLC";
enum { CAUGHT_AT = 0 };
#else
#define REAL_RETHROW "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE"
static const char class_of_own[] = "\0++CCUNG", class_of_share[] = "\1++CCUNG";
enum { CAUGHT_AT = offsetof(exception_head, type) };
#endif

typedef struct exception_globals {
    void *caught; /* into the head of the newest one, at CAUGHT_AT */
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
    real_rethrow = (void (*)(void *))dlsym(RTLD_NEXT, REAL_RETHROW);
    real_throw =
        (void (*)(void *, void *, void (*)(void *)))dlsym(RTLD_NEXT, "__cxa_throw");
}

static exception_head *head_of(void *object)
{
    return (exception_head *)object - 1;
}

static void add_share(void *object)
{
    __treadle_mark(&head_of(object)->is_shared);
    __atomic_add_fetch(&head_of(object)->count, 1, __ATOMIC_ACQ_REL);
}

/* True: it was the last one, and the object is gone. */
static bool drop_share(void *object)
{
    exception_head *h = head_of(object);
    if (__atomic_sub_fetch(&h->count, 1, __ATOMIC_ACQ_REL) > 0)
        return false;
    if (h->destructor)
        h->destructor(object);
    __cxa_free_exception(object);
    return true;
}

/* The object of the newest exception that is caught, NULL: there is none, or of another language. */
static void *caught_object(exception_head **head)
{
    const exception_globals *g = __cxa_get_globals();
    if (!g->caught)
        return NULL;
    *head = (exception_head *)((char *)g->caught - CAUGHT_AT);
    if (memcmp(&(*head)->class_name, class_of_own, 8) == 0)
        return *head + 1;
    if (memcmp(&(*head)->class_name, class_of_share, 8) != 0)
        return NULL;
#ifdef TREADLE_LIBCXX
    return (void *)(*head)->count;
#else
    return (*head)->type;
#endif
}

void __cxa_end_catch(void);
void __cxa_end_catch(void)
{
    exception_head *head = NULL;
    void *object = caught_object(&head);
    if (object && head->n_handlers == 1 &&
        __treadle_is_marked(&head_of(object)->is_shared)) {
        __atomic_sub_fetch(&head_of(object)->count, 1, __ATOMIC_ACQ_REL);
        __treadle_add((int32_t *)&head_of(object)->count,
                      1); /* which the library takes */
    }
    __treadle_call_behind(real_end_catch, NULL);
}

/* share: what the real function is given. */
static void rethrow(void *object, void *share)
{
    /* As add_share, at a site of its own: a report finds the line that threw by it. */
    __treadle_mark(&head_of(object)->is_shared);
    __atomic_add_fetch(&head_of(object)->count, 1, __ATOMIC_ACQ_REL);
    __treadle_rethrown();
    __treadle_add((int32_t *)&head_of(object)->count, -1); /* which the library adds */
    __treadle_call_behind(real_rethrow, share);
}

/* By the library itself; the program's own come by way of the runtime. */
void __cxa_throw(void *object, void *type, void (*destructor)(void *));
void __cxa_throw(void *object, void *type, void (*destructor)(void *))
{
    __treadle_throw_behind(real_throw, object, type, destructor);
}

#ifdef TREADLE_LIBCXX

/* ---- of libc++ ---- */

void __cxa_increment_exception_refcount(void *object);
void __cxa_increment_exception_refcount(void *object)
{
    if (object)
        add_share(object);
}

void __cxa_decrement_exception_refcount(void *object);
void __cxa_decrement_exception_refcount(void *object)
{
    if (object)
        drop_share(object);
}

void *__cxa_current_primary_exception(void);
void *__cxa_current_primary_exception(void)
{
    exception_head *head = NULL;
    void *object = caught_object(&head);
    if (object)
        add_share(object);
    return object;
}

void __cxa_rethrow_primary_exception(void *object);
void __cxa_rethrow_primary_exception(void *object)
{
    if (object)
        rethrow(object, object);
}

/* The library ends the program by the handler that is set where an exception is thrown, and not by std::terminate.
 * The object is found here: std::current_exception() would count one share more, which is an operation. */
typedef void handler(void);
static handler *default_handler;

static void end_uncaught(void)
{
    exception_head *head = NULL;
    __treadle_uncaught(caught_object(&head));
    default_handler();
    abort();
}

/* After terminate.c has found the library's own. */
__attribute__((constructor(102))) static void set_own_handler(void)
{
    handler *(*set)(handler *) =
        (handler * (*)(handler *)) dlsym(RTLD_NEXT, "_ZSt13set_terminatePFvvE");
    default_handler = set(end_uncaught);
}

#else

/* ---- of libstdc++ ---- */

void share_of(void **self) CXX_NAME("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void share_of(void **self)
{
    if (*self)
        add_share(*self);
}

void drop_of(void **self) CXX_NAME("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
void drop_of(void **self)
{
    if (*self && drop_share(*self))
        *self = NULL;
}

void rethrow_of(void **self)
    CXX_NAME("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE");
void rethrow_of(void **self)
{
    rethrow(*self, self);
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

#endif
