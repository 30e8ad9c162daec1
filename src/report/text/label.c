/* SPDX-License-Identifier: Apache-2.0 */
/* Names and values as people write them: never an address. */
#include "report/text/report_int.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "base/assert.h"
#include "wire/layout.h"
#include "wire/library.h"

/* Smaller numbers are not addresses, whatever their type. */
#define SMALL_NUMBER 65536

#define MAX_WORD 12u /* characters shown of a text argument */

/* ---- objects ---- */

static bool same_slot(uint64_t a, uint64_t b)
{
    return plan_on_stack(a) && plan_on_stack(b) &&
           (a - PLAN_SLOTS) / PLAN_SLOT_SIZE == (b - PLAN_SLOTS) / PLAN_SLOT_SIZE;
}

const char *rep_local_name(const rep_story *s, uint32_t act, uint64_t address)
{
    const trc *t = s->run;
    uint32_t last = 0;
    if (s->names->local == NULL || !plan_on_stack(address))
        return "";
    for (uint32_t i = act + 1; i-- > 0;) {
        uint32_t stack = s->acts.at[i].stack;
        if (stack == 0 || stack == last || stack >= t->stacks.len)
            continue;
        last = stack;
        const trc_stack *frames = &t->stacks.at[stack];
        TD_ASSERT((size_t)frames->first + frames->n <= t->bases.len);
        if (frames->n == 0 || !same_slot(t->bases.at[frames->first], address))
            continue;
        for (uint32_t k = frames->first; k < frames->first + frames->n; k++)
            if (same_slot(t->bases.at[k], address) && t->bases.at[k] > address)
                return s->names->local(s->names->ctx, t->frames.at[k], t->bases.at[k],
                                       address);
        return "";
    }
    return "";
}

/* A name through a pointer or an index means another object each time. */
static bool name_is_fixed(const char *name)
{
    return name[0] != '\0' && strpbrk(name, "*[") == NULL && strstr(name, "->") == NULL;
}

/* "forks+80" -> 80. */
static uint64_t offset_in(const char *global)
{
    const char *plus = strrchr(global, '+');
    uint64_t n = 0;
    for (const char *p = plus != NULL ? plus + 1 : ""; *p >= '0' && *p <= '9'; p++)
        n = n * 10 + (uint64_t)(*p - '0');
    return n;
}

/* "forks[2]" for an element of a global array, if its size is known for sure. */
static bool print_element(const char *global, const char *name, const rep_act *a,
                          td_text *out)
{
    size_t n = strlen(name);
    size_t base = strcspn(global, "+");
    uint64_t element = rep_act_on_mutex(a) ? sizeof(pthread_mutex_t) : a->size;
    if (n != base + 2 || strcmp(name + base, "[]") != 0 ||
        strncmp(name, global, base) != 0)
        return false;
    if (element == 0 || offset_in(global) % element != 0)
        return false;
    td_text_add(out, "%.*s[%" PRIu64 "]", (int)base, global, offset_in(global) / element);
    return true;
}

static const char *unnamed(uint64_t address)
{
    return plan_on_stack(address) ? "local" : "block";
}

/* True if the source's name is about the global object, not about a pointer to it:
 * "ring.tail" of "ring+64". A static variable of a function has more before or behind its
 * name. */
static bool names_global(const char *name, const char *global)
{
    size_t n = strcspn(name, ".[-"), m = strcspn(global, "+");
    if (n == m && strncmp(name, global, n) == 0)
        return true;
    return (m > n && strncmp(global, name, n) == 0 && global[n] == '.') ||
           (m > n && strncmp(global + m - n, name, n) == 0 && global[m - n - 1] == '.');
}

/* True if the name of the global continues the name in the source with a member or an element: a copy of all
 * of "b" accesses "b.first". Hidden members of library types do not count. */
static bool names_part(const char *name, const char *global)
{
    size_t n = strlen(name);
    return strncmp(global, name, n) == 0 && (global[n] == '.' || global[n] == '[') &&
           strstr(global + n, "._") == NULL && strchr(global + n, '+') == NULL;
}

