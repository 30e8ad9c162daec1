/* SPDX-License-Identifier: Apache-2.0 */
/* A page from JSON. Every field must be there, with its type; every index is
 * checked before it is used. */
#include <json-c/json.h>
#include <string.h>

#include "base/assert.h"
#include "report/formats/json_read.h"
#include "report/page.h"

#define MAX_DEPTH 8 /* nesting of the JSON text */

typedef struct reader {
    td_diag *diag;
    td_status status; /* status of the first invalid field */
} reader;

static void wrong(reader *r, const char *name, const char *what)
{
    if (r->status == TD_OK)
        r->status = td_diag_set(r->diag, TD_E_FORMAT, "the page of a finding: '%s' %s",
                                name, what);
}

/* ---- fields ---- */

static json_object *field(reader *r, json_object *o, const char *name, json_type type)
{
    json_object *value = NULL;
    if (!json_object_object_get_ex(o, name, &value))
        wrong(r, name, "is missing");
    else if (!json_object_is_type(value, type))
        wrong(r, name, "is of the wrong type");
    else
        return value;
    return NULL;
}

/* A copy; zero bytes would end it early, so they are refused. */
static char *text_of(reader *r, json_object *value, const char *name)
{
    const char *text = value != NULL ? json_object_get_string(value) : "";
    if (value != NULL && strlen(text) != (size_t)json_object_get_string_len(value))
        wrong(r, name, "has a zero byte");
    return td_strdup(text);
}

static char *read_text(reader *r, json_object *o, const char *name)
{
    return text_of(r, field(r, o, name, json_type_string), name);
}

/* A field that pages of older sessions lack. */
static bool has_field(json_object *o, const char *name)
{
    return json_object_object_get_ex(o, name, NULL);
}

static uint32_t read_count(reader *r, json_object *o, const char *name)
{
    json_object *value = field(r, o, name, json_type_int);
    int64_t n = value != NULL ? json_object_get_int64(value) : 0;
    if (n < 0 || n > INT32_MAX)
        wrong(r, name, "is out of range");
    return (uint32_t)n;
}

/* An index below end, or -1 for none. */
static uint32_t read_index(reader *r, json_object *o, const char *name, size_t end)
{
    json_object *value = field(r, o, name, json_type_int);
    int64_t n = value != NULL ? json_object_get_int64(value) : -1;
    if (n < -1 || (n >= 0 && (uint64_t)n >= end))
        wrong(r, name, "is out of range");
    return n < 0 ? REP_PAGE_NONE : (uint32_t)n;
}

static bool read_bool(reader *r, json_object *o, const char *name)
{
    json_object *value = field(r, o, name, json_type_boolean);
    return value != NULL && json_object_get_boolean(value);
}

static rep_page_place read_place(reader *r, json_object *o, const char *name)
{
    json_object *at = field(r, o, name, json_type_object);
    return (rep_page_place){.file = read_text(r, at, "file"),
                            .function = read_text(r, at, "function"),
                            .line = read_count(r, at, "line")};
}

/* An array; *n is 0 if it is missing. */
static json_object *array_of(reader *r, json_object *o, const char *name, size_t *n)
{
    json_object *array = field(r, o, name, json_type_array);
    *n = array != NULL ? json_object_array_length(array) : 0;
    return array;
}

/* Returns an item of an array; one of the wrong type is reported and read as empty. */
static json_object *item_of(reader *r, json_object *array, size_t i, const char *name,
                            json_type type)
{
    json_object *item = json_object_array_get_idx(array, i);
    if (json_object_is_type(item, type))
        return item;
    wrong(r, name, "has an item of the wrong type");
    return NULL;
}

static void read_texts(reader *r, json_object *o, const char *name,
                       rep_page_text_vec *out)
{
    size_t n;
    json_object *array = array_of(r, o, name, &n);
    for (size_t i = 0; i < n; i++)
        rep_page_text_vec_push(
            out, text_of(r, item_of(r, array, i, name, json_type_string), name));
}

/* ---- parts ---- */

static void read_about(reader *r, json_object *o, rep_page *p)
{
    char *format = read_text(r, o, "format");
    if (strcmp(format, "treadle-page") != 0)
        wrong(r, "format", "is not treadle-page");
    td_free(format);
    if (read_count(r, o, "format_version") != 1)
        wrong(r, "format_version", "is not 1");
    p->id = read_text(r, o, "id");
    p->kind = read_text(r, o, "kind");
    p->title = read_text(r, o, "title");
    p->message = read_text(r, o, "message");
    p->values = read_text(r, o, "values");
    p->at = read_place(r, o, "at");
    p->program = read_text(r, o, "program");
    read_texts(r, o, "args", &p->args);
    p->version = read_text(r, o, "version");
    p->recording = read_text(r, o, "recording");
    p->schedule = read_text(r, o, "schedule");
    p->condition = read_text(r, o, "condition");
    p->preemptions = read_count(r, o, "preemptions");
    p->n_left_out = read_count(r, o, "left_out");
    read_texts(r, o, "why", &p->why);
    p->hidden = read_text(r, o, "hidden");
    bool has_output = has_field(o, "output");
    p->output = has_output ? read_text(r, o, "output") : td_strdup("");
    p->output_of = has_output ? read_text(r, o, "output_of") : td_strdup("");
    p->text = read_text(r, o, "text");
}

static void read_inputs(reader *r, json_object *o, rep_page *p)
{
    size_t n;
    json_object *array = array_of(r, o, "inputs", &n);
    for (size_t i = 0; i < n; i++) {
        json_object *in = item_of(r, array, i, "inputs", json_type_object);
        rep_page_input_vec_push(&p->inputs,
                                (rep_page_input){.name = read_text(r, in, "name"),
                                                 .value = read_text(r, in, "value"),
                                                 .type = read_text(r, in, "type"),
                                                 .matters = read_bool(r, in, "matters")});
    }
}

