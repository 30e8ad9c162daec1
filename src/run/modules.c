/* SPDX-License-Identifier: Apache-2.0 */
/* Where the files of a program are loaded, from the kernel's list of its mappings. */
#include "run/run_int.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"

#define EXECUTABLE 1u /* the name of the module; others have larger ones */

/* By the end of its path: a library has the same name on every machine of a farm. */
static uint32_t name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    return (uint32_t)td_id_hash(file, strlen(file)).lo | 2u;
}

static bool has_name(const trc_module_vec *v, uint32_t name)
{
    for (size_t i = 0; i < v->len; i++)
        if (v->at[i].name == name)
            return true;
    return false;
}

/* Adds one line of the list. A file's parts follow each other, and a part without a path after them is its
 * zeroed data. Everything else keeps its address: mappings that are not files, and files with the same name
 * as another one. */
static void add_mapping(const char *line, trc_module_vec *out)
{
    unsigned long start = 0, end = 0;
    int at = 0;
    if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &start, &end, &at) < 2 || start > end)
        return;
    char path[4096] = "";
    if (at > 0)
        snprintf(path, sizeof path, "%.*s", (int)strcspn(line + at, "\n"), line + at);
    const trc_module *first = &out->at[0];
    trc_module *last = out->len > 1 ? &out->at[out->len - 1] : NULL;
    bool follows = last && last->end == start;
    bool is_file = path[0] == '/' && strncmp(path, "/memfd:", 7) != 0;
    uint32_t name = is_file ? name_of(path) : 0;
    if (follows && (path[0] == 0 || last->name == name))
        last->end = end;
    else if (is_file && !has_name(out, name) &&
             (start >= first->end || end <= first->start))
        trc_module_vec_push(out, (trc_module){start, end, name});
}

void run_modules(pid_t pid, const wire_image *executable, trc_module_vec *out)
{
    TD_ASSERT(out->len == 0);
    char path[64], line[5000];
    trc_module first = {0, 0, EXECUTABLE};
    if (executable && executable->start <= executable->end)
        first = (trc_module){executable->start, executable->end, EXECUTABLE};
    trc_module_vec_push(out, first);
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        add_mapping(line, out);
    if (f)
        fclose(f);
}
