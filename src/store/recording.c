/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings as text. */
#include "store/recording_int.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/text.h"
#include "wire/sym.h"

#define MAX_BYTES ((size_t)64 << 20)
#define MAX_ARGS ((size_t)1 << 16)
#define MAX_STEPS ((size_t)1 << 23)
#define MAX_SPURIOUS 1000u
#define SCHEDULE_COLUMNS 88
#define MAX_PROMOTED ((size_t)WIRE_MAX_PROMOTED)

/* ---- printing ---- */

static const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static void print_field(td_text *out, const char *field, const char *word)
{
    td_text_put(out, field, strlen(field));
    sto_put_word(out, text_or_empty(word));
    td_text_put(out, "\n", 1);
}

/* Writes a message unquoted if it reads back the same. */
static void print_message(td_text *out, const char *message)
{
    size_t n = strlen(message);
    bool plain = n > 0 && message[0] != '"' && message[0] != ' ' && message[n - 1] != ' ';
    for (size_t i = 0; i < n && plain; i++)
        plain = !sto_is_control((unsigned char)message[i]);
    td_text_put(out, "message ", 8);
    if (plain)
        td_text_put(out, message, n);
    else
        sto_put_quoted(out, message);
    td_text_put(out, "\n", 1);
}

/* The thread is not to run after the steps. */
static bool is_sleep(wire_step step)
{
    return step.count == 0 && !(step.thread & WIRE_STEP_STORE);
}

/* " T1:7", of at most 40 characters; " reads=T1:7" and " behind=T1:7", or "=first", where the step names a
 * store. */
static int print_step(char word[40], wire_step step)
{
    uint32_t thread = step.thread & ~WIRE_STEP_STORE;
    const char *what = step.thread & WIRE_STEP_READS    ? "reads="
                       : step.thread & WIRE_STEP_BEHIND ? "behind="
                                                        : "";
    if (*what && step.count == 0)
        return snprintf(word, 40, " %sfirst", what);
    int n = thread == 0 ? snprintf(word, 40, " %smain:%u", what, step.count)
                        : snprintf(word, 40, " %sT%u:%u", what, thread, step.count);
    TD_ASSERT(n > 0 && n < 40);
    return n;
}

void sto_schedule_print(const trc_step_vec *schedule, td_text *out)
{
    char word[40];
    for (size_t i = 0; i < schedule->len; i++) {
        if (is_sleep(schedule->at[i]))
            continue;
        print_step(word, schedule->at[i]);
        td_text_add(out, "%s%s", out->len > 0 ? " " : "", word + 1);
    }
}

static void print_schedule(td_text *out, const trc_step_vec *schedule)
{
    size_t column = 0;
    for (size_t i = 0; i < schedule->len; i++) {
        char word[40];
        int n = print_step(word, schedule->at[i]);
        if (is_sleep(schedule->at[i]))
            continue;
        if (column == 0 || column + (size_t)n > SCHEDULE_COLUMNS) {
            td_text_add(out, "%sschedule", column == 0 ? "" : "\n");
            column = strlen("schedule");
        }
        td_text_put(out, word, (size_t)n);
        column += (size_t)n;
    }
    if (column > 0)
        td_text_put(out, "\n", 1);
}

static void print_fail(td_text *out, const sto_recording *r)
{
    td_text place = {0};
    td_text_add(&place, "%s:%u", text_or_empty(r->fail_file), r->fail_line);
    td_text_add(out, "fail");
    sto_put_word(out, text_or_empty(r->fail_kind));
    sto_put_word(out, place.at);
    sto_put_word(out, text_or_empty(r->fail_function));
    td_text_put(out, "\n", 1);
    td_text_fini(&place);
}

static void print_promoted(td_text *out, const sto_promoted *p)
{
    td_text place = {0};
    td_text_add(&place, "%s:%u:%u", p->file, p->line, p->column);
    td_text_add(out, "promote %s", p->is_write ? "write" : "read");
    sto_put_word(out, place.at);
    sto_put_word(out, p->function);
    td_text_put(out, "\n", 1);
    td_text_fini(&place);
}

