/* SPDX-License-Identifier: Apache-2.0 */
/* The section FIX as JSON. */
#include <json-c/json.h>
#include <string.h>

#include "report/fix.h"
#include "report/formats/json_read.h"
#include "report/formats/json_text.h"

#define MAX_DEPTH 8
#define MOST_PLACES 64u

void rep_fix_place_print(rep_json *j, const rep_fix_place *at)
{
    rep_json_open(j, NULL, '{');
    rep_json_text(j, "file", at->file);
    rep_json_count(j, "from", at->from);
    rep_json_count(j, "to", at->to);
    rep_json_text(j, "function", at->function);
    rep_json_close(j, '}');
}

void rep_fix_print(rep_json *j, const char *name, const rep_fix *f)
{
    if (!f->command)
        return;
    rep_json_open(j, name, '{');
    rep_json_bool(j, "is_found", f->is_found);
    rep_json_bool(j, "is_cut", f->is_cut);
    rep_json_count(j, "tried", f->n_tried);
    rep_json_text(j, "kind", f->kind);
    rep_json_text(j, "text", f->change);
    rep_json_text(j, "excerpt", f->excerpt);
    rep_json_text(j, "note", f->note);
    rep_json_text(j, "explored", f->explored);
    rep_json_bool(j, "restricts", f->restricts);
    rep_json_open(j, "places", '[');
    for (size_t i = 0; i < f->places.len; i++)
        rep_fix_place_print(j, &f->places.at[i]);
    rep_json_close(j, ']');
    rep_json_count(j, "runs", f->runs);
    rep_json_count(j, "traces", f->traces);
    rep_json_count(j, "outcomes", f->n_outcomes);
    rep_json_count(j, "outcomes_kept", f->n_kept);
    rep_json_text(j, "command", f->command);
    rep_json_text(j, "same_as", f->same_as);
    rep_json_close(j, '}');
}

/* ---- reading ---- */

typedef struct reader {
    td_diag *diag;
    td_status status;
} reader;

static json_object *field(reader *r, json_object *o, const char *name, json_type type)
{
    json_object *value = NULL;
    if (json_object_object_get_ex(o, name, &value) && json_object_is_type(value, type))
        return value;
    if (r->status == TD_OK)
        r->status = td_diag_set(r->diag, TD_E_FORMAT,
                                "a fix: '%s' is missing, or of the wrong type", name);
    return NULL;
}

static char *text_of(reader *r, json_object *o, const char *name)
{
    json_object *value = field(r, o, name, json_type_string);
    return td_strdup(value ? json_object_get_string(value) : "");
}

static uint64_t count_of(reader *r, json_object *o, const char *name)
{
    json_object *value = field(r, o, name, json_type_int);
    int64_t n = value ? json_object_get_int64(value) : 0;
    return n > 0 ? (uint64_t)n : 0;
}

static uint32_t small_of(reader *r, json_object *o, const char *name)
{
    uint64_t n = count_of(r, o, name);
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static bool bool_of(reader *r, json_object *o, const char *name)
{
    json_object *value = field(r, o, name, json_type_boolean);
    return value && json_object_get_boolean(value);
}

static void read_places(reader *r, json_object *o, rep_fix *out)
{
    json_object *all = field(r, o, "places", json_type_array);
    size_t n = all ? json_object_array_length(all) : 0;
    for (size_t i = 0; i < n && i < MOST_PLACES && r->status == TD_OK; i++) {
        json_object *at = json_object_array_get_idx(all, i);
        rep_fix_place_vec_push(&out->places,
                               (rep_fix_place){.file = text_of(r, at, "file"),
                                               .function = text_of(r, at, "function"),
                                               .from = small_of(r, at, "from"),
                                               .to = small_of(r, at, "to")});
    }
}

td_status rep_fix_read(json_object *o, rep_fix *out, td_diag *diag)
{
    reader r = {.diag = diag, .status = TD_OK};
    json_object *fix = NULL;
    *out = (rep_fix){0};
    if (!json_object_object_get_ex(o, "fix", &fix) || !fix)
        return TD_OK;
    *out = (rep_fix){.is_found = bool_of(&r, fix, "is_found"),
                     .is_cut = bool_of(&r, fix, "is_cut"),
                     .n_tried = small_of(&r, fix, "tried"),
                     .restricts = bool_of(&r, fix, "restricts"),
                     .kind = text_of(&r, fix, "kind"),
                     .change = text_of(&r, fix, "text"),
                     .excerpt = text_of(&r, fix, "excerpt"),
                     .note = text_of(&r, fix, "note"),
                     .explored = text_of(&r, fix, "explored"),
                     .command = text_of(&r, fix, "command"),
                     .same_as = text_of(&r, fix, "same_as"),
                     .runs = count_of(&r, fix, "runs"),
                     .traces = count_of(&r, fix, "traces"),
                     .n_outcomes = small_of(&r, fix, "outcomes"),
                     .n_kept = small_of(&r, fix, "outcomes_kept")};
    read_places(&r, fix, out);
    if (r.status != TD_OK)
        rep_fix_fini(out);
    return r.status;
}

td_status rep_fix_parse(const char *text, size_t len, rep_fix *out, td_diag *diag)
{
    *out = (rep_fix){0};
    json_object *o = rep_json_read(text, len, MAX_DEPTH);
    if (!json_object_is_type(o, json_type_object)) {
        json_object_put(o);
        return td_diag_set(diag, TD_E_FORMAT, "a fix is not a JSON object");
    }
    td_status status = rep_fix_read(o, out, diag);
    json_object_put(o);
    return status;
}
