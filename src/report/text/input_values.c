/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs for people: bytes of one object as a text, what matters first. */
#include "report/text/report_int.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#define MAX_GROUPS 8u     /* shown; of the others the number */
#define MAX_GIVEN 4u      /* arguments with a row of their own */
#define MAX_BYTES 24u     /* bytes of an object that are shown */
#define MAX_NAME 40u      /* characters */
#define CONDITION_ROWS 4u /* unless the page is full */

/* Inputs that are shown together: at[first, first + n). */
typedef struct input_group {
    size_t first, n;
    bool matters;
} input_group;

TD_VEC(input_group, group_vec);

/* ---- bytes of one object ---- */

/* Length of the name before "[index]", 0 if it has none. */
static size_t stem_of(const char *name, uint64_t *index)
{
    const char *open = strrchr(name, '[');
    uint64_t n = 0;
    if (open == NULL || open == name || !isdigit((unsigned char)open[1]))
        return 0;
    const char *at = open + 1;
    for (; isdigit((unsigned char)*at) && n < UINT32_MAX; at++)
        n = n * 10 + (uint64_t)(*at - '0');
    if (at[0] != ']' || at[1] != '\0')
        return 0;
    *index = n;
    return (size_t)(open - name);
}

static size_t count_bytes(const rep_inputs *in, size_t first)
{
    uint64_t start, index;
    const char *name = in->at[first].name;
    size_t stem = stem_of(name, &start), n = 1;
    if (stem == 0 || in->at[first].bits != 8)
        return 1;
    while (first + n < in->n && in->at[first + n].bits == 8 &&
           stem_of(in->at[first + n].name, &index) == stem && index == start + n &&
           memcmp(in->at[first + n].name, name, stem) == 0)
        n++;
    return n;
}

static void find_groups(const rep_inputs *in, group_vec *out)
{
    for (size_t i = 0; i < in->n;) {
        input_group it = {i, count_bytes(in, i), false};
        TD_ASSERT(it.n >= 1 && it.n <= in->n - i);
        for (size_t k = 0; k < it.n; k++)
            it.matters = it.matters || in->at[i + k].matters;
        group_vec_push(out, it);
        i += it.n;
    }
}

/* ---- values ---- */

void rep_print_input(const rep_input *in, td_text *out)
{
    TD_ASSERT(in->bits >= 1 && in->bits <= 64);
    unsigned unused = 64u - in->bits;
    if (in->sign == WIRE_SIGNED)
        td_text_add(out, "%" PRId64, (int64_t)(in->value << unused) >> unused);
    else if (in->sign == WIRE_NO_SIGN && in->value > 999999999)
        td_text_add(out, "0x%" PRIx64, in->value);
    else
        td_text_add(out, "%" PRIu64, in->value);
}

static bool is_letter(uint64_t value)
{
    return value > 0x20 && value < 0x7f;
}

/* Blanks are tabs, so that no line is broken inside one. */
static void print_bytes(const rep_input *in, size_t n, td_text *out)
{
    td_text_add(out, "\"");
    for (size_t i = 0; i < n && i < MAX_BYTES; i++) {
        uint64_t c = in[i].value;
        if (c == '"' || c == '\\')
            td_text_add(out, "\\%c", (char)c);
        else if (is_letter(c))
            td_text_add(out, "%c", (char)c);
        else if (c == ' ')
            td_text_add(out, "\t");
        else if (c == '\n')
            td_text_add(out, "\\n");
        else
            td_text_add(out, "\\x%02x", (unsigned)c & 0xff);
    }
    td_text_add(out, n > MAX_BYTES ? "\"..." : "\"");
    if (n > MAX_BYTES)
        td_text_add(out, "\t(%zu\tbytes)", n);
}

static void print_group(const rep_inputs *in, const input_group *it, td_text *out)
{
    const rep_input *first = &in->at[it->first];
    uint64_t index = 0;
    td_text name = {0};
    size_t stem = it->n > 1 ? stem_of(first->name, &index) : strlen(first->name);
    td_text_put(&name, first->name, stem);
    for (char *c = name.at; name.len > 0 && *c != '\0'; c++)
        *c = *c == ' ' ? '_' : *c;
    rep_put_cut(out, name.len > 0 ? name.at : "input", MAX_NAME, REP_CUT_LEFT);
    td_text_add(out, index > 0 ? "+%" PRIu64 "\t=\t" : "\t=\t", index);
    if (it->n > 1)
        print_bytes(first, it->n, out);
    else
        rep_print_input(first, out);
    if (it->n == 1 && first->bits == 8 && first->sign == WIRE_NO_SIGN &&
        is_letter(first->value))
        td_text_add(out, "\t'%c'", (char)first->value);
    td_text_fini(&name);
}

/* ---- the user's values ---- */

