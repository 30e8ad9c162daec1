/* SPDX-License-Identifier: Apache-2.0 */
/* treadle mcp: tools for assistants, by the Model Context Protocol over standard input and output. A
 * request is a line, and requests are answered in order. What a tool does is a command of treadle. While
 * the command runs, only a cancellation of its request is obeyed; the others wait. The command is ended
 * when the client closes its end. */
#include "cli/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/glyph.h"
#include "base/vec.h"
#include "cli/child.h"
#include "report/formats/json_text.h"
#include "report/formats/rpc.h"

#define MAX_LINE (1u << 20)     /* longest request */
#define MAX_ANSWER (256u << 10) /* bytes of what a command printed */
#define MAX_OUTPUT (64u << 20)  /* largest output file that is read */
#define MAX_WAITING (4u << 20)  /* bytes of requests that wait while a command runs */
#define PROTOCOL "2025-06-18"

enum {
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    NO_METHOD = -32601,
    INVALID_PARAMS = -32602
};

static const cli_option mcp_table[] = {{0}};

TD_VEC(char *, word_vec);

/* ---- what a command prints ---- */

typedef struct server {
    td_text log;    /* path of the file for the output of commands */
    td_text result; /* path of the file for the result of a run as JSON */
    td_text input;  /* bytes read from the client */
    size_t next;    /* offset of the next request in input */
    size_t checked; /* offset of the first line that was not checked for a cancellation */
    bool is_closed; /* the client has closed its end */
    const char *id; /* of the current call */
    bool is_cancelled;
    bool has_result; /* the result file is that of the current call */
} server;

/* ---- input ---- */

/* Reads what the client has sent; waits at most ms milliseconds for it, or for ever if ms is -1. */
static void read_input(server *s, int ms)
{
    char bytes[4096];
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    if (s->is_closed || poll(&in, 1, ms) <= 0)
        return;
    ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n > 0)
        td_text_put(&s->input, bytes, (size_t)n);
    else if (n == 0 || errno != EINTR)
        s->is_closed = true;
}

/* The newline of the line that begins at an offset, or NULL if it has not been read yet. */
static const char *line_end(const server *s, size_t from)
{
    return from < s->input.len ? memchr(s->input.at + from, '\n', s->input.len - from)
                               : NULL;
}

/* Sets is_cancelled if a waiting line cancels the current call. */
static void check_cancellation(server *s)
{
    const char *end;
    for (; (end = line_end(s, s->checked)) != NULL;
         s->checked = (size_t)(end - s->input.at) + 1) {
        rep_rpc r = {0};
        size_t n = (size_t)(end - s->input.at) - s->checked;
        if (n <= MAX_LINE &&
            rep_rpc_read(s->input.at + s->checked, n, &r, NULL) == TD_OK &&
            strcmp(r.method, "notifications/cancelled") == 0 && r.about && s->id &&
            strcmp(r.about, s->id) == 0)
            s->is_cancelled = true;
        rep_rpc_fini(&r);
    }
}

/* Called while a command runs; false ends the command. */
static bool keep_command(void *ctx)
{
    enum { STEP_MS = 20 };
    server *s = ctx;
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    if (s->input.len - s->next < MAX_WAITING)
        read_input(s, STEP_MS);
    else
        nanosleep(&step, NULL);
    check_cancellation(s);
    return !s->is_cancelled && !s->is_closed;
}

/* ---- commands ---- */

/* Runs the command and puts its output and exit status into the answer. True if it succeeded. */
static bool run_words(server *s, word_vec *words, td_text *out)
{
    word_vec_push(words, NULL);
    int code = cli_child_while(words->at, s->log.at, keep_command, s);
    td_text text = {0};
    td_diag diag = {0};
    if (td_file_read(s->log.at, MAX_OUTPUT, &text, &diag) != TD_OK)
        td_text_add(&text, "%s\n", diag.text);
    if (text.len > MAX_ANSWER) {
        text.len = MAX_ANSWER;
        text.at[text.len] = '\0';
        td_text_add(&text, "\n[cut after %u bytes]\n", MAX_ANSWER);
    }
    td_text_add(out, "%s[exit %d]\n", text.at ? text.at : "", code);
    td_text_fini(&text);
    return code == CLI_EXIT_COMPLETE || code == CLI_EXIT_FOUND ||
           code == CLI_EXIT_INCOMPLETE || code == CLI_EXIT_NOT_REPRODUCED;
}

/* ---- tools ---- */

/* An argument of a tool: is_list: several texts. */
typedef struct tool_arg {
    const char *name, *text;
    bool is_needed, is_list;
} tool_arg;

