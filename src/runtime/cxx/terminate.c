/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a C++ program that goes wrong: std::terminate with the exception that was not caught, and calls of pure
 * virtual functions. The texts of the standard exceptions, which are reached by their tables of functions. */
#include "runtime/cxx/cxx_int.h"

#include <stdlib.h>

/* Linked into every C++ program. */
const int __treadle_cxx = 1;

/* ---- the end ---- */

typedef void handler(void);
handler *get_handler(void) CXX_NAME("_ZSt13get_terminatev");
static handler *default_handler; /* the library's own */

__attribute__((constructor(101))) static void find_default(void)
{
    default_handler = get_handler();
}

/* A handler of the program comes first. */
void terminate(void) CXX_NAME("_ZSt9terminatev");
void terminate(void)
{
    handler *given = get_handler();
    if (given && given != default_handler)
        given();
    __treadle_terminated(NULL);
    if (default_handler)
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

/* A std::future_error is a std::logic_error, and a code. */
const char *future_what(const error *e) CXX_NAME("_ZNKSt12future_error4whatEv");
const char *future_what(const error *e)
{
    return e->text;
}

const char *runtime_what(const error *e) CXX_NAME("_ZNKSt13runtime_error4whatEv");
const char *runtime_what(const error *e)
{
    return e->text;
}
