/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the C library that are not reimplemented: the accesses in a function's row (wire/library.h)
 * are checked as accesses of the call. The thunk that treadle cc makes for each (switch.S has the common
 * part) calls this file before the function, and after it if the accesses depend on its result. */
#include "runtime/posix/libcall.h"
#include "runtime/posix/posix.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <wchar.h>

#include "runtime/core/spin.h"
#include "runtime/memory/accesses.h"
#include "runtime/posix/sync.h"
#include "runtime/symbolic/values.h"

static_assert(sizeof(rt_call) % 16 == 0, "the stack stays aligned");
static_assert(offsetof(rt_call, real) == RT_CALL_REAL, "switch.S knows it");
static_assert(sizeof(rt_call) == RT_CALL_SIZE, "switch.S knows it");

/* ---- accesses ---- */

/* True if the value cannot be a memory address: NULL, "FE_DFL_ENV", an error code. */
bool rt_library_is_nowhere(uint64_t p)
{
    return p < 4096 || p >= UINT64_C(0x7ffffffff000);
}

/* What it is given goes out: nothing is lost with a symbolic value. */
static bool is_output(const char *name)
{
    static const struct {
        const char *name;
        enum wire_known how;
    } known[] = {
#define X(function, what) {#function, WIRE_KNOWN_##what},
        WIRE_KNOWN(X)
#undef X
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].how == WIRE_KNOWN_OUTPUT;
    return false;
}

void rt_library_read(const rt_call *c, uint64_t p, uint64_t size)
{
    if (rt_library_is_nowhere(p) || size == 0)
        return;
    rt_access_by_library(p, size, false, c->number);
    if (!c->is_ours && rt_sym_any(p, size) && !is_output(c->name))
        rt_sym_bytes_concrete((const void *)p, size, c->number, c->name);
}

void rt_library_write(const rt_call *c, uint64_t p, uint64_t size)
{
    if (rt_library_is_nowhere(p) || size == 0)
        return;
    rt_access_by_library(p, size, true, c->number);
    if (!c->is_ours)
        rt_sym_forget(p, size);
}

/* ---- words of a signature ---- */

/* One argument, or one effect on it. */
typedef struct word {
    const char *at; /* what is left of it */
    rt_call *c;
    uint64_t value; /* value of the argument */
    uint32_t i;     /* which one */
    bool is_after;
} word;

uint64_t rt_library_argument(const rt_call *c, uint32_t i)
{
    return i < RT_CALL_INTS ? c->ints[i] : c->stack[i - RT_CALL_INTS];
}

static uint64_t number(word *w)
{
    uint64_t n = 0;
    for (; *w->at >= '0' && *w->at <= '9'; w->at++)
        n = n * 10 + (uint64_t)(*w->at - '0');
    return n;
}

/* @K */
static uint64_t other(word *w)
{
    w->at++;
    uint64_t i = number(w);
    RT_ASSERT(i >= 1 && i <= RT_CALL_INTS); /* by the row */
    return rt_library_argument(w->c, (uint32_t)i - 1);
}

static bool takes(word *w, char letter)
{
    if (*w->at != letter)
        return false;
    w->at++;
    return true;
}

static uint64_t text_bytes(uint64_t p, bool is_wide, uint64_t most)
{
    if (rt_library_is_nowhere(p))
        return 0;
    uint64_t unit = is_wide ? sizeof(wchar_t) : 1;
    uint64_t n =
        is_wide ? wcsnlen((const wchar_t *)p, most) : strnlen((const char *)p, most);
    return (n < most ? n + 1 : n) * unit;
}

/* The factors behind what was counted. */
static uint64_t times(word *w, uint64_t n)
{
    if (takes(w, '*'))
        return n * number(w);
    if (*w->at == '@')
        return n * other(w);
    if (!takes(w, '+'))
        return n;
    n += number(w);
    return takes(w, '<') &&
                   w->c->results[0] >= rt_library_argument(w->c, (uint32_t)number(w) - 1)
               ? 0
               : n;
}