/* Returns the name of an object that is not memory of the program; NULL for others. */
static const char *own_name(uint64_t object)
{
    static const char *const states[] = {
#define X(name, is_whole) "the process's " #name,
        WIRE_SYSTEM_STATES(X)
#undef X
    };
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        if (object == WIRE_OBJECT_STATE(i))
            return states[i];
    for (uint32_t i = 0; i < WIRE_MAX_REPAIRS; i++)
        if (object == WIRE_OBJECT_REPAIR(i))
            return "the new lock";
    if (WIRE_IS_FDS(object))
        return "a descriptor";
    switch (object) {
    case WIRE_OBJECT_ATOMIC:
        return "atomic section";
    case WIRE_OBJECT_SIGNALS:
        return "the signal actions";
    case WIRE_OBJECT_RANDOM:
        return "the random numbers";
    case WIRE_OBJECT_EXIT:
        return "process exit";
    case WIRE_OBJECT_HANDLERS:
        return "exit handlers";
    default:
        return NULL;
    }
}

/* Chooses the name of an act's object, before equal names are distinguished. A part that the C++ library
 * hides gets the name of the whole. */
static void choose_name(rep_labels *l, const rep_story *s, const rep_act *a, td_text *out,
                        bool *is_part)
{
    const trc_site at = rep_act_site(s, a), *site = &at;
    const char *global = l->names->object(l->names->ctx, a->object);
    const char *own = own_name(a->object);
    if (global[0] == '\0')
        global = rep_local_name(s, (uint32_t)(a - s->acts.at), a->object);
    bool is_library = s->paths.at[a->path].library != NULL;
    size_t users = is_library ? rep_users_name(global) : 0;
    if (users > 0 && global[users] != '\0') {
        td_text whole = {0};
        td_text_put(&whole, global, users);
        rep_put_clean(out, whole.at);
        td_text_fini(&whole);
        *is_part = true;
    } else if (own)
        td_text_add(out, "%s", own);
    else if (name_is_fixed(site->name) && !names_part(site->name, global) &&
             (global[0] == '\0' || names_global(site->name, global)))
        rep_put_clean(out, site->name);
    else if (global[0] != '\0' && print_element(global, site->name, a, out))
        return;
    else if (global[0] != '\0')
        rep_put_clean(out, global);
    else if (site->name[0] != '\0')
        rep_put_clean(out, site->name);
    else
        td_text_add(out, "%s", unnamed(a->object));
}

static bool has_object(const rep_act *a)
{
    return (rep_act_on_object(a) && !rep_act_on_handle(a)) || rep_act_on_futex(a) ||
           (a->kind == REP_WAITS && mdl_is_access(a->wants)) || rep_act_reads(a) ||
           rep_act_writes(a);
}

/* Objects of the same name are numbered in order of appearance. */
static void number_twins(rep_labels *l)
{
    rep_map last = {0}; /* hash of the name -> newest label of it */
    for (uint32_t i = 0; i < l->at.len; i++) {
        const char *text = l->at.at[i].text;
        if (l->at.at[i].is_part)
            continue;
        uint64_t key = td_id_hash(text, strlen(text)).lo;
        uint32_t before = rep_map_get(&last, key);
        if (before != REP_NONE) {
            if (l->at.at[before].twin == 0)
                l->at.at[before].twin = 1;
            l->at.at[i].twin = l->at.at[before].twin + 1;
        }
        rep_map_put(&last, key, i);
    }
    rep_map_fini(&last);
}

/* The write of a pthread_t follows its creation, at the same site. */
static void learn_handles(rep_labels *l, const rep_story *s)
{
    for (size_t i = 0; i + 1 < s->acts.len; i++) {
        const rep_act *a = &s->acts.at[i], *b = &s->acts.at[i + 1];
        if (mdl_creates(a->kind) && b->kind == WIRE_NOTE_WRITE && a->site == b->site &&
            b->size == sizeof(pthread_t) && b->value >= SMALL_NUMBER &&
            a->value < s->run->threads.len)
            rep_map_put(&l->handles, b->value, (uint32_t)a->value);
    }
}

/* A member, where all of the object was named: a call of memset comes before its first access. */
static bool is_member_of(const trc_site *site, const char *known)
{
    return known[0] == '*' && site->kind != WIRE_SITE_CALL &&
           strstr(site->name, "->") != NULL;
}