static bool bytes_differ(const rep_input *in, size_t n)
{
    TD_ASSERT(in->given != NULL && n > 0);
    size_t len = strlen(in->given);
    for (size_t i = 0; i < n; i++)
        if (in[i].value != (i < len ? (unsigned char)in->given[i] : 0))
            return true;
    return false;
}

bool rep_input_differs(const rep_input *in)
{
    if (in->given == NULL)
        return false;
    uint64_t given = in->given[0] == '-' ? (uint64_t)strtoll(in->given, NULL, 0)
                                         : strtoull(in->given, NULL, 0);
    TD_ASSERT(in->bits >= 1 && in->bits <= 64);
    return (given ^ in->value) << (64u - in->bits) != 0;
}

/* "   as given", "   given: 50". */
static void print_given(const rep_inputs *in, const input_group *it, td_text *out)
{
    const rep_input *first = &in->at[it->first];
    bool is_text = strchr(first->name, '[') != NULL;
    if (!(is_text ? bytes_differ(first, it->n) : rep_input_differs(first))) {
        td_text_add(out, "\t\t\tas given");
        return;
    }
    td_text_add(out, is_text ? "\t\t\tgiven:\t\"" : "\t\t\tgiven:\t");
    rep_put_cut(out, first->given, MAX_BYTES, REP_CUT_RIGHT);
    td_text_add(out, is_text ? "\"" : "");
}

/* ---- the section ---- */

static const char blank[] = "           ", title[] = "INPUT      ";

static bool is_given(const rep_inputs *in, const input_group *it)
{
    return in->at[it->first].given != NULL;
}

/* A row for each of the first arguments that the user gave; returns how many. */
static size_t add_given(rep_row_vec *rows, const rep_inputs *in, group_vec *groups,
                        uint32_t columns)
{
    size_t n = 0, k = 0;
    for (size_t i = 0; i < groups->len; i++) {
        td_text text = {0};
        if (n == MAX_GIVEN || !is_given(in, &groups->at[i])) {
            groups->at[k++] = groups->at[i];
            continue;
        }
        print_group(in, &groups->at[i], &text);
        print_given(in, &groups->at[i], &text);
        rep_wrap(rows, REP_PLAIN, (rep_lead){n++ == 0 ? title : blank, NULL}, text.at,
                 columns);
        td_text_fini(&text);
    }
    groups->len = k;
    return n;
}

/* Adds the values, those that matter first. */
static void add_values(rep_row_vec *rows, const rep_inputs *in, uint32_t columns,
                       bool full)
{
    group_vec groups = {0};
    td_text text = {0};
    size_t n_shown = 0;
    find_groups(in, &groups);
    size_t n_given = add_given(rows, in, &groups, columns);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < groups.len && (full || n_shown < MAX_GROUPS); i++) {
            if (groups.at[i].matters != (pass == 0))
                continue;
            td_text_add(&text, n_shown++ > 0 ? ", " : "");
            print_group(in, &groups.at[i], &text);
        }
    if (n_shown < groups.len)
        td_text_add(&text, " ...\tand\t%zu\tmore", groups.len - n_shown);
    if (text.len > 0)
        rep_wrap(rows, REP_PLAIN, (rep_lead){n_given == 0 ? title : blank, NULL}, text.at,
                 columns);
    td_text_fini(&text);
    group_vec_fini(&groups);
}

/* Lines are broken before "&&" if that can be: other blanks become tabs. */
static void put_condition(const char *condition, size_t n, td_text *out)
{
    for (size_t i = 0; i < n; i++) {
        bool breaks = condition[i] != ' ' || strncmp(condition + i, " && ", 4) == 0;
        td_text_put(out, breaks ? condition + i : "\t", 1);
    }
}

/* A long condition is cut before an "&&". */
static void add_condition(rep_row_vec *rows, const char *condition, uint32_t columns,
                          bool full)
{
    TD_ASSERT(columns > sizeof blank + 40);
    size_t room = CONDITION_ROWS * (size_t)(columns - sizeof blank) - 40;
    td_text text = {0};
    td_text_add(&text, "fails\twhen\t");
    size_t n = strlen(condition);
    if (!full && n > room) {
        for (n = room; n > 0 && strncmp(condition + n, " && ", 4) != 0; n--)
            continue;
        n = n > 0 ? n : room;
    }
    put_condition(condition, n, &text);
    if (n < strlen(condition))
        td_text_add(&text, " &&\t...");
    rep_wrap(rows, REP_PLAIN, (rep_lead){blank, NULL}, text.at, columns);
    td_text_fini(&text);
}

void rep_add_inputs(rep_row_vec *rows, const rep_inputs *in, uint32_t columns, bool full)
{
    if (in->choices != NULL && in->choices[0] != '\0')
        rep_wrap(rows, REP_PLAIN, (rep_lead){"CHOSEN     ", NULL}, in->choices, columns);
    if (in->n == 0)
        return;
    add_values(rows, in, columns, full);
    if (in->condition != NULL && in->condition[0] != '\0')
        add_condition(rows, in->condition, columns, full);
}