/* What a size is after the call, which is the only time it is asked for. */
static uint64_t size_by_result(word *w, bool is_read)
{
    int64_t n = (int64_t)w->c->results[0];
    bool is_int = n == (int64_t)(uint32_t)n && (int32_t)n < 0; /* -1 as an int */
    if (n < 0 || is_int)
        n = 0;
    else if (n == 0 && is_read)
        n = 1; /* the byte that ended it */
    bool none = n == 0;
    uint64_t size = times(w, (uint64_t)n);
    return none ? 0 : size;
}

static uint64_t size_by_text(word *w)
{
    bool is_wide = *w->at++ == 'w';
    if (*w->at == '@' && other(w) == 0)
        return 0;
    return w->is_after ? text_bytes(w->value, is_wide, UINT32_MAX) : 0;
}

/* Reads the length to which an argument points, after the call; at most its value before the call. */
static uint64_t size_by_length(word *w)
{
    uint64_t length = rt_library_argument(w->c, (uint32_t)number(w) - 1);
    if (rt_library_is_nowhere(length))
        return 0;
    uint64_t size = *(const uint32_t *)length;
    if (!w->is_after)
        w->c->kept[0] = size;
    return size < w->c->kept[0] ? size : w->c->kept[0];
}

/* Size of an Internet address. */
static uint64_t size_by_family(const rt_call *c)
{
    return (int)c->ints[0] == AF_INET ? 4 : (int)c->ints[0] == AF_INET6 ? 16 : 0;
}

/* Parses a SIZE. *late: it is known after the call. */
static uint64_t size_of(word *w, bool is_read, bool *late)
{
    if (takes(w, '=')) {
        *late = true;
        return size_by_result(w, is_read);
    }
    if (*w->at == 's' || *w->at == 'w') {
        *late = true;
        return size_by_text(w);
    }
    if (takes(w, '$')) {
        *late = true;
        return size_by_length(w);
    }
    if (takes(w, 'F'))
        return size_by_family(w->c);
    return times(w, *w->at == '@' ? other(w) : number(w));
}

/* Evaluates ?C; true if there is none. */
static bool condition(word *w, bool *late)
{
    uint64_t result = w->c->results[0];
    if (!takes(w, '?'))
        return true;
    *late = true;
    char how = *w->at++;
    if (how == '@') {
        w->at--;
        uint64_t where = other(w);
        return w->is_after && !rt_library_is_nowhere(where) &&
               *(const uint64_t *)where == w->value;
    }
    return how == '0'   ? (int)result == 0
           : how == 'p' ? result != 0
           : how == '-' ? (int)result != 0
           : how == '+' ? (int)result >= 0
           : how == '!' ? result != UINT64_MAX && (int)result != -1
                        : result == w->value;
}

/* i, o, b. What is written later is kept for loops now, while it has its old value. */
static void touch_sized(word *w, char kind)
{
    bool late = false;
    uint64_t size = size_of(w, kind == 'i', &late);
    bool holds = condition(w, &late);
    w->c->is_late |= late;
    if (late && !w->is_after && kind != 'i' && size > 0 && size <= 16 &&
        !rt_library_is_nowhere(w->value))
        rt_spin_access(rt->self, w->value, size, true, rt_site_number(w->c->site));
    if (late != w->is_after || !holds)
        return;
    if (kind != 'o')
        rt_library_read(w->c, w->value, size);
    if (kind != 'i')
        rt_library_write(w->c, w->value, size);
    if (late && kind != 'i' && size > 16 && !w->c->is_ours)
        rt_changed();
}

/* ---- texts ---- */

static void touch_text(word *w, bool is_wide)
{
    uint64_t most = UINT32_MAX;
    if (*w->at == '@')
        most = other(w);
    else if (takes(w, '#'))
        most = number(w);
    if (!w->is_after)
        rt_library_read(w->c, w->value, text_bytes(w->value, is_wide, most));
}

