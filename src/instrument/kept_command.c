/* SPDX-License-Identifier: Apache-2.0 */
/* How a program was built, kept in it (wire/build.h), so that `treadle fix` can build it again with a changed source.
 * Each object has the command that made it, and the program the command that linked it. The section is not loaded. */
#include "instrument/cc_int.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/id.h"
#include "base/vec.h"
#include "wire/build.h"

#define SOURCE_MAX ((size_t)64 << 20)
#define MOST_BYTES 65536u /* of a record; a longer command is not kept */

/* A build that maps its directories away is the same everywhere, and has to stay so. */
static bool maps_paths(const ins_command *c)
{
    for (size_t i = 0; i < c->args.len; i++) {
        const char *text = c->args.at[i].text;
        if (strstr(text, "-prefix-map=") || strstr(text, "-compilation-dir"))
            return true;
    }
    return false;
}

static void put_field(td_text *out, char kind, const char *text)
{
    td_text_put(out, &kind, 1);
    td_text_put(out, text, strlen(text) + 1);
}

static void put_path(td_text *out, char kind, const char *folder, const char *path)
{
    td_text all = {0};
    if (path[0] != '/')
        td_text_add(&all, "%s/", folder);
    td_text_add(&all, "%s", path);
    put_field(out, kind, all.at);
    td_text_fini(&all);
}

static void put_source(td_text *out, const char *folder, const char *path)
{
    td_text bytes = {0};
    td_diag none = {0};
    char id[33] = "";
    if (td_file_read(path, SOURCE_MAX, &bytes, &none) == TD_OK)
        td_id_print(td_id_hash(bytes.at ? bytes.at : "", bytes.len), id);
    put_path(out, WIRE_BUILD_SOURCE, folder, path);
    put_field(out, WIRE_BUILD_HASH, id);
    td_text_fini(&bytes);
}

static void put_arguments(td_text *out, const ins_driver *d)
{
    for (int i = 1; i < d->argc; i++) {
        const char *text = d->argv[i];
        if (strcmp(text, "-o") == 0 || strcmp(text, "--output") == 0)
            i++;
        else if (strncmp(text, "-o", 2) != 0 || strncmp(text, "-objc", 5) == 0)
            put_field(out, WIRE_BUILD_ARGUMENT, text);
    }
}

/* Bytes as the assembler reads them. */
static void put_section(const td_text *bytes, td_text *out)
{
    td_text_add(out, ".pushsection " WIRE_BUILD_SECTION ",\"\",%%progbits\n.ascii \"");
    for (size_t i = 0; i < bytes->len; i++)
        td_text_add(out, "\\%03o", (unsigned char)bytes->at[i]);
    td_text_add(out, "\"\n.popsection\n");
}

const char *ins_build_record(ins_driver *d, const char *object)
{
    const ins_command *c = &d->command;
    char folder[PATH_MAX];
    td_text bytes = {0}, out = {0};
    bool is_link = c->stage == INS_STAGE_LINK;
    if (maps_paths(c) || !getcwd(folder, sizeof folder) ||
        (is_link && c->link != INS_LINK_PROGRAM) || (!is_link && c->n_sources != 1))
        return NULL;
    put_field(&bytes, WIRE_BUILD_FOLDER, folder);
    put_path(&bytes, is_link ? WIRE_BUILD_LINK : WIRE_BUILD_OBJECT, folder, object);
    for (size_t i = 0; i < c->args.len; i++)
        if (c->args.at[i].role == INS_ROLE_SOURCE)
            put_source(&bytes, folder, c->args.at[i].text);
    put_arguments(&bytes, d);
    put_field(&bytes, WIRE_BUILD_END, "");
    if (bytes.len <= MOST_BYTES)
        put_section(&bytes, &out);
    td_text_fini(&bytes);
    return out.at ? ins_driver_keep(d, &out) : NULL;
}
