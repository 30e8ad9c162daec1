/* SPDX-License-Identifier: Apache-2.0 */
/* Values of threads by key. They are kept here, not in the C library: its thread-local storage is lent. A
 * key is a number that depends on its creator, not on the schedule. Whether a key still exists matters to
 * other threads only in programs that delete keys. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"
#include "runtime/symbolic/values.h"

struct rt_specific {
    uint32_t key, label;
    const void *value;
};

struct rt_key {
    uint32_t number;
    bool is_deleted;
    uint64_t object; /* the variable it was first stored in: what it is called */
    void (*destructor)(void *);
    uint32_t site; /* where it was made; 0: before main */
};

/* Keys of the C library, made before main, have smaller numbers. */
#define FIRST_KEY UINT32_C(1024)
#define KEYS_OF_SLOT UINT32_C(131040) /* the last slot's still fit */

static_assert((uint64_t)FIRST_KEY + (uint64_t)PLAN_N_SLOTS * KEYS_OF_SLOT <= UINT32_MAX,
              "a number for every key");

/* Kept outside rt: what is made before main belongs to no run. */
static struct rt_key made_before[FIRST_KEY];

static rt_key *find(uint32_t number)
{
    if (number < FIRST_KEY)
        return made_before[number].object ? &made_before[number] : NULL;
    for (uint32_t i = 0; i < rt->n_keys; i++)
        if (rt->keys[i].number == number)
            return &rt->keys[i];
    return NULL;
}

static rt_key *key_new(void)
{
    if (rt->n_keys == rt->cap_keys) {
        rt->cap_keys = rt->cap_keys ? 2 * rt->cap_keys : 8;
        rt_key *more = rt_bump(rt->cap_keys * sizeof *more);
        if (rt->n_keys > 0)
            memcpy(more, rt->keys, rt->n_keys * sizeof *more);
        rt->keys = more;
    }
    RT_ASSERT(rt->n_keys < rt->cap_keys);
    return &rt->keys[rt->n_keys++];
}

static bool is_full(const rt_thread *t)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < rt->n_keys; i++) {
        uint32_t at = rt->keys[i].number - FIRST_KEY;
        live += at / KEYS_OF_SLOT == t->slot && !rt->keys[i].is_deleted;
    }
    return live >= PTHREAD_KEYS_MAX || t->n_keys == KEYS_OF_SLOT;
}

int rt_key_create(uint32_t *out, void (*destructor)(void *))
{
    rt_thread *self = rt->self;
    uint32_t site = rt_call_site();
    if (is_full(self))
        return EAGAIN;
    rt_changed();
    rt_key *k = key_new();
    *k = (rt_key){.number = FIRST_KEY + self->slot * KEYS_OF_SLOT + self->n_keys++,
                  .object = (uint64_t)out,
                  .destructor = destructor,
                  .site = site};
    RT_ASSERT(find(k->number) == k); /* no other has this number */
    rt_access((uint64_t)out, sizeof *out, true, site);
    *out = k->number;
    return 0;
}

/* A look at whether the key is still there, or its end. */
static void operation(const rt_key *k, uint8_t kind, uint32_t site)
{
    if (!(rt->uses & WIRE_USES_DELETE))
        return;
    rt_step(kind, site, k->object);
}

_Noreturn static void misuse(uint32_t site, const char *text)
{
    rt_fail_end(WIRE_FAIL_MISUSE, site, 0, 0, text);
}

int rt_key_delete(uint32_t key)
{
    uint32_t site = rt_call_site();
    rt_key *k = find(key);
    if (!k)
        return EINVAL;
    operation(k, WIRE_SET, site);
    k = find(key);
    if (k->is_deleted)
        misuse(site, "delete of a deleted key");
    k->is_deleted = true;
    rt_changed();
    return 0;
}

/* ---- values ---- */

/* Where the key is, or would be. */
static uint32_t place_of(const rt_thread *t, uint32_t key)
{
    uint32_t i = 0;
    while (i < t->n_specifics && t->specifics[i].key < key)
        i++;
    return i;
}

static rt_specific *value_of(const rt_thread *t, uint32_t key)
{
    uint32_t i = place_of(t, key);
    return i < t->n_specifics && t->specifics[i].key == key ? &t->specifics[i] : NULL;
}