typedef struct tool {
    const char *name, *text;
    tool_arg args[6]; /* the first one without a name ends them */
    bool (*call)(server *s, const rep_rpc *r, td_text *out);
} tool;

static void push_all(word_vec *words, const rep_rpc *r, const char *name)
{
    for (size_t i = 0; i < r->args.len; i++)
        if (strcmp(r->args.at[i].name, name) == 0)
            word_vec_push(words, r->args.at[i].value);
}

static bool call_run(server *s, const rep_rpc *r, td_text *out)
{
    static char run[] = "run", quiet[] = "-q", end[] = "--";
    const char *time = rep_rpc_arg_of(r, "time"), *goal = rep_rpc_arg_of(r, "goal"),
               *more = rep_rpc_arg_of(r, "keep_going");
    td_text time_word = {0}, goal_word = {0}, json_word = {0};
    static char keep[] = "-k";
    word_vec words = {0};
    td_text_add(&time_word, "--time=%s", time ? time : "60s");
    td_text_add(&goal_word, "--goal=%s", goal ? goal : "states");
    word_vec_push(&words, run);
    word_vec_push(&words, quiet);
    word_vec_push(&words, time_word.at);
    word_vec_push(&words, goal_word.at);
    td_text_add(&json_word, "--json=%s", s->result.at);
    word_vec_push(&words, json_word.at);
    if (more && strcmp(more, "true") == 0)
        word_vec_push(&words, keep);
    word_vec_push(&words, end);
    push_all(&words, r, "program");
    push_all(&words, r, "args");
    bool done = run_words(s, &words, out);
    s->has_result = done;
    word_vec_fini(&words);
    td_text_fini(&json_word);
    td_text_fini(&time_word);
    td_text_fini(&goal_word);
    return done;
}

/* treadle cc or treadle c++. */
static bool call_build(server *s, const rep_rpc *r, td_text *out)
{
    static char c[] = "cc", cxx[] = "c++";
    const char *language = rep_rpc_arg_of(r, "language");
    word_vec words = {0};
    word_vec_push(&words, language && strcmp(language, "c++") == 0 ? cxx : c);
    push_all(&words, r, "args");
    bool done = run_words(s, &words, out);
    word_vec_fini(&words);
    return done && strstr(out->at, "[exit 0]");
}

static bool call_check(server *s, const rep_rpc *r, td_text *out)
{
    static char check[] = "check", quiet[] = "-q";
    const char *time = rep_rpc_arg_of(r, "time"), *dir = rep_rpc_arg_of(r, "dir");
    td_text time_word = {0}, dir_word = {0};
    word_vec words = {0};
    td_text_add(&time_word, "--time=%s", time ? time : "5m");
    td_text_add(&dir_word, "--dir=%s", dir ? dir : ".");
    word_vec_push(&words, check);
    word_vec_push(&words, quiet);
    word_vec_push(&words, time_word.at);
    word_vec_push(&words, dir_word.at);
    bool done = run_words(s, &words, out);
    word_vec_fini(&words);
    td_text_fini(&time_word);
    td_text_fini(&dir_word);
    return done;
}

/* A command about one finding. */
static bool call_about(server *s, const char *command, const rep_rpc *r, td_text *out)
{
    TD_ASSERT(rep_rpc_arg_of(r, "finding") != NULL);
    const char *finding = rep_rpc_arg_of(r, "finding"),
               *program = rep_rpc_arg_of(r, "program");
    td_text program_word = {0};
    word_vec words = {0};
    char *name = td_strdup(command), *id = td_strdup(finding);
    word_vec_push(&words, name);
    if (program) {
        td_text_add(&program_word, "--program=%s", program);
        word_vec_push(&words, program_word.at);
    }
    static char end[] = "--";
    word_vec_push(&words, end);
    word_vec_push(&words, id);
    bool done = run_words(s, &words, out);
    word_vec_fini(&words);
    td_text_fini(&program_word);
    td_free(name);
    td_free(id);
    return done;
}

static bool call_show(server *s, const rep_rpc *r, td_text *out)
{
    return call_about(s, "show", r, out);
}

static bool call_replay(server *s, const rep_rpc *r, td_text *out)
{
    return call_about(s, "replay", r, out);
}

static bool read_session(const rep_rpc *r, rep_past *past, td_text *out)
{
    td_diag diag = {0};
    if (cli_past_read(rep_rpc_arg_of(r, "session"), NULL, past, &diag) == TD_OK)
        return true;
    td_text_add(out, "%s\n", diag.text);
    return false;
}