static void print_weaker(td_text *out, const trc_weaker *w)
{
    td_text place = {0};
    td_text_add(&place, "%s:%u:%u", w->file, w->line, w->column);
    td_text_add(out, "weaken %s %s %s", trc_ordered_name(w->kind),
                trc_order_name(w->kind, w->order), trc_order_name(w->kind, w->to));
    sto_put_word(out, place.at);
    td_text_put(out, "\n", 1);
    td_text_fini(&place);
}

static void print_repair(td_text *out, const trc_repair *r)
{
    td_text_add(out, "repair %s", trc_repair_name(r->kind));
    if (r->kind == WIRE_REPAIR_SECTION) {
        sto_put_word(out, r->object ? r->lock : "new");
        td_text_add(out, " %016llx %s", (unsigned long long)r->object,
                    r->is_in_loop ? "loop" : "once");
    } else if (r->kind == WIRE_REPAIR_ORDER) {
        td_text_add(out, " %u", r->count);
    }
    for (uint32_t i = 0; i < r->n_places; i++) {
        td_text place = {0};
        const char *slash = strrchr(r->places[i].file, '/');
        td_text_add(&place, "%s:%u:%u", slash ? slash + 1 : r->places[i].file,
                    r->places[i].from, r->places[i].to);
        sto_put_word(out, place.at);
        sto_put_word(out, text_or_empty(r->places[i].function));
        td_text_fini(&place);
    }
    td_text_put(out, "\n", 1);
}

static bool has_text(const char *text)
{
    return text != NULL && text[0] != '\0';
}

void sto_recording_print(const sto_recording *r, td_text *out)
{
    td_text_add(out, "treadle-recording %u\n",
                r->repairs.len > 0      ? 6u
                : sto_has_users_line(r) ? 5u
                : r->weaker.len > 0     ? 4u
                : has_text(r->model)    ? 3u
                : sto_has_cause(r)      ? 2u
                                        : 1u);
    if (has_text(r->version))
        print_field(out, "treadle", r->version);
    print_field(out, "program", r->program);
    if (has_text(r->build_id))
        print_field(out, "build-id", r->build_id);
    if (r->args.len > 0) {
        td_text_add(out, "args");
        for (size_t i = 0; i < r->args.len; i++)
            sto_put_word(out, r->args.at[i]);
        td_text_put(out, "\n", 1);
    }
    for (size_t i = 0; i < r->sym_args.len; i++)
        print_field(out, "sym-arg", r->sym_args.at[i]);
    if (r->sym_stdin > 0)
        td_text_add(out, "sym-stdin %u\n", r->sym_stdin);
    if (r->spurious > 0)
        td_text_add(out, "spurious %u\n", r->spurious - 1);
    if (r->reuse)
        td_text_add(out, "reuse\n");
    if (has_text(r->model))
        print_field(out, "model", r->model);
    sto_put_inputs(out, &r->inputs);
    for (size_t i = 0; i < r->promoted.len; i++)
        print_promoted(out, &r->promoted.at[i]);
    for (size_t i = 0; i < r->weaker.len; i++)
        print_weaker(out, &r->weaker.at[i]);
    for (size_t i = 0; i < r->repairs.len; i++)
        print_repair(out, &r->repairs.at[i]);
    print_schedule(out, &r->schedule);
    if (has_text(r->fail_kind) || has_text(r->fail_file) || has_text(r->fail_function) ||
        r->fail_line != 0)
        print_fail(out, r);
    if (has_text(r->message))
        print_message(out, r->message);
    sto_put_cause(out, r);
}

/* ---- reading ---- */

static td_status read_only_word(sto_reader *r, const char *what, char **out)
{
    TD_TRY(sto_read_word(r, what, out));
    return sto_expect_end(r);
}

static td_status read_version(sto_reader *r)
{
    return read_only_word(r, "the version of treadle", &r->out->version);
}

static td_status read_program(sto_reader *r)
{
    return read_only_word(r, "the program", &r->out->program);
}