/* The known name is one of the C++ library, and the program has another. */
static bool is_program_name(const rep_story *s, const rep_act *a, const char *name,
                            const char *known)
{
    return rep_is_inner_name(known) && name[0] != '\0' && !rep_is_inner_name(name) &&
           s->paths.at[a->path].library == NULL;
}

/* The first name of an object stays, unless a later one is of the object itself. */
static void add_label(rep_labels *l, const rep_story *s, const rep_act *a)
{
    uint32_t known = rep_map_get(&l->by_object, a->object);
    trc_site site = rep_act_site(s, a);
    bool better = known != REP_NONE &&
                  ((name_is_fixed(site.name) && !name_is_fixed(l->at.at[known].text)) ||
                   is_member_of(&site, l->at.at[known].text) ||
                   is_program_name(s, a, site.name, l->at.at[known].text));
    if (!has_object(a) || (known != REP_NONE && !better))
        return;
    td_text name = {0};
    bool is_part = false;
    choose_name(l, s, a, &name, &is_part);
    rep_label label = {a->object, td_strdup(name.at), 0, is_part};
    td_text_fini(&name);
    if (better) {
        td_free(l->at.at[known].text);
        l->at.at[known] = label;
        return;
    }
    rep_map_put(&l->by_object, a->object, (uint32_t)l->at.len);
    rep_label_vec_push(&l->at, label);
    TD_ASSERT(l->by_object.len == l->at.len);
}

static void learn_functions(rep_labels *l)
{
    for (size_t i = 0; i < l->run->threads.len; i++) {
        uint64_t start = l->run->threads.at[i].start;
        const char *name =
            i == 0 ? "main" : l->names->function(l->names->ctx, start).function;
        rep_name_vec_push(&l->functions, name);
    }
}

void rep_labels_init(rep_labels *l, const rep_story *s)
{
    *l = (rep_labels){.names = s->names, .run = s->run, .args = s->f->args};
    learn_handles(l, s);
    learn_functions(l);
    bool race = s->race[1] != REP_NONE;
    if (race) /* named as in the message, even if others have that name */
        add_label(l, s, &s->acts.at[s->race[1]]);
    for (size_t i = 0; i < s->acts.len; i++)
        add_label(l, s, &s->acts.at[i]);
    number_twins(l);
    TD_ASSERT(!race || l->at.len > 0); /* an access has an object */
    if (race)
        l->at.at[0].twin = 0;
}

void rep_labels_fini(rep_labels *l)
{
    for (size_t i = 0; i < l->at.len; i++)
        td_free(l->at.at[i].text);
    rep_label_vec_fini(&l->at);
    rep_map_fini(&l->by_object);
    rep_u64_vec_fini(&l->pointers);
    rep_map_fini(&l->handles);
    rep_name_vec_fini(&l->functions);
}

void rep_print_object(rep_labels *l, uint64_t object, td_text *out)
{
    uint32_t i = rep_map_get(&l->by_object, object);
    if (i == REP_NONE) {
        const char *global = l->names->object(l->names->ctx, object);
        rep_put_clean(out, global[0] != '\0' ? global : unnamed(object));
        return;
    }
    td_text_add(out, "%s", l->at.at[i].text);
    if (l->at.at[i].twin > 0) {
        td_text_add(out, "@%u", l->at.at[i].twin);
        l->twins = true;
    }
}

/* ---- values ---- */

static int64_t sign_extend(uint64_t value, unsigned size)
{
    TD_ASSERT(size >= 1 && size <= 8);
    unsigned shift = 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

static uint64_t zero_extend(uint64_t value, unsigned size)
{
    TD_ASSERT(size >= 1 && size <= 8);
    return size < 8 ? value & ((UINT64_C(1) << 8 * size) - 1) : value;
}

/* "&queue", not "&queue.lock", which begins at the same address. */
static void print_address(rep_labels *l, uint64_t value, const char *global, td_text *out)
{
    td_text name = {0};
    trc_part part = {0};
    td_text_add(&name, "%s", global); /* before the next lookup */
    if (l->names->part != NULL)
        l->names->part(l->names->ctx, value, &part);
    if (part.whole > 0 && part.whole < name.len)
        name.at[part.whole] = '\0';
    td_text_add(out, "&");
    rep_put_clean(out, name.at);
    td_text_fini(&name);
}

static void print_pointer(rep_labels *l, uint64_t value, td_text *out)
{
    const char *global =
        value >= SMALL_NUMBER ? l->names->object(l->names->ctx, value) : "";
    if (value == 0) {
        td_text_add(out, "NULL");
    } else if (value < SMALL_NUMBER) {
        td_text_add(out, "%" PRIu64, value);
    } else if (global[0] != '\0') {
        print_address(l, value, global, out);
    } else {
        size_t i = 0;
        while (i < l->pointers.len && l->pointers.at[i] != value)
            i++;
        if (i == l->pointers.len)
            rep_u64_vec_push(&l->pointers, value);
        td_text_add(out, "P%zu", i + 1);
    }
}

static void print_float(unsigned size, uint64_t value, td_text *out)
{
    float f;
    double d;
    uint32_t low = (uint32_t)value;
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &value, sizeof d);
    td_text_add(out, "%g", size == 4 ? (double)f : d);
}

