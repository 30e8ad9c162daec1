/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a C++ program that goes wrong: std::terminate with the exception that was not caught, and calls of pure
 * virtual functions. The texts of the standard exceptions, which are reached by their tables of functions. */
#include "runtime/cxx/cxx_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Linked into every C++ program. */
const int __treadle_cxx = 1;

/* ---- types ---- */

typedef struct type_info type_info;
struct type_info {
    void *table;
    const char *name;
};

/* A class with one base at its start. */
typedef struct derived {
    type_info type;
    const type_info *base;
} derived;

typedef struct base_of {
    const type_info *type;
    long flags; /* 1: virtual; the offset is above 8 bits */
} base_of;

typedef struct derived_many {
    type_info type;
    unsigned flags, n;
    base_of bases[];
} derived_many;

extern char table_of_derived[] CXX_NAME("_ZTVN10__cxxabiv120__si_class_type_infoE");
extern char table_of_many[] CXX_NAME("_ZTVN10__cxxabiv121__vmi_class_type_infoE");

#define N_TYPES 32 /* in a chain of bases */

/* The std::exception in an object of that type, NULL: there is none. Only bases at a known place. */
static void *find_exception(const type_info *type, char *object)
{
    for (int i = 0; i < N_TYPES; i++) {
        if (strcmp(type->name, "St9exception") == 0)
            return object;
        if (type->table == table_of_derived + 2 * sizeof(void *))
            type = ((const derived *)type)->base;
        else if (type->table == table_of_many + 2 * sizeof(void *)) {
            const derived_many *d = (const derived_many *)type;
            if (d->n == 0 || (d->bases[0].flags & 1))
                return NULL;
            object += d->bases[0].flags >> 8;
            type = d->bases[0].type;
        } else
            return NULL;
    }
    return NULL;
}

/* ---- the end ---- */

type_info *__cxa_current_exception_type(void);
void *__cxa_current_primary_exception(void);
char *__cxa_demangle(const char *name, char *out, size_t *size, int *status);
typedef void handler(void);
handler *get_handler(void) CXX_NAME("_ZSt13get_terminatev");
void default_handler(void) CXX_NAME("_ZN9__gnu_cxx27__verbose_terminate_handlerEv");
void *current_exception(void **out) CXX_NAME("_ZSt17current_exceptionv");

/* What the object of an exception says of itself: the third function of its table. */
static const char *what_of(const type_info *type, void *object)
{
    void *e = find_exception(type, object);
    return e ? (*(const char *(***)(void *))e)[2](e) : NULL;
}

static void put_text(const type_info *type, void *object, char *out, size_t size)
{
    int status = -1;
    char *name = __cxa_demangle(type->name, NULL, NULL, &status);
    const char *what = object ? what_of(type, object) : NULL;
    snprintf(out, size, "uncaught exception of type '%s'%s%.150s",
             status == 0 ? name : type->name, what ? ": " : "", what ? what : "");
}

void terminate(void) CXX_NAME("_ZSt9terminatev");
void terminate(void)
{
    char text[400] = "";
    handler *given = get_handler();
    if (given && given != default_handler)
        given();
    const type_info *type = __cxa_current_exception_type();
    void *share = NULL;
    if (type) {
        current_exception(&share);
        put_text(type, share, text, sizeof text);
    }
    __treadle_terminated(text);
    default_handler();
    abort();
}

void __cxa_pure_virtual(void);
void __cxa_pure_virtual(void)
{
    __treadle_terminated("a pure virtual function was called");
    abort();
}

/* ---- texts ---- */

/* An exception of <stdexcept>: a table, and a text that its copies share. */
typedef struct error {
    void *table;
    const char *text;
} error;

const char *logic_what(const error *e) CXX_NAME("_ZNKSt11logic_error4whatEv");
const char *logic_what(const error *e)
{
    return e->text;
}

const char *runtime_what(const error *e) CXX_NAME("_ZNKSt13runtime_error4whatEv");
const char *runtime_what(const error *e)
{
    return e->text;
}