static bool call_findings(server *s, const rep_rpc *r, td_text *out)
{
    (void)s;
    rep_past past;
    if (!read_session(r, &past, out))
        return false;
    td_text_add(out, "%s: %s, %" PRIu64 " runs, %zu findings\n",
                rep_past_fact(&past, "program"), rep_past_fact(&past, "verdict"),
                rep_past_number(&past, "runs"), past.pages.len);
    for (size_t i = 0; i < past.pages.len; i++) {
        const rep_page *p = &past.pages.at[i];
        td_text_add(out, "%s  %s  %s:%" PRIu32 ": %s\n", p->id, p->title,
                    rep_past_path(&past, p->at.file), p->at.line, p->message);
    }
    rep_past_fini(&past);
    return true;
}

static bool call_ledger(server *s, const rep_rpc *r, td_text *out)
{
    (void)s;
    rep_past past;
    if (!read_session(r, &past, out))
        return false;
    td_text_add(out, "%s%s%s\n", rep_past_fact(&past, "verdict"),
                *rep_past_stopped(&past) ? ": " : "", rep_past_stopped(&past));
    for (size_t i = 0; i < past.ledger.gaps.len; i++) {
        const det_gap *g = &past.ledger.gaps.at[i];
        td_text_add(out, "%s:%" PRIu32 " x%" PRIu64 " %s: %s\n", g->file, g->line,
                    g->count, g->kind, g->text);
    }
    rep_past_fini(&past);
    return true;
}

static const tool tools[] = {
    {"build",
     "Compile or link by 'treadle cc', which takes the options of clang",
     {{"args", "the words behind cc: -g, -O1, -pthread, x.c, -o, x", true, true},
      {"language", "c or c++ (default c)", false, false}},
     call_build},
    {"check",
     "Build the project of a folder (CMake, Meson, autotools or make) and explore each "
     "of its tests by case",
     {{"dir", "folder of the project (default: .)", false, false},
      {"time", "limit for all cases together (default 5m)", false, false}},
     call_check},
    {"run",
     "Explore the schedules of a program that was built with 'treadle cc', and print the "
     "bugs it has, "
     "or whether everything was covered",
     {{"program", "path of the program", true, false},
      {"args", "its arguments", false, true},
      {"time", "limit: 500ms, 10s, 5m (default 60s)", false, false},
      {"goal", "states, traces, branches, races or auto (default states)", false, false},
      {"keep_going", "true: do not stop at the first bug", false, false}},
     call_run},
    {"findings",
     "List the findings of a session: id, kind, place, message",
     {{"session", "directory (default: the newest session)", false, false}},
     call_findings},
    {"explain",
     "Print the report of a finding: the interleaving that fails, why, and a change with "
     "which no schedule fails, if one was found",
     {{"finding", "its id, as findings lists it, or the path of a recording", true,
       false}},
     call_show},
    {"show",
     "The same as explain",
     {{"finding", "its id, as findings lists it, or the path of a recording", true,
       false}},
     call_show},
    {"replay",
     "Run a finding again, to see whether the program still fails",
     {{"finding", "its id, or the path of a recording", true, false},
      {"program", "run this program instead of the recorded one", false, false}},
     call_replay},
    {"ledger",
     "List what a session did not cover, by source line",
     {{"session", "directory (default: the newest session)", false, false}},
     call_ledger},
};

#define N_TOOLS (sizeof tools / sizeof tools[0])

/* ---- answers ---- */

static void begin(rep_json *j, const rep_rpc *r)
{
    rep_json_open(j, NULL, '{');
    rep_json_text(j, "jsonrpc", "2.0");
    td_text_add(j->out, ",\"id\":%s", r->id ? r->id : "null");
}

/* One line, whatever is in it. */
static void send(td_text *text)
{
    TD_ASSERT(text->len > 0);
    for (size_t i = 0; i < text->len; i++)
        if (text->at[i] == '\n')
            text->at[i] = ' '; /* between items only: texts have it escaped */
    td_text_add(text, "\n");
    fwrite(text->at, 1, text->len, stdout);
    fflush(stdout);
}

static void fail(const rep_rpc *r, int code, const char *message)
{
    td_text text = {0};
    rep_json j = {.out = &text};
    begin(&j, r);
    rep_json_open(&j, "error", '{');
    rep_json_integer(&j, "code", code);
    rep_json_text(&j, "message", message);
    rep_json_close(&j, '}');
    rep_json_close(&j, '}');
    send(&text);
    td_text_fini(&text);
}

/* The version that is asked for, if it has what we use; else ours. */
static const char *version_for(const rep_rpc *r)
{
    static const char *const known[] = {"2024-11-05", "2025-03-26", PROTOCOL};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i], r->version) == 0)
            return known[i];
    return PROTOCOL;
}