static void print_char(uint64_t value, td_text *out)
{
    unsigned char c = (unsigned char)value;
    if (c >= 0x20 && c < 0x7f)
        td_text_add(out, "'%c'", c);
    else
        td_text_add(out, "%d", (signed char)c);
}

/* Heap and stacks, or the program and its libraries. */
static bool looks_like_address(uint64_t value)
{
    return (value >= PLAN_SLOTS && value < PLAN_STATE) ||
           (value >= 0x55 * PLAN_UNIT && value < 0x80 * PLAN_UNIT);
}

/* Without a type: small negative numbers are numbers, too. */
static void print_untyped(rep_labels *l, unsigned size, uint64_t value, td_text *out)
{
    int64_t as_signed = sign_extend(value, size);
    if (size == 8 && looks_like_address(value))
        print_pointer(l, value, out);
    else if (as_signed < 0 && as_signed > -SMALL_NUMBER && size >= 4)
        td_text_add(out, "%" PRId64, as_signed);
    else
        td_text_add(out, "%" PRIu64, zero_extend(value, size));
}

void rep_print_value(rep_labels *l, const trc_site *site, unsigned size, uint64_t value,
                     td_text *out)
{
    if (size == 0 || size > 8) {
        td_text_add(out, "(%u bytes)", size);
        return;
    }
    uint32_t thread =
        size == sizeof(pthread_t) ? rep_map_get(&l->handles, value) : REP_NONE;
    if (thread != REP_NONE) {
        rep_print_thread(thread, out);
        return;
    }
    switch (site->type) {
    case WIRE_TYPE_SIGNED:
        td_text_add(out, "%" PRId64, sign_extend(value, size));
        break;
    case WIRE_TYPE_UNSIGNED:
        td_text_add(out, "%" PRIu64, zero_extend(value, size));
        break;
    case WIRE_TYPE_POINTER:
        print_pointer(l, zero_extend(value, size), out);
        break;
    case WIRE_TYPE_FLOAT:
        print_float(size, value, out);
        break;
    case WIRE_TYPE_BOOL:
        td_text_add(out, "%s", zero_extend(value, size) ? "true" : "false");
        break;
    case WIRE_TYPE_CHAR:
        print_char(value, out);
        break;
    default:
        print_untyped(l, size, value, out);
    }
}

/* ---- several members at once ---- */

#define MAX_PARTS 8u

/* Members that an access covers. */
typedef struct parts {
    trc_part at[MAX_PARTS]; /* offset: where in the access it begins */
    size_t n;               /* below 2: it is one value */
} parts;

/* An access that does not begin with a member, or ends inside of one, is one value. */
static parts parts_of(const rep_labels *l, const rep_act *a)
{
    parts p = {0};
    trc_part here;
    uint32_t at = 0;
    bool is_memory = rep_act_reads(a) || rep_act_writes(a);
    if (!is_memory || a->size > 8 || l->names->part == NULL)
        return p;
    while (at < a->size && l->names->part(l->names->ctx, a->object + at, &here)) {
        bool is_padding = here.offset >= here.size;
        if (!is_padding && (here.offset != 0 || at + here.size > a->size))
            return (parts){0};
        if (is_padding && p.n == 0)
            return p;
        if (!is_padding)
            p.at[p.n++] = (trc_part){.size = here.size, .offset = at, .type = here.type};
        at += is_padding ? 1 : here.size;
    }
    return at < a->size ? (parts){0} : p;
}