static td_status read_build_id(sto_reader *r)
{
    return read_only_word(r, "the build id", &r->out->build_id);
}

static td_status read_args(sto_reader *r)
{
    while (!sto_at_end(r)) {
        char *word = NULL;
        if (r->out->args.len >= MAX_ARGS)
            return STO_WRONG(r, "line %u: more than %zu arguments", r->line, MAX_ARGS);
        TD_TRY(sto_read_word(r, "an argument", &word));
        sto_text_vec_push(&r->out->args, word);
    }
    return TD_OK;
}

static td_status read_sym_arg(sto_reader *r)
{
    char *word = NULL;
    if (r->out->sym_args.len >= WIRE_MAX_SYM_ARGS)
        return STO_WRONG(r, "line %u: more than %u arguments are inputs", r->line,
                         WIRE_MAX_SYM_ARGS);
    TD_TRY(sto_read_word(r, "I:TYPE", &word));
    sto_text_vec_push(&r->out->sym_args, word);
    return sto_expect_end(r);
}

/* A line of a name and one number. */
static td_status read_number(sto_reader *r, const char *name, uint32_t most,
                             uint32_t *out)
{
    char *word = NULL;
    uint64_t number = 0;
    TD_TRY(sto_read_word(r, "a number", &word));
    bool is_number = sto_parse_number(word, most, &number);
    td_free(word);
    if (!is_number)
        return STO_WRONG(r, "line %u: %s requires a number up to %u", r->line, name,
                         most);
    *out = (uint32_t)number;
    return sto_expect_end(r);
}

static td_status read_sym_stdin(sto_reader *r)
{
    return read_number(r, "sym-stdin", WIRE_MAX_SYM_BYTES, &r->out->sym_stdin);
}

static td_status read_spurious(sto_reader *r)
{
    TD_TRY(read_number(r, "spurious", MAX_SPURIOUS, &r->out->spurious));
    r->out->spurious++;
    return TD_OK;
}

static td_status read_reuse(sto_reader *r)
{
    r->out->reuse = true;
    return sto_expect_end(r);
}

static td_status read_model(sto_reader *r)
{
    return read_only_word(r, "the memory model", &r->out->model);
}

static bool starts(char **word, const char *with)
{
    size_t n = strlen(with);
    bool is = strncmp(*word, with, n) == 0;
    *word += is ? n : 0;
    return is;
}

/* "main:2" or "T7:2"; "reads=T7:2", "behind=first". */
static bool parse_step(char *word, wire_step *out)
{
    uint64_t thread = 0, count = 0;
    uint32_t store = starts(&word, "reads=")    ? WIRE_STEP_READS
                     : starts(&word, "behind=") ? WIRE_STEP_BEHIND
                                                : 0;
    if (store && strcmp(word, "first") == 0) {
        *out = (wire_step){store, 0};
        return true;
    }
    char *colon = strchr(word, ':');
    if (colon == NULL)
        return false;
    *colon = '\0';
    if (strcmp(word, "main") != 0 &&
        (word[0] != 'T' || !sto_parse_number(word + 1, STO_MAX_THREAD, &thread) ||
         thread == 0))
        return false;
    if (!sto_parse_number(colon + 1, UINT32_MAX, &count) || count == 0)
        return false;
    *out = (wire_step){store | (uint32_t)thread, (uint32_t)count};
    return true;
}

static td_status read_step(sto_reader *r)
{
    char word[40];
    size_t n = 0;
    wire_step step;
    for (; r->at < r->end && *r->at != ' ' && *r->at != '\t'; r->at++)
        if (n < sizeof word - 1)
            word[n++] = *r->at;
    word[n] = '\0';
    if (n == sizeof word - 1 || !parse_step(word, &step))
        return STO_WRONG(r, "line %u: a step is THREAD:COUNT, for example main:2 or T1:5",
                         r->line);
    r->n_choices += step.thread & WIRE_STEP_STORE ? 0 : step.count;
    if (r->n_choices > UINT32_MAX || r->out->schedule.len >= MAX_STEPS)
        return STO_WRONG(r, "line %u: the schedule is too long", r->line);
    trc_step_vec_push(&r->out->schedule, step);
    return TD_OK;
}