static uint64_t letter_at(uint64_t p, bool is_wide, uint64_t i)
{
    return is_wide ? (uint64_t)((const wchar_t *)p)[i] : ((const unsigned char *)p)[i];
}

/* Compares case-insensitively (ASCII). */
static bool may_equal(uint64_t a, uint64_t b)
{
    return a == b || ((a | 32) == (b | 32) && a < 128);
}

/* C, D: as far as the two texts are the same whatever the comparison makes of letters. */
static void touch_compared(word *w, bool is_ended)
{
    bool is_wide = takes(w, 'w');
    uint64_t unit = is_wide ? sizeof(wchar_t) : 1;
    uint64_t most = *w->at == '@' ? other(w) : UINT32_MAX, n = 0;
    uint64_t b = rt_library_argument(w->c, w->i + 1);
    if (w->is_after || rt_library_is_nowhere(w->value) || rt_library_is_nowhere(b))
        return;
    bool folds = strstr(w->c->name, "case") != NULL;
    while (n < most) {
        uint64_t x = letter_at(w->value, is_wide, n), y = letter_at(b, is_wide, n);
        n++;
        if (!(folds ? may_equal(x, y) : x == y) || (is_ended && x == 0))
            break;
    }
    rt_library_read(w->c, w->value, n * unit);
    rt_library_read(w->c, b, n * unit);
}

/* k, j: the result shows how far the search went. */
static void touch_searched(word *w, bool is_pointer)
{
    bool is_wide = takes(w, 'w');
    uint64_t unit = is_wide ? sizeof(wchar_t) : 1, result = w->c->results[0];
    uint64_t most = *w->at == '@' ? other(w) : 0;
    w->c->is_late = true;
    if (!w->is_after)
        return;
    uint64_t size = most ? most * unit : text_bytes(w->value, is_wide, UINT32_MAX);
    if (!is_pointer)
        size = (result + 1) * unit;
    else if (result != 0)
        size = result - w->value + unit;
    rt_library_read(w->c, w->value, size);
}

/* n, N: the C library determines where the number ends. */
static void touch_number(word *w, bool is_integer)
{
    bool is_wide = takes(w, 'w');
    char *end = NULL;
    wchar_t *wide_end = NULL;
    if (w->is_after || rt_library_is_nowhere(w->value))
        return;
    if (is_wide && is_integer)
        (void)wcstoull((const wchar_t *)w->value, &wide_end, (int)w->c->ints[2]);
    else if (is_wide)
        (void)wcstod((const wchar_t *)w->value, &wide_end);
    else if (is_integer)
        (void)strtoull((const char *)w->value, &end, (int)w->c->ints[2]);
    else
        (void)strtod((const char *)w->value, &end);
    uint64_t to = is_wide ? (uint64_t)(wide_end + 1) : (uint64_t)(end + 1);
    rt_library_read(w->c, w->value, to - w->value);
}

/* a: what was its end is kept. */
static void touch_appended(word *w)
{
    bool is_wide = takes(w, 'w');
    uint64_t unit = is_wide ? sizeof(wchar_t) : 1;
    uint64_t size = text_bytes(w->value, is_wide, UINT32_MAX);
    w->c->is_late = true;
    if (size == 0)
        return;
    if (w->is_after) {
        uint64_t from = w->c->kept[0] - unit;
        rt_library_write(w->c, w->value + from, size - from);
        return;
    }
    rt_library_read(w->c, w->value, size);
    w->c->kept[0] = size;
}

#define TEXT_KEPT 4096u
static char text_kept[TEXT_KEPT]; /* for functions without callbacks */

/* z: text that the function may write to. */
static void touch_edited(word *w)
{
    w->c->is_late = true;
    if (rt_library_is_nowhere(w->value))
        return;
    if (!w->is_after) {
        uint64_t size = text_bytes(w->value, false, TEXT_KEPT);
        rt_library_read(w->c, w->value, size);
        memcpy(text_kept, (const char *)w->value, size);
        w->c->kept[1] = size;
        return;
    }
    for (uint64_t i = 0; i < w->c->kept[1]; i++)
        if (((const char *)w->value)[i] != text_kept[i])
            rt_library_write(w->c, w->value + i, 1);
    rt_changed();
}

