/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings by name and by directory. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "store/store.h"

#define MAX_RECORDING ((size_t)64 << 20) /* bytes */

void sto_texts_free(sto_text_vec *texts)
{
    for (size_t i = 0; i < texts->len; i++)
        td_free(texts->at[i]);
    sto_text_vec_fini(texts);
}

static bool is_recording_name(const char *name)
{
    size_t n = strlen(name), tail = strlen(".treadle");
    return name[0] != '.' && n > tail && strcmp(name + n - tail, ".treadle") == 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void sto_recordings_in(const char *dir, sto_text_vec *out)
{
    size_t first = out->len;
    DIR *d = opendir(dir);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        if (!is_recording_name(e->d_name))
            continue;
        td_text path = {0};
        td_text_add(&path, "%s/%s", dir, e->d_name);
        sto_text_vec_push(out, path.at);
    }
    if (d != NULL)
        closedir(d);
    if (out->len > first)
        qsort(out->at + first, out->len - first, sizeof *out->at, by_text);
}

td_status sto_recording_read(const char *path, sto_recording *out, td_diag *diag)
{
    td_text text = {0};
    *out = (sto_recording){0};
    td_status status = td_file_read(path, MAX_RECORDING, &text, diag);
    if (status == TD_OK)
        status = sto_recording_parse(text.at ? text.at : "", text.len, out, diag);
    td_text_fini(&text);
    return status;
}

const char *sto_out_dir(void)
{
    const char *dir = getenv("TREADLE_OUT");
    return dir != NULL && dir[0] != '\0' ? dir : "treadle-out";
}
