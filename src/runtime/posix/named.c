/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores with names. The names are those of one run: at its start there are none. A semaphore lies at a
 * place that depends on its name, so its address does not depend on the order of creation; that place is
 * also the object of operations on the name. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>

#include "runtime/memory/accesses.h"

#define N_NAMES 4096u
#define NAME_BYTES 256u

typedef struct named {
    sem_t sem; /* for libraries that were not built by treadle cc */
    uint32_t run, n_open;
    bool is_there; /* the name; where it is open it may still be used when it is gone */
    char name[NAME_BYTES];
} named;

#define NAMES ((named *)RT_NAMES)

/* Takes the place of the name; NULL if there are too many. Two names that collide get different places;
 * their order is not explored. */
static named *place_of(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    for (uint32_t i = 0; i < N_NAMES; i++) {
        named *n = &NAMES[((hash ^ hash >> 32) + i) % N_NAMES];
        if (n->run == rt->run && strcmp(n->name, name) != 0)
            continue;
        if (n->run != rt->run) {
            *n = (named){.run = rt->run};
            strcpy(n->name, name);
        }
        return n;
    }
    return NULL;
}

static bool is_name(const char *name, uint32_t site)
{
    size_t length = strnlen(name, NAME_BYTES);
    rt_access((uint64_t)name, length, false, site);
    return length > 0 && length < NAME_BYTES - 1 && strchr(name + 1, '/') == NULL;
}

static sem_t *fails(int error)
{
    errno = error;
    return SEM_FAILED;
}

/* What an operation on a name is granted with. */
static uint64_t operation(uint8_t kind, const named *n, uint32_t site, uint64_t a,
                          uint64_t b)
{
    rt_op *op = rt_sync_op_at(site, kind, n, RT_SEM);
    op->a = a;
    op->b = b;
    return rt_sync_operation();
}

RT_API sem_t *__treadle_sem_open(const char *name, int flags, ...);
sem_t *__treadle_sem_open(const char *name, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    unsigned value = flags & O_CREAT ? va_arg(more, unsigned) : 0;
    va_end(more);
    if (!rt_on())
        return sem_open(name, flags, mode, value);
    uint32_t site = rt_call_site();
    if (value > INT32_MAX || !is_name(name, site))
        return fails(EINVAL);
    named *n = place_of(name);
    if (!n)
        return fails(ENFILE);
    uint64_t error = operation(WIRE_SEM_OPEN, n, site, (uint64_t)flags, value);
    if (error == ENOTSUP)
        rt_refuse("sem_open of a name while the one before is open", site);
    return error ? fails((int)error) : &n->sem;
}

RT_API int __treadle_sem_close(sem_t *s);
int __treadle_sem_close(sem_t *s)
{
    if (!rt_on())
        return sem_close(s);
    uint32_t site = rt_call_site();
    if (!rt_named_is(s))
        return fails(EINVAL), -1;
    uint64_t error = operation(WIRE_SEM_CLOSE, (const named *)s, site, 0, 0);
    return error ? (fails((int)error), -1) : 0;
}

RT_API int __treadle_sem_unlink(const char *name);
int __treadle_sem_unlink(const char *name)
{
    if (!rt_on())
        return sem_unlink(name);
    uint32_t site = rt_call_site();
    const named *n = is_name(name, site) ? place_of(name) : NULL;
    uint64_t error = n ? operation(WIRE_SEM_UNLINK, n, site, 0, 0) : ENOENT;
    return error ? (fails((int)error), -1) : 0;
}

/* ---- what they do ---- */

bool rt_named_is(const void *s)
{
    uint64_t at = (uint64_t)s - RT_NAMES;
    return at < N_NAMES * sizeof(named) && at % sizeof(named) == 0;
}

static uint64_t open_named(named *n, rt_object *o, const rt_op *op)
{
    if (n->is_there)
        return (op->a & O_CREAT) && (op->a & O_EXCL) ? EEXIST : 0;
    if (!(op->a & O_CREAT))
        return ENOENT;
    if (n->n_open > 0)
        return ENOTSUP;
    n->is_there = true;
    o->count = (uint32_t)op->b;
    o->state = o->count == 0 ? RT_OBJECT_HELD : RT_OBJECT_FREE;
    return 0;
}

uint64_t rt_named_do(const rt_op *op)
{
    named *n = (named *)op->object;
    uint64_t error = 0;
    switch (op->kind) {
    case WIRE_SEM_OPEN:
        error = open_named(n, op->model, op);
        n->n_open += error == 0;
        return error;
    case WIRE_SEM_CLOSE:
        if (n->n_open == 0)
            return EINVAL;
        n->n_open--;
        return 0;
    default:
        error = n->is_there ? 0 : ENOENT;
        n->is_there = false;
        return error;
    }
}