static void put_initialize(rep_json *j, const rep_rpc *r)
{
    rep_json_text(j, "protocolVersion", version_for(r));
    rep_json_open(j, "capabilities", '{');
    rep_json_open(j, "tools", '{');
    rep_json_close(j, '}');
    rep_json_close(j, '}');
    rep_json_open(j, "serverInfo", '{');
    rep_json_text(j, "name", "treadle");
    rep_json_text(j, "version", TREADLE_VERSION);
    rep_json_close(j, '}');
}

static void put_schema(rep_json *j, const tool *t)
{
    rep_json_open(j, "inputSchema", '{');
    rep_json_text(j, "type", "object");
    rep_json_open(j, "properties", '{');
    for (const tool_arg *a = t->args; a->name; a++) {
        rep_json_open(j, a->name, '{');
        rep_json_text(j, "type", a->is_list ? "array" : "string");
        if (a->is_list) {
            rep_json_open(j, "items", '{');
            rep_json_text(j, "type", "string");
            rep_json_close(j, '}');
        }
        rep_json_text(j, "description", a->text);
        rep_json_close(j, '}');
    }
    rep_json_close(j, '}');
    rep_json_open(j, "required", '[');
    for (const tool_arg *a = t->args; a->name; a++)
        if (a->is_needed)
            rep_json_text(j, NULL, a->name);
    rep_json_close(j, ']');
    rep_json_close(j, '}');
}

static void put_tools(rep_json *j, const rep_rpc *r)
{
    (void)r;
    rep_json_open(j, "tools", '[');
    for (size_t i = 0; i < N_TOOLS; i++) {
        rep_json_open(j, NULL, '{');
        rep_json_text(j, "name", tools[i].name);
        rep_json_text(j, "description", tools[i].text);
        put_schema(j, &tools[i]);
        rep_json_close(j, '}');
    }
    rep_json_close(j, ']');
}

static void put_nothing(rep_json *j, const rep_rpc *r)
{
    (void)j;
    (void)r;
}

static void answer(const rep_rpc *r, void (*put)(rep_json *j, const rep_rpc *r))
{
    td_text text = {0};
    rep_json j = {.out = &text};
    begin(&j, r);
    rep_json_open(&j, "result", '{');
    put(&j, r);
    rep_json_close(&j, '}');
    rep_json_close(&j, '}');
    send(&text);
    td_text_fini(&text);
}

/* Shows invisible characters, and those that change the direction of text, as escapes. */
static void answer_call(const server *s, const rep_rpc *r, const td_text *said, bool done)
{
    td_text text = {0}, shown = {0};
    td_text_put_visible(&shown, said->at ? said->at : "");
    rep_json j = {.out = &text};
    begin(&j, r);
    rep_json_open(&j, "result", '{');
    rep_json_open(&j, "content", '[');
    rep_json_open(&j, NULL, '{');
    rep_json_text(&j, "type", "text");
    rep_json_text(&j, "text", shown.at ? shown.at : "");
    rep_json_close(&j, '}');
    rep_json_close(&j, ']');
    rep_json_bool(&j, "isError", !done);
    td_text result = {0}, visible = {0};
    if (s->has_result && td_file_read(s->result.at, MAX_ANSWER, &result, NULL) == TD_OK)
        td_text_put_visible(&visible, result.len > 0 ? result.at : "");
    if (visible.len > 0 && strcmp(visible.at, result.at) == 0)
        td_text_add(j.out, ",\"structuredContent\":%s", result.at);
    td_text_fini(&visible);
    td_text_fini(&result);
    rep_json_close(&j, '}');
    rep_json_close(&j, '}');
    send(&text);
    td_text_fini(&shown);
    td_text_fini(&text);
}

/* ---- requests ---- */

/* The name of an argument that is missing, unknown or given twice; NULL: all is well. */
static const char *wrong_arg(const tool *t, const rep_rpc *r)
{
    for (const tool_arg *a = t->args; a->name; a++)
        if (a->is_needed && !rep_rpc_arg_of(r, a->name))
            return a->name;
    for (size_t i = 0; i < r->args.len; i++) {
        const tool_arg *a = t->args;
        while (a->name && strcmp(a->name, r->args.at[i].name) != 0)
            a++;
        if (!a->name ||
            (!a->is_list && rep_rpc_arg_of(r, a->name) != r->args.at[i].value))
            return r->args.at[i].name;
    }
    return NULL;
}

