/* SPDX-License-Identifier: Apache-2.0 */
/* Reads how a program was built. */
#include "trace/build_records.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "wire/build.h"

#define MOST_RECORDS 100000u

static void build_fini(trc_build *b)
{
    td_free(b->folder);
    td_free(b->output);
    for (size_t i = 0; i < b->sources.len; i++) {
        td_free(b->sources.at[i].path);
        td_free(b->sources.at[i].hash);
    }
    for (size_t i = 0; i < b->args.len; i++)
        td_free(b->args.at[i]);
    trc_build_source_vec_fini(&b->sources);
    trc_build_text_vec_fini(&b->args);
    *b = (trc_build){0};
}

void trc_builds_fini(trc_build_vec *v)
{
    for (size_t i = 0; i < v->len; i++)
        build_fini(&v->at[i]);
    trc_build_vec_fini(v);
}

static void set(char **to, const char *text)
{
    td_free(*to);
    *to = td_strdup(text);
}

/* False: the field is unknown, or out of place. */
static bool take_field(trc_build *b, char kind, const char *text)
{
    trc_build_source_vec *sources = &b->sources;
    switch (kind) {
    case WIRE_BUILD_OBJECT:
    case WIRE_BUILD_LINK:
        b->links = kind == WIRE_BUILD_LINK;
        set(&b->output, text);
        return true;
    case WIRE_BUILD_SOURCE:
        trc_build_source_vec_push(sources,
                                  (trc_build_source){td_strdup(text), td_strdup("")});
        return true;
    case WIRE_BUILD_HASH:
        if (sources->len > 0)
            set(&sources->at[sources->len - 1].hash, text);
        return sources->len > 0;
    case WIRE_BUILD_ARGUMENT:
        trc_build_text_vec_push(&b->args, td_strdup(text));
        return true;
    default:
        return false;
    }
}

static bool is_absolute(const trc_build *b)
{
    for (size_t i = 0; i < b->sources.len; i++)
        if (b->sources.at[i].path[0] != '/')
            return false;
    return b->folder && b->output && b->folder[0] == '/' && b->output[0] == '/';
}

static void read_records(const char *at, size_t len, trc_build_vec *out)
{
    trc_build now = {0};
    bool is_open = false;
    const char *end = at + len;
    while (at < end && memchr(at, 0, (size_t)(end - at)) && out->len < MOST_RECORDS) {
        char kind = *at;
        const char *text = kind ? at + 1 : at;
        if (kind == WIRE_BUILD_FOLDER) {
            build_fini(&now);
            set(&now.folder, text);
            is_open = true;
        } else if (is_open && kind == WIRE_BUILD_END) {
            if (is_absolute(&now)) {
                trc_build_vec_push(out, now);
                now = (trc_build){0};
            }
            is_open = false;
        } else if (is_open) {
            is_open = take_field(&now, kind, text);
        }
        at = text + strlen(text) + 1;
    }
    build_fini(&now);
}

static void read_elf(Elf *elf, trc_build_vec *out)
{
    size_t names = 0;
    if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names) != 0)
        return;
    for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
        GElf_Shdr head;
        const char *name =
            gelf_getshdr(s, &head) ? elf_strptr(elf, names, head.sh_name) : NULL;
        if (!name || strcmp(name, WIRE_BUILD_SECTION) != 0 || head.sh_type == SHT_NOBITS)
            continue;
        Elf_Data *data = elf_rawdata(s, NULL);
        if (data && data->d_buf)
            read_records(data->d_buf, data->d_size, out);
    }
}

td_status trc_builds_read(const char *program, trc_build_vec *out, td_diag *diag)
{
    *out = (trc_build_vec){0};
    elf_version(EV_CURRENT);
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return td_diag_errno(diag, TD_E_SYSTEM, "%s", program);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    read_elf(elf, out);
    if (elf)
        elf_end(elf);
    close(fd);
    return TD_OK;
}