static rt_specific *value_new(rt_thread *t, uint32_t key)
{
    uint32_t i = place_of(t, key);
    if (t->n_specifics == t->cap_specifics) {
        t->cap_specifics = t->cap_specifics ? 2 * t->cap_specifics : 4;
        rt_specific *more = rt_bump(t->cap_specifics * sizeof *more);
        if (t->n_specifics > 0)
            memcpy(more, t->specifics, t->n_specifics * sizeof *more);
        t->specifics = more;
    }
    RT_ASSERT(i <= t->n_specifics && t->n_specifics < t->cap_specifics);
    RT_ASSERT(i == t->n_specifics || t->specifics[i].key > key); /* in order, each once */
    memmove(&t->specifics[i + 1], &t->specifics[i],
            (t->n_specifics - i) * sizeof t->specifics[0]);
    t->n_specifics++;
    t->specifics[i] = (rt_specific){.key = key};
    return &t->specifics[i];
}

/* Main may have set it before there were runs. */
static void *from_before(uint32_t key)
{
    return key < FIRST_KEY && rt->self->id == 0 ? pthread_getspecific(key) : NULL;
}

void *rt_specific_get(uint32_t key, const void *self)
{
    uint32_t site = rt_call_site();
    const rt_key *k = find(key);
    const rt_specific *s = value_of(rt->self, key);
    if (k && k->is_deleted)
        misuse(site, "getspecific of a deleted key");
    rt_sym_return(self, s ? s->label : 0);
    return s ? (void *)s->value : from_before(key);
}

int rt_specific_set(uint32_t key, const void *value, const void *self)
{
    uint32_t site = rt_call_site();
    uint32_t label = rt_sym_argument(self, 1);
    rt_sym_arrive();
    const rt_key *k = find(key);
    if (!k)
        return EINVAL;
    operation(k, WIRE_GET, site);
    if (find(key)->is_deleted)
        misuse(site, "setspecific of a deleted key");
    rt_specific *s = value_of(rt->self, key);
    if (!s)
        s = value_new(rt->self, key);
    if (s->value != value || s->label != label)
        rt_changed();
    s->value = value;
    s->label = label;
    return 0;
}

/* ---- the end of a thread ---- */

/* The destructor to be called for the value, NULL: none. */
static void (*destructor_of(const rt_specific *s))(void *)
{
    const rt_key *k = find(s->key);
    if (k && k->destructor)
        rt_sym_branch(rt_sym_truth(s->label, (uint64_t)s->value), s->value != NULL, 0);
    if (!s->value || !k || !k->destructor)
        return NULL;
    uint32_t number = k->number;
    operation(k, WIRE_GET, 0);
    k = find(number);
    return k->is_deleted ? NULL : k->destructor;
}

static bool call_all(rt_thread *t)
{
    bool any = false;
    for (uint32_t i = 0; i < t->n_specifics; i++) {
        uint32_t key = t->specifics[i].key;
        void (*destructor)(void *) = destructor_of(&t->specifics[i]);
        if (!destructor)
            continue;
        void *value = (void *)t->specifics[i].value;
        uint32_t label = t->specifics[i].label;
        t->specifics[i].value = NULL;
        t->specifics[i].label = 0;
        any = true;
        rt_user_call(&(rt_user){(uint64_t)destructor, find(key)->site, label},
                     (uint64_t)value, 0, 0);
        /* It may have set values, of smaller keys too. */
        i = place_of(t, key);
    }
    return any;
}

void rt_specific_end(void)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS; i++)
        if (!call_all(rt->self))
            return;
}

/* ---- the API ---- */

RT_API int __treadle_pthread_key_create(pthread_key_t *out, void (*destructor)(void *));
int __treadle_pthread_key_create(pthread_key_t *out, void (*destructor)(void *))
{
    if (rt_on())
        return rt_key_create(out, destructor);
    int result = pthread_key_create(out, destructor);
    if (result == 0 && *out < FIRST_KEY)
        made_before[*out] = (struct rt_key){.number = *out,
                                            .object = (uint64_t)out,
                                            .destructor = destructor};
    return result;
}

RT_API int __treadle_pthread_key_delete(pthread_key_t key);
int __treadle_pthread_key_delete(pthread_key_t key)
{
    return rt_on() ? rt_key_delete(key) : pthread_key_delete(key);
}

RT_API void *__treadle_pthread_getspecific(pthread_key_t key);
void *__treadle_pthread_getspecific(pthread_key_t key)
{
    return rt_on() ? rt_specific_get(key, (const void *)__treadle_pthread_getspecific)
                   : pthread_getspecific(key);
}

RT_API int __treadle_pthread_setspecific(pthread_key_t key, const void *value);
int __treadle_pthread_setspecific(pthread_key_t key, const void *value)
{
    return rt_on()
               ? rt_specific_set(key, value, (const void *)__treadle_pthread_setspecific)
               : pthread_setspecific(key, value);
}