static td_status read_schedule(sto_reader *r)
{
    while (!sto_at_end(r))
        TD_TRY(read_step(r));
    return TD_OK;
}

static td_status read_promoted(sto_reader *r)
{
    char *word = NULL;
    if (r->out->promoted.len >= MAX_PROMOTED)
        return STO_WRONG(r, "line %u: more than %zu places are promoted", r->line,
                         MAX_PROMOTED);
    TD_TRY(sto_read_word(r, "read or write", &word));
    bool is_write = strcmp(word, "write") == 0, is_read = strcmp(word, "read") == 0;
    td_free(word);
    if (!is_write && !is_read)
        return STO_WRONG(r, "line %u: promote requires read or write", r->line);
    sto_promoted_vec_push(&r->out->promoted, (sto_promoted){.is_write = is_write});
    sto_promoted *p = &r->out->promoted.at[r->out->promoted.len - 1];
    TD_TRY(sto_read_word(r, "the place of an access", &p->file));
    if (!sto_split_number(p->file, &p->column) || !sto_split_number(p->file, &p->line))
        return STO_WRONG(r, "line %u: an access is at FILE:LINE:COLUMN", r->line);
    return read_only_word(r, "the function of an access", &p->function);
}

static td_status read_order(sto_reader *r, uint8_t kind, uint8_t *out)
{
    char *word = NULL;
    TD_TRY(sto_read_word(r, "a memory order", &word));
    bool is_order = trc_order_named(kind, word, out);
    td_free(word);
    if (!is_order)
        return STO_WRONG(r, "line %u: weaken requires two memory orders", r->line);
    return TD_OK;
}

static td_status read_weaker(sto_reader *r)
{
    char *word = NULL;
    trc_weaker w = {0};
    if (r->out->weaker.len >= WIRE_MAX_WEAKER)
        return STO_WRONG(r, "line %u: more than %u orders are weakened", r->line,
                         WIRE_MAX_WEAKER);
    TD_TRY(sto_read_word(r, "an atomic operation", &word));
    bool is_ordered = trc_ordered_named(word, &w.kind);
    td_free(word);
    if (!is_ordered)
        return STO_WRONG(r, "line %u: weaken requires an atomic operation", r->line);
    TD_TRY(read_order(r, w.kind, &w.order));
    TD_TRY(read_order(r, w.kind, &w.to));
    TD_TRY(sto_read_word(r, "the place of an operation", &w.file));
    trc_weaker_vec_push(&r->out->weaker, w);
    trc_weaker *at = &r->out->weaker.at[r->out->weaker.len - 1];
    if (!sto_split_number(at->file, &at->column) ||
        !sto_split_number(at->file, &at->line))
        return STO_WRONG(r, "line %u: an operation is at FILE:LINE:COLUMN", r->line);
    return sto_expect_end(r);
}

static td_status read_lock(sto_reader *r, trc_repair *repair)
{
    char *word = NULL;
    TD_TRY(sto_read_word(r, "the mutex of a repair", &repair->lock));
    TD_TRY(sto_read_word(r, "the address of a mutex", &word));
    char *end = NULL;
    bool is_hex = strlen(word) == 16 && strspn(word, "0123456789abcdef") == 16;
    repair->object = is_hex ? strtoull(word, &end, 16) : 0;
    td_free(word);
    if (!is_hex)
        return STO_WRONG(r, "line %u: an address has 16 hexadecimal digits", r->line);
    if (repair->object == 0)
        repair->lock[0] = '\0';
    TD_TRY(sto_read_word(r, "once or loop", &word));
    repair->is_in_loop = strcmp(word, "loop") == 0;
    bool is_known = repair->is_in_loop || strcmp(word, "once") == 0;
    td_free(word);
    if (!is_known)
        return STO_WRONG(r, "line %u: a section requires once or loop", r->line);
    return TD_OK;
}