/* ---- pointers that are moved ---- */

/* q, G: the k-th of the call. */
static void touch_moved(word *w, uint32_t k, bool is_line)
{
    bool reads = takes(w, 'i'), writes = !reads && takes(w, 'o');
    w->c->is_late = true;
    if (rt_library_is_nowhere(w->value) || k >= RT_CALL_KEPT)
        return;
    uint64_t now = *(const uint64_t *)w->value, was = w->c->kept[k];
    if (!w->is_after) {
        rt_library_read(w->c, w->value, sizeof now);
        rt_spin_access(rt->self, w->value, sizeof now, true, rt_site_number(w->c->site));
        w->c->kept[k] = now;
        return;
    }
    if (now != was)
        rt_library_write(w->c, w->value, sizeof now);
    if (reads && now > was)
        rt_library_read(w->c, was, now - was);
    if (writes && now > was)
        rt_library_write(w->c, was, now - was);
    int64_t length = (int64_t)w->c->results[0];
    if (is_line && length > 0)
        rt_library_write(w->c, now, (uint64_t)length + 1);
}

/* ---- lists of buffers ---- */

static void touch_buffers(const rt_call *c, const struct iovec *v, uint64_t n,
                          bool is_write)
{
    int64_t left = is_write ? (int64_t)c->results[0] : INT64_MAX;
    for (uint64_t i = 0; i < n && left > 0; i++) {
        uint64_t size = v[i].iov_len < (uint64_t)left ? v[i].iov_len : (uint64_t)left;
        if (is_write)
            rt_library_write(c, (uint64_t)v[i].iov_base, size);
        else
            rt_library_read(c, (uint64_t)v[i].iov_base, size);
        left -= (int64_t)size;
    }
}

/* I, J */
static void touch_vector(word *w, bool is_write)
{
    uint64_t n = other(w);
    w->c->is_late |= is_write;
    if (rt_library_is_nowhere(w->value) || n > 1024)
        return;
    if (!w->is_after)
        rt_library_read(w->c, w->value, n * sizeof(struct iovec));
    if (w->is_after == is_write)
        touch_buffers(w->c, (const struct iovec *)w->value, n, is_write);
}

/* M, R */
static void touch_message(const word *w, bool is_write)
{
    const struct msghdr *m = (const struct msghdr *)w->value;
    w->c->is_late |= is_write;
    if (rt_library_is_nowhere(w->value))
        return;
    if (!w->is_after)
        rt_library_read(w->c, w->value, is_write ? 32 : sizeof *m);
    if (w->is_after == is_write)
        touch_buffers(w->c, m->msg_iov, m->msg_iovlen, is_write);
}

/* L */
static void touch_polled(word *w)
{
    struct pollfd *fds = (struct pollfd *)w->value;
    uint64_t n = other(w);
    w->c->is_late = true;
    for (uint64_t i = 0; i < n && !rt_library_is_nowhere(w->value); i++)
        if (!w->is_after)
            rt_library_read(w->c, (uint64_t)&fds[i], offsetof(struct pollfd, revents));
        else if ((int)w->c->results[0] >= 0)
            rt_library_write(w->c, (uint64_t)&fds[i].revents, sizeof fds[i].revents);
}

/* U */
static void touch_set(const word *w)
{
    uint64_t size = ((uint64_t)(uint32_t)w->c->ints[0] + 63) / 64 * 8;
    w->c->is_late = true;
    if (!w->is_after)
        rt_library_read(w->c, w->value, size);
    else if ((int)w->c->results[0] >= 0)
        rt_library_write(w->c, w->value, size);
}

