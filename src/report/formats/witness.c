/* SPDX-License-Identifier: Apache-2.0 */
/* Violation witness of SV-COMP: YAML, format 2.2, which has thread_id. A segment per step that the
 * text report shows, in the order of the run; at the end the target, or, of a data race, both
 * accesses in one segment. Strings are in double quotes, where YAML reads what JSON does. */
#include "report/formats/formats.h"
#include "base/assert.h"
#include "report/formats/json_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

bool rep_witness_has(const char *kind)
{
    return strcmp(kind, "assert") == 0 || strcmp(kind, "abort") == 0 ||
           strcmp(kind, "race") == 0;
}

static bool is_race(const rep_page *p)
{
    return strcmp(p->kind, "race") == 0;
}

/* ---- files ---- */

static bool has_place(const rep_page_place *at)
{
    return at->line > 0 && at->file[0] != '\0';
}

static void add_file(rep_input_file_vec *out, const rep_page_place *at)
{
    if (!has_place(at))
        return;
    for (size_t i = 0; i < out->len; i++)
        if (strcmp(out->at[i].path, at->file) == 0)
            return;
    rep_input_file_vec_push(out, (rep_input_file){.path = td_strdup(at->file)});
}

static bool is_shown(const rep_page_step *s)
{
    return s->number > 0 && has_place(&s->at);
}

void rep_witness_files(const rep_page *p, rep_input_file_vec *out)
{
    add_file(out, &p->at);
    for (size_t i = 0; i < p->parties.len; i++)
        add_file(out, &p->parties.at[i].at);
    for (size_t i = 0; i < p->steps.len; i++)
        if (is_shown(&p->steps.at[i]))
            add_file(out, &p->steps.at[i].at);
}

/* ---- what it is about ---- */

static void put_line(td_text *out, const char *before, const char *text)
{
    td_text_add(out, "%s", before);
    rep_json_put_string(out, text);
    td_text_add(out, "\n");
}

/* A name that depends on the finding and its session only (RFC 9562, version 8). */
static void put_uuid(const rep_past *past, const rep_page *p, td_text *out)
{
    const char *words[] = {p->id, p->program, p->schedule,
                           rep_past_fact(past, "started")};
    td_text all = {0};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        td_text_put(&all, words[i], strlen(words[i]) + 1);
    td_id id = td_id_hash(all.at, all.len);
    td_text_fini(&all);
    td_text_add(out, "    uuid: \"%08x-%04x-8%03x-%04x-%012" PRIx64 "\"\n",
                (unsigned)(id.lo >> 32), (unsigned)(id.lo >> 16 & 0xffff),
                (unsigned)(id.lo & 0xfff), (unsigned)(0x8000 | (id.hi >> 48 & 0x3fff)),
                id.hi & UINT64_C(0xffffffffffff));
}

static void put_task(const rep_past *past, const rep_page *p,
                     const rep_input_file_vec *files, td_text *out)
{
    td_text_add(out, "    task:\n      input_files:\n");
    for (size_t i = 0; i < files->len; i++)
        put_line(out, "        - ", rep_past_path(past, files->at[i].path));
    td_text_add(out, "      input_file_hashes:\n");
    for (size_t i = 0; i < files->len; i++) {
        td_text_add(out, "        ");
        rep_json_put_string(out, rep_past_path(past, files->at[i].path));
        td_text_add(out, ": \"%s\"\n", files->at[i].hash);
    }
    const char *given = rep_past_fact(past, "specification"),
               *model = rep_past_fact(past, "data_model");
    put_line(out, "      specification: ",
             given[0] != '\0' ? given
             : is_race(p)     ? "CHECK( init(main()), LTL(G ! data-race) )"
                              : "CHECK( init(main()), LTL(G ! call(reach_error())) )");
    put_line(out, "      data_model: ",
             model[0] != '\0'    ? model
             : sizeof(long) == 8 ? "LP64"
                                 : "ILP32");
    td_text_add(out, "      language: \"C\"\n");
}

