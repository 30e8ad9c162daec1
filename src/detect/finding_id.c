/* SPDX-License-Identifier: Apache-2.0 */
/* What findings of all kinds share: names of kinds, places and the ids made of them, the end of a finding. */
#include <stdlib.h>

#include "base/assert.h"
#include "base/id.h"
#include "detect/detect_int.h"

static const struct {
    const char *id, *title;
} kinds[DET_N_KINDS] = {
#define X(name, id, title) [DET_##name] = {id, title},
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

const char *det_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

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

void det_finding_place(det_finding *f, det_kind kind, det_place at, det_place *places,
                       size_t n)
{
    TD_ASSERT(n > 0);
    qsort(places, n, sizeof *places, det_place_compare);
    td_text signature = {0};
    td_text_add(&signature, "%s", det_kind_id(kind));
    for (size_t i = 0; i < n; i++)
        if (i == 0 || det_place_compare(&places[i - 1], &places[i]) != 0)
            td_text_add(&signature, "|%s:%u:%s", det_basename(places[i].file),
                        places[i].line, places[i].function);
    td_id hash = td_id_hash(signature.at, signature.len);
    td_text_fini(&signature);

    TD_ASSERT(kind != DET_N_KINDS && !f->file); /* else the place before is lost */
    f->kind = kind;
    snprintf(f->id, sizeof f->id, "%s-%04x", det_kind_id(kind),
             (unsigned)(hash.lo & 0xffff));
    f->file = td_strdup(at.file);
    f->function = td_strdup(at.function);
    f->line = at.line;
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
    det_sides_free(f->sides);
    td_free(f->allocated.file);
    td_free(f->allocated.function);
    td_free(f->freed.file);
    td_free(f->freed.function);
    *f = (det_finding){0};
}
