/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a request of JSON-RPC from untrusted bytes. */
#include "report/formats/rpc.h"

#include <json-c/json.h>
#include <string.h>

#include "base/assert.h"
#include "report/formats/json_read.h"

#define MAX_DEPTH 16
#define MAX_ARGS 256

static td_status wrong(td_diag *diag, const char *what)
{
    return td_diag_set(diag, TD_E_FORMAT, "%s", what);
}

/* Copies a text; NULL if the value is not a text, or has a zero byte. */
static char *copy_of(json_object *value)
{
    if (!json_object_is_type(value, json_type_string))
        return NULL;
    const char *text = json_object_get_string(value);
    if (strlen(text) != (size_t)json_object_get_string_len(value))
        return NULL;
    return td_strdup(text);
}

/* A text or a whole number. */
static td_status read_id(json_object *o, const char *name, char **out, td_diag *diag)
{
    json_object *id = NULL;
    if (!json_object_object_get_ex(o, name, &id))
        return TD_OK;
    if (!json_object_is_type(id, json_type_string) &&
        !json_object_is_type(id, json_type_int))
        return wrong(diag, "the id is neither a string nor a number");
    *out = td_strdup(json_object_to_json_string_ext(id, JSON_C_TO_STRING_NOSLASHESCAPE));
    return TD_OK;
}

/* One value of an argument; false: of a type that no tool takes. */
static bool push(rep_rpc *out, const char *name, json_object *value)
{
    char *text = NULL;
    if (json_object_is_type(value, json_type_string))
        text = copy_of(value);
    else if (json_object_is_type(value, json_type_int) ||
             json_object_is_type(value, json_type_boolean))
        text = td_strdup(json_object_to_json_string(value));
    if (text == NULL || out->args.len >= MAX_ARGS) {
        td_free(text);
        return false;
    }
    rep_rpc_arg_vec_push(&out->args, (rep_rpc_arg){td_strdup(name), text});
    return true;
}

static td_status read_args(json_object *params, rep_rpc *out, td_diag *diag)
{
    json_object *all = NULL;
    if (!json_object_object_get_ex(params, "arguments", &all))
        return TD_OK;
    if (!json_object_is_type(all, json_type_object))
        return wrong(diag, "the arguments are not an object");
    json_object_object_foreach(all, name, value)
    {
        bool fits = true;
        if (json_object_is_type(value, json_type_array))
            for (size_t i = 0; fits && i < json_object_array_length(value); i++)
                fits = push(out, name, json_object_array_get_idx(value, i));
        else
            fits = push(out, name, value);
        if (!fits)
            return wrong(diag,
                         "an argument is not a string, a number, or a list of them");
    }
    return TD_OK;
}

static td_status read_params(json_object *o, rep_rpc *out, td_diag *diag)
{
    json_object *params = NULL, *value = NULL;
    if (!json_object_object_get_ex(o, "params", &params))
        return TD_OK;
    if (!json_object_is_type(params, json_type_object))
        return wrong(diag, "the params are not an object");
    if (json_object_object_get_ex(params, "protocolVersion", &value))
        out->version = copy_of(value);
    if (json_object_object_get_ex(params, "name", &value))
        out->tool = copy_of(value);
    TD_TRY(read_id(params, "requestId", &out->about, diag));
    return read_args(params, out, diag);
}

static td_status read_request(json_object *o, rep_rpc *out, td_diag *diag)
{
    json_object *value = NULL;
    if (!json_object_is_type(o, json_type_object))
        return wrong(diag, "a request is an object");
    TD_TRY(read_id(o, "id", &out->id, diag));
    if (json_object_object_get_ex(o, "method", &value))
        out->method = copy_of(value);
    if (out->method == NULL)
        return wrong(diag, "the request has no method");
    return read_params(o, out, diag);
}

static void empty(rep_rpc *r)
{
    for (size_t i = 0; i < r->args.len; i++) {
        td_free(r->args.at[i].name);
        td_free(r->args.at[i].value);
    }
    rep_rpc_arg_vec_fini(&r->args);
    td_free(r->method);
    td_free(r->version);
    td_free(r->tool);
    td_free(r->about);
    *r = (rep_rpc){.id = r->id};
}

td_status rep_rpc_read(const char *text, size_t n, rep_rpc *out, td_diag *diag)
{
    *out = (rep_rpc){0};
    json_object *o = rep_json_read(text, n, MAX_DEPTH);
    td_status status =
        o != NULL ? read_request(o, out, diag) : wrong(diag, "this is not JSON");
    json_object_put(o);
    if (status != TD_OK)
        empty(out);
    if (status == TD_OK && out->version == NULL)
        out->version = td_strdup("");
    if (status == TD_OK && out->tool == NULL)
        out->tool = td_strdup("");
    TD_ASSERT(status != TD_OK || out->method != NULL);
    return status;
}

const char *rep_rpc_arg_of(const rep_rpc *r, const char *name)
{
    for (size_t i = 0; i < r->args.len; i++)
        if (strcmp(r->args.at[i].name, name) == 0)
            return r->args.at[i].value;
    return NULL;
}

void rep_rpc_fini(rep_rpc *r)
{
    empty(r);
    td_free(r->id);
    *r = (rep_rpc){0};
}
