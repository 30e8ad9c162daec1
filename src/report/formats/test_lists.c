/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of tests that ctest and meson print. */
#include "report/formats/test_lists.h"

#include <json-c/json.h>
#include <limits.h>
#include <string.h>

#include "base/text.h"

#define MAX_DEPTH 64

static const char *text_of(json_object *o)
{
    return json_object_is_type(o, json_type_string) ? json_object_get_string(o) : NULL;
}

static json_object *member(json_object *o, const char *name)
{
    json_object *value = NULL;
    if (json_object_is_type(o, json_type_object))
        json_object_object_get_ex(o, name, &value);
    return value;
}

static size_t length(json_object *list)
{
    return json_object_is_type(list, json_type_array) ? json_object_array_length(list)
                                                      : 0;
}

static void take_words(json_object *list, rep_word_vec *out)
{
    for (size_t i = 0; i < length(list); i++) {
        const char *word = text_of(json_object_array_get_idx(list, i));
        rep_word_vec_push(out, td_strdup(word ? word : ""));
    }
}

static char *copy_of(json_object *o)
{
    const char *text = text_of(o);
    return text && *text ? td_strdup(text) : NULL;
}

/* {"name": ..., "command": [...], "properties": [{"name": ..., "value": ...}]} */
static void read_ctest(json_object *from, rep_test *out)
{
    json_object *properties = member(from, "properties");
    take_words(member(from, "command"), &out->words);
    for (size_t i = 0; i < length(properties); i++) {
        json_object *one = json_object_array_get_idx(properties, i);
        const char *name = text_of(member(one, "name"));
        if (name && strcmp(name, "WORKING_DIRECTORY") == 0 && !out->dir)
            out->dir = copy_of(member(one, "value"));
        else if (name && strcmp(name, "ENVIRONMENT") == 0)
            take_words(member(one, "value"), &out->env);
    }
}

/* {"name": ..., "cmd": [...], "env": {...}, "workdir": ...} */
static void read_meson(json_object *from, rep_test *out)
{
    json_object *env = member(from, "env");
    take_words(member(from, "cmd"), &out->words);
    out->dir = copy_of(member(from, "workdir"));
    if (!json_object_is_type(env, json_type_object))
        return;
    json_object_object_foreach(env, name, value)
    {
        td_text text = {0};
        if (!text_of(value))
            continue;
        td_text_add(&text, "%s=%s", name, text_of(value));
        rep_word_vec_push(&out->env, text.at);
    }
}

static void words_free(rep_word_vec *words)
{
    for (size_t i = 0; i < words->len; i++)
        td_free(words->at[i]);
    rep_word_vec_fini(words);
}

static void test_fini(rep_test *t)
{
    td_free(t->name);
    td_free(t->dir);
    words_free(&t->words);
    words_free(&t->env);
}

td_status rep_tests_read(rep_test_list kind, const char *text, size_t len,
                         rep_test_vec *out, td_diag *diag)
{
    json_tokener *reader = json_tokener_new_ex(MAX_DEPTH);
    json_object *top =
        len < INT_MAX ? json_tokener_parse_ex(reader, text, (int)len) : NULL;
    json_object *list = kind == REP_TESTS_CTEST ? member(top, "tests") : top;
    td_status status = TD_OK;
    if (!json_object_is_type(list, json_type_array))
        status = td_diag_set(diag, TD_E_FORMAT, "the list of tests cannot be read");
    for (size_t i = 0; status == TD_OK && i < length(list); i++) {
        json_object *from = json_object_array_get_idx(list, i);
        rep_test t = {0};
        const char *name = text_of(member(from, "name"));
        t.name = td_strdup(name && *name ? name : "test");
        if (kind == REP_TESTS_CTEST)
            read_ctest(from, &t);
        else
            read_meson(from, &t);
        if (t.words.len > 0)
            rep_test_vec_push(out, t);
        else
            test_fini(&t);
    }
    json_object_put(top);
    json_tokener_free(reader);
    return status;
}

void rep_tests_fini(rep_test_vec *tests)
{
    for (size_t i = 0; i < tests->len; i++)
        test_fini(&tests->at[i]);
    rep_test_vec_fini(tests);
}