static void call_tool(server *s, const rep_rpc *r)
{
    const tool *t = NULL;
    for (size_t i = 0; i < N_TOOLS; i++)
        if (strcmp(tools[i].name, r->tool) == 0)
            t = &tools[i];
    const char *name = t ? wrong_arg(t, r) : NULL;
    td_text said = {0};
    if (!t || name) {
        if (!t)
            td_text_add(&said, "there is no tool '%s'", r->tool);
        else
            td_text_add(&said, "the argument '%s' is missing, unknown or given twice",
                        name);
        fail(r, INVALID_PARAMS, said.at);
    } else {
        s->id = r->id;
        s->is_cancelled = s->has_result = false;
        bool done = t->call(s, r, &said);
        s->id = NULL;
        if (!s->is_cancelled) /* a cancelled request gets no answer */
            answer_call(s, r, &said, done);
    }
    td_text_fini(&said);
}

static void obey(server *s, const rep_rpc *r)
{
    static const struct {
        const char *method;
        void (*put)(rep_json *j, const rep_rpc *r);
    } methods[] = {{"initialize", put_initialize},
                   {"tools/list", put_tools},
                   {"ping", put_nothing}};
    if (!r->id)
        return; /* a notification: all are ignored */
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(r->method, methods[i].method) == 0) {
            answer(r, methods[i].put);
            return;
        }
    if (strcmp(r->method, "tools/call") == 0)
        call_tool(s, r);
    else
        fail(r, NO_METHOD, "there is no such method");
}

/* Reads a line without its end; false at the end of input. A line that is too long is dropped, and
 * *is_long set. */
static bool read_line(server *s, td_text *line, bool *is_long)
{
    const char *end;
    td_text_clear(line);
    *is_long = false;
    while ((end = line_end(s, s->next)) == NULL && !s->is_closed) {
        size_t n = s->input.len - s->next;
        if (n > MAX_LINE) { /* drop its bytes */
            *is_long = true;
            s->input.len = s->next;
        }
        read_input(s, -1);
    }
    size_t stop = end ? (size_t)(end - s->input.at) : s->input.len, n = stop - s->next;
    bool any = end || n > 0 || *is_long;
    *is_long |= n > MAX_LINE;
    if (n > 0 && !*is_long)
        td_text_put(line, s->input.at + s->next, n);
    s->next = stop + (end != NULL);
    if (s->next > 0 && s->next <= s->input.len) { /* drop what has been answered */
        memmove(s->input.at, s->input.at + s->next, s->input.len - s->next);
        s->input.len -= s->next;
        s->checked = s->checked > s->next ? s->checked - s->next : 0;
        s->next = 0;
    }
    return any;
}

static void serve(server *s)
{
    td_text line = {0};
    bool is_long = false;
    while (read_line(s, &line, &is_long)) {
        rep_rpc r = {0};
        td_diag diag = {0};
        if (is_long)
            fail(&r, PARSE_ERROR, "the request is too long");
        else if (line.len == 0 || strspn(line.at, " \t\r") == line.len)
            continue;
        else if (rep_rpc_read(line.at, line.len, &r, &diag) == TD_OK)
            obey(s, &r);
        else
            fail(&r, r.id ? INVALID_REQUEST : PARSE_ERROR, diag.text);
        rep_rpc_fini(&r);
    }
    td_text_fini(&line);
}

static int mcp_main(const cli_command *self, int argc, char **argv)
{
    cli_words words = {argc - 1, argv + 1};
    char none = 0;
    server s = {0};
    int code = cli_command_parse(self, &words, &none);
    if (code >= 0)
        return code;
    if (words.n > 0)
        return cli_fail(CLI_EXIT_USAGE, "mcp takes no arguments: it reads requests");
    td_text folder = {0};
    td_text_add(&folder, "%s/treadle-mcp-XXXXXX", td_temp_folder());
    if (mkdtemp(folder.at)) {
        td_text_add(&s.log, "%s/output", folder.at);
        td_text_add(&s.result, "%s/result.json", folder.at);
        serve(&s);
        unlink(s.log.at);
        unlink(s.result.at);
        rmdir(folder.at);
        code = CLI_EXIT_COMPLETE;
    } else {
        code = cli_fail(CLI_EXIT_USAGE, "mcp: cannot create %s", folder.at);
    }
    td_text_fini(&folder);
    td_text_fini(&s.input);
    td_text_fini(&s.result);
    td_text_fini(&s.log);
    return code;
}

const cli_command cli_mcp = {
    .name = "mcp",
    .words = "",
    .text = "serve tools over the Model Context Protocol",
    .table = mcp_table,
    .main = mcp_main,
    .exits = "  0   end of input\n  2   usage error\n  70  internal error\n",
};
