/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/site_files.h"

#include <string.h>

void trc_file_add(trc_file_vec *files, const char *file)
{
    if (files->len > 0 && files->at[files->len - 1] == file)
        return;
    for (size_t i = 0; i < files->len; i++)
        if (strcmp(files->at[i], file) == 0)
            return;
    trc_file_vec_push(files, file);
}

static bool ends_with_path(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return m > 0 && m <= n && strcmp(path + n - m, end) == 0 &&
           (m == n || path[n - m - 1] == '/');
}

const char *trc_file_named(const trc_file_vec *files, const char *path)
{
    for (size_t i = 0; i < files->len; i++)
        if (ends_with_path(path, files->at[i]))
            return files->at[i];
    return path;
}

bool trc_file_is_unit(const trc_file_vec *files, const char *unit)
{
    for (size_t i = 0; i < files->len; i++)
        if (ends_with_path(unit, files->at[i]) || ends_with_path(files->at[i], unit))
            return true;
    return false;
}