static td_status read_count(sto_reader *r, uint32_t *out)
{
    char *word = NULL;
    uint64_t n = 0;
    TD_TRY(sto_read_word(r, "a number", &word));
    bool is_number = sto_parse_number(word, UINT32_MAX, &n);
    td_free(word);
    *out = (uint32_t)n;
    if (!is_number)
        return STO_WRONG(r, "line %u: an order requires a number", r->line);
    return TD_OK;
}

static td_status read_lines(sto_reader *r, trc_lines *out)
{
    TD_TRY(sto_read_word(r, "the place of a repair", &out->file));
    if (!sto_split_number(out->file, &out->to) ||
        !sto_split_number(out->file, &out->from))
        return STO_WRONG(r, "line %u: a repair is at FILE:LINE:LINE", r->line);
    return sto_read_word(r, "the function of a repair", &out->function);
}

static td_status read_repair(sto_reader *r)
{
    char *word = NULL;
    if (r->out->repairs.len >= WIRE_MAX_REPAIRS)
        return STO_WRONG(r, "line %u: more than %u repairs", r->line, WIRE_MAX_REPAIRS);
    trc_repair_vec_push(&r->out->repairs, (trc_repair){0});
    trc_repair *repair = &r->out->repairs.at[r->out->repairs.len - 1];
    TD_TRY(sto_read_word(r, "the kind of a repair", &word));
    bool is_kind = trc_repair_named(word, &repair->kind);
    td_free(word);
    if (!is_kind)
        return STO_WRONG(r, "line %u: a repair is section, order or wake-all", r->line);
    if (repair->kind == WIRE_REPAIR_SECTION)
        TD_TRY(read_lock(r, repair));
    if (repair->kind == WIRE_REPAIR_ORDER)
        TD_TRY(read_count(r, &repair->count));
    while (!sto_at_end(r) && repair->n_places < TRC_REPAIR_PLACES)
        TD_TRY(read_lines(r, &repair->places[repair->n_places++]));
    if (!trc_repair_valid(repair))
        return STO_WRONG(r, "line %u: the places of the repair are not complete",
                         r->line);
    return sto_expect_end(r);
}

static td_status read_fail(sto_reader *r)
{
    TD_TRY(sto_read_word(r, "the kind of failure", &r->out->fail_kind));
    TD_TRY(sto_read_word(r, "the place of the failure", &r->out->fail_file));
    if (!sto_split_number(r->out->fail_file, &r->out->fail_line))
        return STO_WRONG(r, "line %u: a place is FILE:LINE", r->line);
    return read_only_word(r, "the function of the failure", &r->out->fail_function);
}

static td_status read_message(sto_reader *r)
{
    (void)sto_at_end(r);
    if (r->at < r->end && *r->at == '"')
        return read_only_word(r, "the message", &r->out->message);
    if ((size_t)(r->end - r->at) > STO_MAX_WORD)
        return STO_WRONG(r, "line %u: the message is longer than %zu bytes", r->line,
                         STO_MAX_WORD);
    td_text text = {0};
    td_text_put(&text, r->at, (size_t)(r->end - r->at));
    r->out->message = td_strdup(text.at != NULL ? text.at : "");
    td_text_fini(&text);
    return TD_OK;
}

typedef struct field {
    const char *name;
    td_status (*read)(sto_reader *r);
    bool repeats;
    unsigned since; /* version of the format */
} field;