static void read_threads(reader *r, json_object *o, rep_page *p)
{
    size_t n;
    json_object *array = array_of(r, o, "threads", &n);
    for (size_t i = 0; i < n; i++) {
        json_object *t = item_of(r, array, i, "threads", json_type_object);
        rep_page_thread_vec_push(
            &p->threads, (rep_page_thread){.name = read_text(r, t, "name"),
                                           .function = read_text(r, t, "function"),
                                           .title = read_text(r, t, "title"),
                                           .created = read_place(r, t, "created"),
                                           .matters = read_bool(r, t, "matters")});
    }
}

/* The thread of a step or a party is always known. */
static uint32_t read_thread(reader *r, json_object *o, const rep_page *p)
{
    uint32_t thread = read_index(r, o, "thread", p->threads.len);
    if (thread == REP_PAGE_NONE)
        wrong(r, "thread", "is out of range");
    return thread;
}

static void read_acts(reader *r, json_object *step, rep_page *p)
{
    size_t n;
    json_object *array = array_of(r, step, "acts", &n);
    for (size_t i = 0; i < n; i++) {
        json_object *a = item_of(r, array, i, "acts", json_type_object);
        size_t here = p->acts.len;
        rep_page_act_vec_push(&p->acts,
                              (rep_page_act){.kind = read_text(r, a, "kind"),
                                             .text = read_text(r, a, "text"),
                                             .object = read_text(r, a, "object"),
                                             .value = read_text(r, a, "value"),
                                             .old = read_text(r, a, "old"),
                                             .step = (uint32_t)p->steps.len,
                                             .from = read_index(r, a, "from", here),
                                             .after = read_index(r, a, "after", here),
                                             .shown = read_bool(r, a, "shown"),
                                             .is_choice = read_bool(r, a, "choice"),
                                             .fails = read_bool(r, a, "fails")});
    }
}

static void read_steps(reader *r, json_object *o, rep_page *p)
{
    size_t n;
    json_object *array = array_of(r, o, "steps", &n);
    for (size_t i = 0; i < n; i++) {
        json_object *s = item_of(r, array, i, "steps", json_type_object);
        rep_page_step step = {.thread = read_thread(r, s, p),
                              .number = read_count(r, s, "number"),
                              .at = read_place(r, s, "at"),
                              .source = read_text(r, s, "source"),
                              .calls = has_field(s, "calls") ? read_text(r, s, "calls")
                                                             : td_strdup(""),
                              .stop = read_text(r, s, "stop"),
                              .first_act = (uint32_t)p->acts.len,
                              .fails = read_bool(r, s, "fails")};
        read_acts(r, s, p);
        step.n_acts = (uint32_t)p->acts.len - step.first_act;
        rep_page_step_vec_push(&p->steps, step);
    }
}

static void read_parties(reader *r, json_object *o, rep_page *p)
{
    size_t n;
    json_object *array = array_of(r, o, "parties", &n);
    for (size_t i = 0; i < n; i++) {
        json_object *y = item_of(r, array, i, "parties", json_type_object);
        rep_page_party_vec_push(&p->parties,
                                (rep_page_party){.role = read_text(r, y, "role"),
                                                 .thread = read_thread(r, y, p),
                                                 .at = read_place(r, y, "at"),
                                                 .text = read_text(r, y, "text")});
    }
}

static void read_waits(reader *r, json_object *o, rep_page *p)
{
    size_t n = 0;
    json_object *array = has_field(o, "waits") ? array_of(r, o, "waits", &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        json_object *e = item_of(r, array, i, "waits", json_type_object);
        rep_page_edge_vec_push(
            &p->waits, (rep_page_edge){.role = read_text(r, e, "role"),
                                       .thread = read_thread(r, e, p),
                                       .other = read_index(r, e, "other", p->threads.len),
                                       .object = read_text(r, e, "object"),
                                       .how = read_text(r, e, "how"),
                                       .at = read_place(r, e, "at")});
    }
}

static void read_sources(reader *r, json_object *o, rep_page *p)
{
    size_t n;
    json_object *array = array_of(r, o, "sources", &n);
    for (size_t i = 0; i < n; i++) {
        json_object *s = item_of(r, array, i, "sources", json_type_object);
        rep_page_source_vec_push(&p->sources,
                                 (rep_page_source){.file = read_text(r, s, "file"),
                                                   .first = read_count(r, s, "first"),
                                                   .text = read_text(r, s, "text")});
    }
}

/* ---- all of it ---- */

td_status rep_page_parse(const char *text, size_t len, rep_page *out, td_diag *diag)
{
    reader r = {.diag = diag, .status = TD_OK};
    *out = (rep_page){0};
    json_object *o = rep_json_read(text, len, MAX_DEPTH);
    if (!json_object_is_type(o, json_type_object)) {
        json_object_put(o);
        return td_diag_set(diag, TD_E_FORMAT,
                           "the page of a finding is not a JSON object");
    }
    read_about(&r, o, out);
    read_inputs(&r, o, out);
    read_threads(&r, o, out);
    read_steps(&r, o, out);
    read_parties(&r, o, out);
    read_waits(&r, o, out);
    read_sources(&r, o, out);
    if (r.status == TD_OK)
        r.status = rep_fix_read(o, &out->fix, diag);
    json_object_put(o);
    if (r.status != TD_OK)
        rep_page_fini(out);
    else
        TD_AUDIT(rep_page_valid(out, NULL, 0));
    return r.status;
}