/* The variables that getopt has for its caller. */
static void touch_getopt(const rt_call *c)
{
    rt_library_read(c, (uint64_t)&optind, sizeof optind);
    rt_library_read(c, (uint64_t)&opterr, sizeof opterr);
    rt_library_write(c, (uint64_t)&optind, sizeof optind);
    rt_library_write(c, (uint64_t)&optarg, sizeof optarg);
    rt_library_write(c, (uint64_t)&optopt, sizeof optopt);
}

/* E: the next word of main's arguments is read; symbolic bytes of any are not followed. */
static void touch_words(const word *w)
{
    char *const *argv = (char *const *)w->value;
    int n = (int)w->c->ints[0];
    if (w->is_after || rt_library_is_nowhere(w->value))
        return;
    touch_getopt(w->c);
    if (optind < n)
        rt_library_read(w->c, (uint64_t)&argv[optind], sizeof *argv);
    for (int i = optind > 0 ? optind : 1; i < n && argv[i]; i++)
        if (rt_sym_any((uint64_t)argv[i], strlen(argv[i]) + 1))
            rt_library_read(w->c, (uint64_t)argv[i], strlen(argv[i]) + 1);
}

/* ---- rows ---- */

/* One effect on an argument. k counts what is kept of moved pointers. */
static void touch(word *w, uint32_t *k)
{
    char kind = *w->at++;
    switch (kind) {
    case 's':
    case 'w':
        touch_text(w, kind == 'w');
        break;
    case 'i':
    case 'o':
    case 'b':
        touch_sized(w, kind);
        break;
    case 'n':
    case 'N':
        touch_number(w, kind == 'N');
        break;
    case 'C':
    case 'D':
        touch_compared(w, kind == 'C');
        break;
    case 'k':
    case 'j':
        touch_searched(w, kind == 'k');
        break;
    case 'a':
        touch_appended(w);
        break;
    case 'z':
        touch_edited(w);
        break;
    case 'q':
    case 'G':
        touch_moved(w, (*k)++, kind == 'G');
        break;
    case 'I':
    case 'J':
        touch_vector(w, kind == 'J');
        break;
    case 'M':
    case 'R':
        touch_message(w, kind == 'R');
        break;
    case 'L':
        touch_polled(w);
        break;
    case 'U':
        touch_set(w);
        break;
    case 'E':
        touch_words(w);
        break;
    case 'B':
        w->c->is_late = true;
        if (w->is_after)
            rt_library_stream_variable(w->c, w->value, w->i);
        break;
    case 'P':
    case 'Q':
        rt_library_format(w->c, w->i,
                          (kind == 'Q' ? RT_FORMAT_SCANS : 0) |
                              (takes(w, 'w') ? RT_FORMAT_WIDE : 0) |
                              (w->is_after ? RT_FORMAT_AFTER : 0));
        break;
    default:
        break;
    }
}

/* Handles codes that are not accesses through an argument; before the call. */
static void touch_other(const word *w)
{
    switch (*w->at) {
    case 'V':
        if (!rt_library_is_nowhere(w->value))
            rt_gap_once(WIRE_GAP_UNWATCHED, w->c->number, w->c->name);
        break;
    case 'F':
        if (!rt_library_is_nowhere(w->value))
            rt_foreign_called(w->value, w->c->number);
        break;
    case 'y':
    case 'Y':
        rt_library_stream(w->c, w->value, *w->at);
        rt_library_flush(w->c, w->value);
        break;
    case 'm':
    case 'p':
    case 'l':
    case 'e':
        rt_library_stream(w->c, w->value, *w->at);
        break;
    case 'W':
        rt_library_stream(w->c, (uint64_t)(w->at[2] == '1' ? stdout : stderr), 'p');
        break;
    case 'h':
    case 'H':
    case 'g':
        rt_library_file(w->c, w->value, *w->at);
        break;
    case 'K':
        rt_library_files(w->c, w->value, w->i);
        break;
    case 't':
        rt_cancel_point(w->c->number);
        break;
    case 'r':
    case 'u':
        rt_library_state(w->c, w->at + 2, *w->at == 'u');
        break;
    case 'O':
    case 'S':
        rt_library_system(w->c, w->at + 2, *w->at == 'S');
        break;
    case 'x':
        rt_gap_once(WIRE_GAP_UNWATCHED, w->c->number, w->c->name);
        break;
    case 'Z':
        rt_library_mapping(w->c);
        break;
    default:
        break;
    }
    if ((*w->at == 'c' || *w->at == 'x') && !w->c->is_ours)
        rt_changed();
}