static const field fields[] = {
    {"treadle", read_version, false, 1},   {"program", read_program, false, 1},
    {"build-id", read_build_id, false, 1}, {"args", read_args, false, 1},
    {"sym-arg", read_sym_arg, true, 1},    {"sym-stdin", read_sym_stdin, false, 1},
    {"spurious", read_spurious, false, 1}, {"reuse", read_reuse, false, 1},
    {"model", read_model, false, 3},       {"input", sto_read_input, true, 1},
    {"bytes", sto_read_bytes, true, 1},    {"promote", read_promoted, true, 1},
    {"schedule", read_schedule, true, 1},  {"fail", read_fail, false, 1},
    {"message", read_message, false, 1},   {"no-return", sto_read_no_return, false, 2},
    {"cause", sto_read_cause, false, 2},   {"cause-event", sto_read_cause_event, true, 2},
    {"weaken", read_weaker, true, 4},      {"repair", read_repair, true, 6},
};
#define N_FIELDS (sizeof fields / sizeof fields[0])
static_assert(N_FIELDS <= 8 * sizeof(unsigned), "sto_reader.seen has a bit for each");

/* Returns the index in fields of the line's first word; N_FIELDS if it is unknown. */
static size_t take_field(sto_reader *r)
{
    const char *start = r->at;
    while (r->at < r->end && *r->at != ' ' && *r->at != '\t')
        r->at++;
    size_t n = (size_t)(r->at - start), i = 0;
    while (i < N_FIELDS &&
           (strlen(fields[i].name) != n || memcmp(fields[i].name, start, n) != 0))
        i++;
    return i;
}

static td_status read_line(sto_reader *r)
{
    bool is_empty = false;
    TD_TRY(sto_start_line(r, &is_empty));
    if (is_empty)
        return TD_OK;

    const char *start = r->at;
    size_t i = take_field(r);
    if (i == N_FIELDS || fields[i].since > r->version) {
        int n = r->at - start > 40 ? 40 : (int)(r->at - start);
        return STO_WRONG(r, "line %u: unknown field '%.*s'", r->line, n, start);
    }
    if ((r->seen & 1u << i) != 0 && !fields[i].repeats)
        return STO_WRONG(r, "line %u: '%s' occurs twice", r->line, fields[i].name);
    r->seen |= 1u << i;
    return fields[i].read(r);
}

static td_status read_head(sto_reader *r)
{
    static const char head[] = "treadle-recording ";
    size_t n = (size_t)(r->end - r->at);
    if (n < sizeof head - 1 || memcmp(r->at, head, sizeof head - 1) != 0)
        return STO_WRONG(r, "not a recording: line 1 is not 'treadle-recording 1'");
    if (n != sizeof head || r->at[n - 1] < '1' || r->at[n - 1] > '6')
        return STO_WRONG(r, "line 1: this treadle reads recordings of versions 1 to 6");
    r->version = (unsigned)(r->at[n - 1] - '0');
    return TD_OK;
}

static td_status read_all(sto_reader *r, const char *text, const char *end)
{
    text = sto_next_line(r, text, end);
    TD_TRY(read_head(r));
    while (text < end) {
        text = sto_next_line(r, text, end);
        TD_TRY(read_line(r));
    }
    if (r->out->program == NULL || r->out->program[0] == '\0')
        return STO_WRONG(r, "the line 'program PATH' is missing");
    if (!sto_cause_valid(&r->out->cause))
        return STO_WRONG(r, "the cause lacks an event, or an event its cause");
    return TD_OK;
}

static void fill_empty(char **text)
{
    if (*text == NULL)
        *text = td_strdup("");
}

td_status sto_recording_parse(const char *text, size_t len, sto_recording *out,
                              td_diag *diag)
{
    *out = (sto_recording){0};
    if (len > MAX_BYTES)
        return td_diag_set(diag, TD_E_FORMAT, "a recording has at most %zu bytes",
                           MAX_BYTES);
    if (len == 0)
        return td_diag_set(diag, TD_E_FORMAT, "the recording is empty");
    sto_reader r = {.out = out, .diag = diag};
    td_status status = read_all(&r, text, text + len);
    if (status != TD_OK) {
        sto_recording_fini(out);
        return status;
    }
    fill_empty(&out->version);
    fill_empty(&out->build_id);
    fill_empty(&out->fail_kind);
    fill_empty(&out->fail_file);
    fill_empty(&out->fail_function);
    fill_empty(&out->message);
    TD_AUDIT(sto_recording_valid(out, NULL, 0));
    return TD_OK;
}