void rep_print_act_value(rep_labels *l, const trc_site *site, const rep_act *a,
                         uint64_t value, td_text *out)
{
    parts p = parts_of(l, a);
    if (p.n == 0 || (p.n == 1 && site->type != WIRE_TYPE_UNKNOWN)) {
        rep_print_value(l, site, a->size, value, out);
        return;
    }
    for (size_t i = 0; i < p.n; i++) {
        trc_site typed = {.type = p.at[i].type};
        td_text_add(out, "%s", i > 0 ? ", " : "");
        rep_print_value(l, &typed, p.at[i].size, value >> 8 * p.at[i].offset, out);
    }
}

/* Returns the length of the common prefix of two names, up to a member or an element. */
static size_t common_length(const char *a, const char *b)
{
    size_t n = 0, end = 0;
    for (; a[n] != '\0' && a[n] == b[n]; n++)
        if (a[n] == '.' || a[n] == '[')
            end = n;
    return end;
}

void rep_print_act_object(rep_labels *l, const rep_act *a, td_text *out)
{
    parts p = parts_of(l, a);
    rep_print_object(l, a->object, out);
    if (p.n < 2)
        return;
    char *first = td_strdup(l->names->object(l->names->ctx, a->object));
    for (size_t i = 1; i < p.n; i++) {
        const char *name = l->names->object(l->names->ctx, a->object + p.at[i].offset);
        td_text_add(out, ", ");
        rep_put_clean(out, name + common_length(first, name));
    }
    td_free(first);
}

/* ---- threads and places ---- */

void rep_print_thread(uint32_t thread, td_text *out)
{
    if (thread == 0)
        td_text_add(out, "main");
    else
        td_text_add(out, "T%u", thread);
}

const char *rep_thread_function(const rep_labels *l, uint32_t thread)
{
    return thread < l->functions.len ? l->functions.at[thread] : "?";
}

/* Several threads with this start routine get small numbers as arguments. */
static bool args_are_numbers(const rep_labels *l, uint32_t thread)
{
    const trc_thread_vec *threads = &l->run->threads;
    bool some = false;
    for (size_t i = 1; i < threads->len; i++) {
        if (threads->at[i].start != threads->at[thread].start)
            continue;
        if (threads->at[i].arg >= SMALL_NUMBER)
            return false;
        some = some || threads->at[i].arg != 0;
    }
    return some;
}

/* The argument of the program with an index in argv; NULL: it is not known. */
static const char *word_at(const rep_labels *l, uint32_t index)
{
    uint32_t i = 1;
    while (l->args != NULL && index > 0 && l->args[i - 1] != NULL && i < index)
        i++;
    return l->args != NULL && index > 0 ? l->args[i - 1] : NULL;
}

static void print_arg(rep_labels *l, uint32_t thread, td_text *out)
{
    TD_ASSERT(thread < l->run->threads.len);
    uint64_t arg = l->run->threads.at[thread].arg;
    const char *word = word_at(l, l->run->threads.at[thread].word);
    if (word != NULL) {
        td_text_add(out, "(\"");
        rep_put_cut(out, word, MAX_WORD, REP_CUT_RIGHT);
        td_text_add(out, "\")");
        return;
    }
    if (args_are_numbers(l, thread)) {
        td_text_add(out, "(%" PRIu64 ")", arg);
        return;
    }
    const char *global = arg >= SMALL_NUMBER ? l->names->object(l->names->ctx, arg) : "";
    if (global[0] != '\0') {
        td_text_add(out, "(");
        print_address(l, arg, global, out);
        td_text_add(out, ")");
    }
}

void rep_print_thread_long(rep_labels *l, uint32_t thread, td_text *out)
{
    const char *function = rep_thread_function(l, thread);
    rep_print_thread(thread, out);
    if (thread == 0 || strcmp(function, "?") == 0)
        return;
    td_text_add(out, " ");
    rep_put_clean(out, function);
    print_arg(l, thread, out);
}

const char *rep_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

void rep_print_place(const trc_site *site, td_text *out)
{
    rep_put_clean(out, rep_base_name(site->file));
    td_text_add(out, ":%u", site->line);
}
