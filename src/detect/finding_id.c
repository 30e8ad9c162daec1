/* SPDX-License-Identifier: Apache-2.0 */
/* What findings of all kinds share: names of kinds, places and the ids made of them, the end of a finding. */
#include <stdlib.h>

#include "base/assert.h"
#include "base/id.h"
#include "detect/detect_int.h"

static const struct {
    const char *id, *title, *of_library;
} kinds[DET_N_KINDS] = {
#define X(name, id, title) [DET_##name] = {id, title, title " in the C++ library"},
    DET_KINDS(X)
#undef X
};

const char *det_kind_id(det_kind kind)
{
    TD_ASSERT(kind < DET_N_KINDS);
    return kinds[kind].id;
}

const char *det_kind_title(det_kind kind)
{
    TD_ASSERT(kind < DET_N_KINDS);
    return kinds[kind].title;
}

const char *det_finding_title(const det_finding *f)
{
    const char *message = f->message ? f->message : "";
    if (f->library)
        return kinds[f->kind].of_library;
    bool is_race = f->kind == DET_RACE, is_memory = f->kind == DET_MEMORY;
    if (is_race && strncmp(message, DET_USE_AFTER, strlen(DET_USE_AFTER)) == 0)
        return "use after free";
    if (is_memory && f->freed.file != NULL && strstr(message, DET_IN_FREED))
        return "use after free";
    if (is_memory && f->freed.file != NULL && strstr(message, DET_FREED_AGAIN))
        return "double free";
    return det_kind_title(f->kind);
}

void det_thread_put(td_text *out, uint32_t thread)
{
    if (thread == 0)
        td_text_add(out, "main");
    else
        td_text_add(out, "T%u", thread);
}

/* ---- places ---- */

int det_place_compare(const void *a, const void *b)
{
    const det_place *x = a, *y = b;
    int order = strcmp(det_basename(x->file), det_basename(y->file));
    if (order != 0)
        return order;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return strcmp(x->function, y->function);
}

/* "race-0b4e" */
static void name_of(det_kind kind, det_place *places, size_t n, char out[32])
{
    qsort(places, n, sizeof *places, det_place_compare);
    td_text signature = {0};
    td_text_add(&signature, "%s", det_kind_id(kind));
    for (size_t i = 0; i < n; i++)
        if (i == 0 || det_place_compare(&places[i - 1], &places[i]) != 0)
            td_text_add(&signature, "|%s:%u:%s", det_basename(places[i].file),
                        places[i].line, places[i].function);
    td_id hash = td_id_hash(signature.at, signature.len);
    td_text_fini(&signature);
    snprintf(out, 32, "%s-%04x", det_kind_id(kind), (unsigned)(hash.lo & 0xffff));
}

void det_finding_place(det_finding *f, det_kind kind, det_place at, det_place *places,
                       size_t n)
{
    TD_ASSERT(n > 0);
    TD_ASSERT(kind != DET_N_KINDS && !f->file); /* else the place before is lost */
    f->kind = kind;
    name_of(kind, places, n, f->key);
    memcpy(f->id, f->key, sizeof f->id);
    f->file = td_strdup(at.file);
    f->function = td_strdup(at.function);
    f->line = at.line;
}

static void set_user(det_party *out, const det_place *p, uint32_t thread)
{
    *out = (det_party){.file = td_strdup(p->file),
                       .function = td_strdup(p->function),
                       .line = p->line,
                       .thread = thread};
}

/* One weakness of the library is one finding, wherever the program meets it: the class without its arguments, and the
 * function. The library's own classes, such as __atomic_base, are those of one version. */
static void name_of_library(det_finding *f)
{
    td_text name = {0};
    size_t part = 0, depth = 0;
    td_text_put(&name, "", 0);
    for (const char *c = f->library; *c; c++) {
        depth += *c == '<';
        if (depth == 0)
            td_text_put(&name, c, 1);
        depth -= *c == '>' && depth > 0;
        bool is_end = depth == 0 && c[0] == ':' && c > f->library && c[-1] == ':';
        if (is_end && strncmp(name.at + part, "__", 2) == 0)
            name.len = part;
        part = is_end ? name.len : part;
    }
    td_text_put(&name, "", 1);
    det_place place = {"", name.at, 0};
    name_of(f->kind, &place, 1, f->id);
    td_text_fini(&name);
}

void det_finding_name(det_finding *f, const trc *t, const trc_sites *sites,
                      const det_spot *spots, size_t n)
{
    det_place_vec places = {0};
    TD_ASSERT(n > 0 && f->key[0] && !f->is_named);
    if (t->stacks.len <= 1)
        return;
    f->is_named = true;
    if (det_is_of_library(t, sites)) {
        f->library = det_library_function(t, sites, &spots[0]);
        name_of_library(f);
    }
    for (size_t i = 0; i < n; i++) {
        det_place p = det_users_place(t, sites, &spots[i]);
        if (det_is_library(spots[i].place.file)) {
            if (i < 2)
                set_user(i == 0 ? &f->user : &f->other_user, &p, spots[i].thread);
            if (p.line > 0) /* compilers write arguments of templates differently */
                p.function = "";
        }
        det_place_vec_push(&places, p);
    }
    if (!f->library)
        name_of(f->kind, places.at, places.len, f->id);
    det_place_vec_fini(&places);
}

void det_findings_fini(det_finding_vec *v)
{
    for (size_t i = 0; i < v->len; i++)
        det_finding_fini(&v->at[i]);
    det_finding_vec_fini(v);
}

void det_finding_fini(det_finding *f)
{
    td_free(f->file);
    td_free(f->function);
    td_free(f->message);
    td_free(f->other_file);
    td_free(f->other_function);
    for (uint32_t i = 0; i < f->n_calls; i++)
        td_free(f->calls[i].text);
    td_free(f->calls);
    td_free(f->why);
    td_free(f->last_output);
    det_sides_free(f->sides);
    td_free(f->allocated.file);
    td_free(f->allocated.function);
    td_free(f->freed.file);
    td_free(f->freed.function);
    td_free(f->library);
    td_free(f->user.file);
    td_free(f->user.function);
    td_free(f->other_user.file);
    td_free(f->other_user.function);
    *f = (det_finding){0};
}