/* ---- what must hold ---- */

static bool broken(char *why, size_t size, const char *what, size_t at)
{
    if (why != NULL)
        snprintf(why, size, "%s (at %zu)", what, at);
    return false;
}

static bool input_valid(const sto_input *in)
{
    return in->name != NULL && strlen(in->name) <= STO_MAX_NAME && in->bits >= 1 &&
           in->bits <= 64 && in->sign <= WIRE_UNSIGNED &&
           in->value <= UINT64_MAX >> (64 - in->bits);
}

bool sto_recording_valid(const sto_recording *r, char *why, size_t size)
{
    uint64_t n_choices = 0;
    if (!has_text(r->program))
        return broken(why, size, "no program", 0);
    if (r->args.len > MAX_ARGS || r->sym_args.len > WIRE_MAX_SYM_ARGS ||
        r->inputs.len > WIRE_SYM_MAX_INPUTS || r->promoted.len > MAX_PROMOTED ||
        r->weaker.len > WIRE_MAX_WEAKER)
        return broken(why, size, "too many of something", r->inputs.len);
    if (r->sym_stdin > WIRE_MAX_SYM_BYTES || r->spurious > MAX_SPURIOUS + 1)
        return broken(why, size, "a number that is too large", r->sym_stdin);
    for (size_t i = 0; i < r->inputs.len; i++)
        if (!input_valid(&r->inputs.at[i]))
            return broken(why, size, "an input", i);
    for (size_t i = 0; i < r->promoted.len; i++)
        if (r->promoted.at[i].file == NULL || r->promoted.at[i].function == NULL)
            return broken(why, size, "a place without a file or function", i);
    for (size_t i = 0; i < r->repairs.len; i++)
        if (!trc_repair_valid(&r->repairs.at[i]))
            return broken(why, size, "a repair without its places", i);
    for (size_t i = 0; i < r->weaker.len; i++)
        if (r->weaker.at[i].file == NULL || !trc_ordered_name(r->weaker.at[i].kind))
            return broken(why, size, "a weaker order without a file or operation", i);
    for (size_t i = 0; i < r->schedule.len; i++) {
        uint32_t thread = r->schedule.at[i].thread;
        n_choices += thread & WIRE_STEP_STORE ? 0 : r->schedule.at[i].count;
        if ((thread & ~WIRE_STEP_STORE) > STO_MAX_THREAD || n_choices > UINT32_MAX)
            return broken(why, size, "a step", i);
    }
    if (!sto_cause_valid(&r->cause))
        return broken(why, size, "a cause", 0);
    return true;
}

void sto_recording_fini(sto_recording *r)
{
    td_free(r->version);
    td_free(r->program);
    td_free(r->build_id);
    td_free(r->model);
    for (size_t i = 0; i < r->args.len; i++)
        td_free(r->args.at[i]);
    sto_text_vec_fini(&r->args);
    for (size_t i = 0; i < r->sym_args.len; i++)
        td_free(r->sym_args.at[i]);
    sto_text_vec_fini(&r->sym_args);
    for (size_t i = 0; i < r->inputs.len; i++)
        td_free(r->inputs.at[i].name);
    sto_input_vec_fini(&r->inputs);
    for (size_t i = 0; i < r->promoted.len; i++) {
        td_free(r->promoted.at[i].file);
        td_free(r->promoted.at[i].function);
    }
    sto_promoted_vec_fini(&r->promoted);
    for (size_t i = 0; i < r->weaker.len; i++)
        td_free(r->weaker.at[i].file);
    trc_weaker_vec_fini(&r->weaker);
    for (size_t i = 0; i < r->repairs.len; i++)
        trc_repair_fini(&r->repairs.at[i]);
    trc_repair_vec_fini(&r->repairs);
    trc_step_vec_fini(&r->schedule);
    td_free(r->fail_kind);
    td_free(r->fail_file);
    td_free(r->fail_function);
    td_free(r->message);
    sto_cause_fini(&r->cause);
    *r = (sto_recording){0};
}