static void put_metadata(const rep_past *past, const rep_page *p,
                         const rep_input_file_vec *files, td_text *out)
{
    const char *started = rep_past_fact(past, "started");
    td_text_add(out, "- entry_type: \"violation_sequence\"\n  metadata:\n"
                     "    format_version: \"2.2\"\n");
    put_uuid(past, p, out);
    put_line(out, "    creation_time: ",
             started[0] != '\0' ? started : "1970-01-01T00:00:00Z");
    td_text_add(out, "    producer:\n      name: \"treadle\"\n");
    put_line(out, "      version: ", p->version);
    put_task(past, p, files, out);
}

/* ---- the way ---- */

/* thread_id 0 is main, and others follow in the order in which they are created. */
static void put_waypoint(const rep_past *past, const char *type, uint32_t thread,
                         const rep_page_place *at, td_text *out)
{
    TD_ASSERT(at->file != NULL && at->function != NULL);
    td_text_add(out,
                "        - waypoint:\n            type: \"%s\"\n"
                "            action: \"follow\"\n            thread_id: %" PRIu32 "\n"
                "            location:\n",
                type, thread);
    put_line(out, "              file_name: ", rep_past_path(past, at->file));
    td_text_add(out, "              line: %" PRIu32 "\n", at->line);
    if (at->function[0] != '\0')
        put_line(out, "              function: ", at->function);
}

static bool is_variable(const char *text)
{
    if (!isalpha((unsigned char)text[0]) && text[0] != '_')
        return false;
    for (; *text != '\0'; text++)
        if (!isalnum((unsigned char)*text) && *text != '_')
            return false;
    return true;
}

static bool is_integer(const char *text)
{
    text += text[0] == '-';
    if (text[0] == '\0')
        return false;
    for (; *text != '\0'; text++)
        if (!isdigit((unsigned char)*text))
            return false;
    return true;
}

/* What a step reads first holds before it, if it can be said in C. */
static void put_constraint(const rep_page *p, const rep_page_step *s, td_text *out)
{
    const rep_page_act *a = s->n_acts > 0 ? &p->acts.at[s->first_act] : NULL;
    td_text value = {0};
    if (a != NULL && strcmp(a->kind, "read") == 0 && is_variable(a->object) &&
        is_integer(a->value))
        td_text_add(&value, "%s == %s", a->object, a->value);
    else
        td_text_add(&value, "1");
    td_text_add(out, "            constraint:\n");
    put_line(out, "              value: ", value.at);
    td_text_add(out, "              format: \"c_expression\"\n");
    td_text_fini(&value);
}

static void put_target(const rep_past *past, const rep_page *p, td_text *out)
{
    uint32_t thread = 0;
    size_t n = 0;
    for (size_t i = 0; i < p->steps.len; i++)
        thread = p->steps.at[i].fails ? p->steps.at[i].thread : thread;
    td_text_add(out, "    - segment:\n");
    for (size_t i = 0; is_race(p) && i < p->parties.len; i++) {
        const rep_page_party *q = &p->parties.at[i];
        bool is_access = strcmp(q->role, "read") == 0 || strcmp(q->role, "write") == 0;
        if (!is_access || !has_place(&q->at))
            continue;
        put_waypoint(past, "target", q->thread, &q->at, out);
        n++;
    }
    if (n == 0)
        put_waypoint(past, "target", thread, &p->at, out);
}

void rep_witness(const rep_past *past, const rep_page *p, const rep_input_file_vec *files,
                 td_text *out)
{
    TD_ASSERT(rep_witness_has(p->kind));
    put_metadata(past, p, files, out);
    td_text_add(out, "  content:\n");
    for (size_t i = 0; i < p->steps.len; i++) {
        const rep_page_step *s = &p->steps.at[i];
        if (!is_shown(s) || s->fails)
            continue;
        td_text_add(out, "    - segment:\n");
        put_waypoint(past, "assumption", s->thread, &s->at, out);
        put_constraint(p, s, out);
    }
    put_target(past, p, out);
}