/* Walks over the words of the row. */
static void touch_row(rt_call *c, bool is_after)
{
    word w = {.at = c->signature, .c = c, .is_after = is_after};
    uint32_t k = 2;
    while (*w.at) {
        w.value = rt_library_argument(c, w.i);
        if (!is_after)
            touch_other(&w);
        if (strncmp(w.at + 1, ":env", 4) == 0)
            rt_library_environ(c, *w.at, is_after);
        if (strchr("ruOSWfxctT", *w.at)) {
            w.at += strcspn(w.at, " ");
        } else {
            touch(&w, &k);
            while (takes(&w, '&'))
                touch(&w, &k);
            w.at += strcspn(w.at, " ");
            w.i++;
        }
        w.at += *w.at == ' ';
    }
    if (w.i > RT_CALL_INTS && c->n_stack < w.i - RT_CALL_INTS)
        c->n_stack = w.i - RT_CALL_INTS;
}

/* ---- the thunk ---- */

/* The row is text: the name, and the signature, with a '!' before it if the runtime does it; then
 * the thunk. */
static void open_row(rt_call *c)
{
    c->name = c->row;
    c->signature = c->name + strlen(c->name) + 1;
    uint64_t end = (uint64_t)(c->signature + strlen(c->signature) + 1);
    c->thunk = (end + RT_THUNK_ALIGN - 1) & ~(uint64_t)(RT_THUNK_ALIGN - 1);
    c->is_ours = *c->signature == '!';
    c->signature += c->is_ours;
}

/* True if the function is an uninstrumented one of the program itself: the row does not apply. */
static bool is_program(const rt_call *c)
{
    uint64_t start = PLAN_CTL->image_start, size = PLAN_CTL->image_size;
    bool may_be_static = strchr(c->signature, 'T') != NULL;
    return !c->is_ours && !may_be_static && c->real - start < size &&
           (uint64_t)&strfry - start >= size;
}

/* Words on the stack that the function gets, whatever it takes of them. */
#define LEAST_STACK 4u

/* 0: the thunk continues in the function. Else it calls it, with so many words of the stack less
 * one, and comes to rt_library_after. */
uint64_t rt_library_before(rt_call *c)
{
    if (!rt_on())
        return 0;
    int error = errno;
    c->site = PLAN_CTL->call_site;
    c->n_stack = LEAST_STACK;
    open_row(c);
    c->number = rt_call_site();
    c->is_late = strncmp(c->name, "_Z", 2) == 0;
    c->outer = rt->self->cxx_site;
    if (c->is_late) /* C++: its calls of the C library happen here */
        rt->self->foreign_site = rt->self->cxx_site = c->number;
    if (is_program(c))
        c->signature = "x";
    touch_row(c, false);
    if (c->is_ours) {
        PLAN_CTL->call_site = c->site;
        c->is_late |= PLAN_CTL->symbolic != 0;
        if (PLAN_CTL->callee == c->thunk)
            PLAN_CTL->callee = c->real;
    }
    errno = error;
    return c->is_late ? 1 + c->n_stack : 0;
}

void rt_library_after(rt_call *c)
{
    int error = errno;
    if (!rt_on())
        return;
    if (c->is_ours && PLAN_CTL->callee == c->real)
        PLAN_CTL->callee = c->thunk;
    if (c->is_ours && PLAN_CTL->returned == c->real)
        PLAN_CTL->returned = c->thunk;
    touch_row(c, true);
    rt->self->cxx_site = c->outer;
    errno = error;
}
