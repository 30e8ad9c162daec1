/* SPDX-License-Identifier: Apache-2.0 */
/* What a linker prints of a program that defines a function that the runtime has as well, its own malloc for
 * example: one sentence in place of lines for each of them. */
#include "instrument/cc_int.h"

#include <stdio.h>
#include <string.h>

/* As GNU ld, gold and lld have it. */
static const char *const twice[] = {"multiple definition of `",
                                    "multiple definition of '", "duplicate symbol: "};

/* The name that the line is about; NULL: it is about something else. */
static const char *defined_twice(const char *line, size_t *n)
{
    for (size_t i = 0; i < sizeof twice / sizeof twice[0]; i++) {
        const char *at = strstr(line, twice[i]);
        at = at ? at + strlen(twice[i]) : NULL;
        *n = at ? strcspn(at, "'\n") : 0;
        if (*n > 0)
            return at;
    }
    return NULL;
}

static bool has_within(const char *from, const char *to, const char *word)
{
    const char *at = strstr(from, word);
    return at && at < to;
}

/* One of the two definitions is in a library of the runtime. GNU ld names it in the line before, lld in those
 * behind, which begin with >>>. */
static bool is_of_runtime(const char *before, const char *line)
{
    const char *end = line + strcspn(line, "\n");
    while (strncmp(end, "\n>>> ", 5) == 0)
        end += 1 + strcspn(end + 1, "\n");
    return has_within(before, end, "libtreadle_");
}

/* Lines that say only that the link failed, or where. GNU ld puts what it thinks of the debug information between the
 * two halves of a line, so that the second stands alone. */
static bool is_remark(const char *line)
{
    const char *end = line + strcspn(line, "\n");
    if (has_within(line, end, ": first defined here") ||
        has_within(line, end, ": DWARF error: "))
        return !has_within(line, end, "multiple definition of ");
    return has_within(line, end, "linker command failed") ||
           has_within(line, end, ": in function `") ||
           has_within(line, end, ": warning: ") ||
           has_within(line, end, ": previous definition here") ||
           strncmp(line, ">>> ", 4) == 0 || line == end;
}

static void add_name(td_text *names, const char *name, size_t n)
{
    for (const char *at = names->at; at && (at = strstr(at, name)) != NULL; at++)
        if ((at == names->at || at[-1] == ' ') && (at[n] == '\0' || at[n] == ','))
            return;
    td_text_add(names, "%s%s", names->len ? ", " : "", name);
}

void ins_link_errors_print(const char *text)
{
    td_text names = {0};
    bool has_others = false;
    const char *before = text, *end;
    for (const char *line = text; *line; before = line, line = end) {
        size_t n = 0;
        const char *name = defined_twice(line, &n);
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        if (name && name < end && is_of_runtime(before, line)) {
            td_text word = {0};
            td_text_put(&word, name, n);
            add_name(&names, word.at, n);
            td_text_fini(&word);
        } else {
            has_others |= !is_remark(line);
        }
    }
    if (has_others || names.len == 0)
        fputs(text, stderr);
    if (names.len > 0)
        fprintf(
            stderr,
            "treadle cc: the program defines %s. treadle has its own, to watch memory "
            "and threads: build without these definitions\n",
            names.at);
    td_text_fini(&names);
}
