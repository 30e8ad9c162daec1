/* SPDX-License-Identifier: Apache-2.0 */
/* Out of memory in a solver library. The libraries are written in C++, where a failed allocation ends the
 * process unless a "new_handler" frees memory. Ours frees the reserve; when that is used up, it exits with a
 * message (base/memory.h). */
#include "solver/solver_int.h"

#include <dlfcn.h>

#include "base/memory.h"

typedef void handler(void);

static void make_room(void)
{
    if (!td_memory_spare())
        td_memory_out(0);
}

/* std::set_new_handler; not there where no library of C++ is loaded. */
void slv_out_of_memory_start(void)
{
    handler *(*set)(handler *) =
        (handler * (*)(handler *)) dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE");
    if (set)
        set(make_room);
}
