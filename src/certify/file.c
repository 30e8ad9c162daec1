/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a certificate, as src/session/certificate.c writes it. It is not trusted: any bytes give a list of
 * schedules, which are executed. */
#include "certify/certify.h"

#include <errno.h>
#include <stdlib.h>

#define MAX_THREAD (1u << 20)
#define MAX_STEPS (1u << 26)

static td_status wrong(size_t line, const char *what, td_diag *diag)
{
    return td_diag_set(diag, TD_E_FORMAT, "not a certificate: line %zu: %s", line, what);
}

/* A number of decimal digits, and what ends it. */
static bool read_number(char **at, uint32_t max, uint32_t *out)
{
    char *end = *at;
    if (*end < '0' || *end > '9')
        return false;
    errno = 0;
    unsigned long long n = strtoull(*at, &end, 10);
    *at = end;
    *out = (uint32_t)n;
    return errno == 0 && n <= max;
}

/* "0:2 1:7", thread and count. */
static bool read_steps(crt_file *f, char *at)
{
    while (*at) {
        wire_step step;
        if (!read_number(&at, MAX_THREAD, &step.thread) || *at++ != ':' ||
            !read_number(&at, UINT32_MAX - 1, &step.count) || step.count == 0 ||
            f->steps.len >= MAX_STEPS)
            return false;
        crt_steps_push(&f->steps, step);
        if (*at == ' ')
            at++;
        else if (*at)
            return false;
    }
    crt_list_push(&f->ends, (uint32_t)f->steps.len);
    return true;
}

static bool read_count(char *value, uint32_t max, uint32_t *out)
{
    return read_number(&value, max, out) && *value == '\0';
}

static bool read_promoted(crt_file *f, char *value)
{
    wire_promoted p = {0, WIRE_PROMOTED};
    if (f->promoted.len >= WIRE_MAX_PROMOTED ||
        !read_count(value, UINT32_MAX - 1, &p.site))
        return false;
    crt_promoted_push(&f->promoted, p);
    return true;
}

/* Fields but for runs and the end. */
static bool read_field(crt_file *f, const char *name, char *value)
{
    if (strcmp(name, "goal") == 0) {
        f->wants_states = strcmp(value, "states") == 0;
        return f->wants_states || strcmp(value, "traces") == 0;
    }
    if (strcmp(name, "build-id") == 0)
        f->build_id = value;
    else if (strcmp(name, "arg") == 0)
        crt_args_push(&f->args, value);
    else if (strcmp(name, "spurious") == 0)
        return read_count(value, 1000, &f->spurious) && ++f->spurious > 0;
    else if (strcmp(name, "reuse") == 0)
        f->reuse = true;
    else if (strcmp(name, "promote") == 0)
        return read_promoted(f, value);
    else
        return false;
    return true;
}

/* The next line without its newline; NULL: no more, or one that is cut. */
static char *next_line(char **at, char *end)
{
    char *line = *at,
         *newline = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
    if (!newline || memchr(line, '\0', (size_t)(newline - line)))
        return NULL;
    *newline = '\0';
    *at = newline + 1;
    return line;
}

td_status crt_file_parse(crt_file *f, td_diag *diag)
{
    char *at = f->text.at, *end = at + f->text.len;
    bool has_goal = false;
    f->build_id = "";
    char *line = f->text.len > 0 ? next_line(&at, end) : NULL;
    if (!line || strcmp(line, "treadle-certificate 1") != 0)
        return wrong(1, "expected 'treadle-certificate 1'", diag);
    for (size_t number = 2; (line = next_line(&at, end)); number++) {
        uint32_t n;
        char *value = line + strcspn(line, " ");
        if (*value)
            *value++ = '\0';
        if (strcmp(line, "end") == 0) {
            bool is_end = read_count(value, UINT32_MAX - 1, &n) && n == f->ends.len &&
                          at == end && has_goal;
            return is_end ? TD_OK
                          : wrong(number, "the end line does not match the file", diag);
        }
        bool is_run = strcmp(line, "run") == 0;
        if (is_run ? !read_steps(f, value) : !read_field(f, line, value))
            return wrong(number, "malformed", diag);
        has_goal |= strcmp(line, "goal") == 0;
    }
    return td_diag_set(
        diag, TD_E_FORMAT,
        "incomplete certificate: the end line is missing; was the session interrupted?");
}

void crt_file_fini(crt_file *f)
{
    td_text_fini(&f->text);
    crt_args_fini(&f->args);
    crt_promoted_fini(&f->promoted);
    crt_steps_fini(&f->steps);
    crt_list_fini(&f->ends);
    *f = (crt_file){0};
}
