/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of a link that do not track symbolic values are rebuilt from the bitcode in them, if some object
 * makes inputs or --inputs is given; those of libraries and of relocatable links always, since their users
 * are unknown. Archives are searched where the command names them, by path or by -l with -L. An object that
 * is not found stays as it is: its site records that, and treadle run refuses options that need more. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "instrument/cc_int.h"
#include "instrument/kept_bitcode.h"

#define FILE_MAX ((size_t)4 << 30)
#define AR_MAGIC "!<arch>\n"
#define AR_HEAD 60u /* bytes before a member: name 16, ..., size 10 at 48, "`\n" */

/* One file of the link. */
typedef struct input {
    size_t arg;       /* its place in the command */
    const char *path; /* kept */
    td_text bytes;
    bool is_light; /* it, or a member */
} input;

TD_VEC(input, input_vec);

typedef struct relink {
    ins_driver *d;
    input_vec inputs;
    bool makes_inputs;
} relink;

/* --- members of archives --- */

typedef struct member {
    const char *bytes;
    size_t len;
    bool is_index; /* names and symbols, of the archive itself */
} member;

static bool is_archive(const td_text *file)
{
    return file->len >= sizeof AR_MAGIC - 1 &&
           memcmp(file->at, AR_MAGIC, sizeof AR_MAGIC - 1) == 0;
}

/* Reads the member at *at and advances *at; false at the end, or if the archive is broken. */
static bool next_member(const td_text *file, size_t *at, member *out)
{
    char number[11] = {0};
    if (*at > file->len || file->len - *at < AR_HEAD ||
        memcmp(file->at + *at + 58, "`\n", 2) != 0)
        return false;
    const char *name = file->at + *at;
    memcpy(number, name + 48, 10);
    size_t size = strtoul(number, NULL, 10), start = *at + AR_HEAD;
    if (size > file->len - start)
        return false;
    *out =
        (member){file->at + start, size,
                 name[0] == '/' && (name[1] == ' ' || name[1] == '/' || name[1] == 'S')};
    TD_ASSERT(start + size <= file->len);
    *at = start + size + (size & 1);
    return true;
}

/* --- looking --- */

static void look_at(relink *r, input *in, const char *bytes, size_t len)
{
    ins_kept kept;
    ins_kept_look(bytes, len, &kept);
    r->makes_inputs |= kept.makes_inputs;
    in->is_light |= kept.packed != NULL;
}

static void look_into(relink *r, size_t arg, const char *path)
{
    td_diag diag = {0};
    input in = {.arg = arg, .path = path};
    if (td_file_read(path, FILE_MAX, &in.bytes, &diag) != TD_OK)
        return; /* the linker will report it */
    member m;
    size_t at = sizeof AR_MAGIC - 1;
    if (!is_archive(&in.bytes))
        look_at(r, &in, in.bytes.at, in.bytes.len);
    else
        while (next_member(&in.bytes, &at, &m))
            look_at(r, &in, m.bytes, m.len);
    if (in.is_light)
        input_vec_push(&r->inputs, in);
    else
        td_text_fini(&in.bytes);
}

/* The archive that -l means: in the first directory of -L that has it or a shared library. */
static const char *library_path(ins_driver *d, const char *name)
{
    const ins_command *c = &d->command;
    for (size_t i = 0; i < c->args.len; i++) {
        const ins_arg *a = &c->args.at[i];
        if (a->role != INS_ROLE_OPTION || strncmp(a->text, "-L", 2) != 0)
            continue;
        const char *folder = a->value ? a->value : a->text + 2;
        td_text so = {0}, archive = {0};
        td_text_add(&so, "%s/lib%s.so", folder, name);
        if (name[0] == ':')
            td_text_add(&archive, "%s/%s", folder, name + 1);
        else
            td_text_add(&archive, "%s/lib%s.a", folder, name);
        bool shared = !c->is_static && access(so.at, R_OK) == 0;
        td_text_fini(&so);
        if (!shared && access(archive.at, R_OK) == 0)
            return ins_driver_keep(d, &archive);
        td_text_fini(&archive);
        if (shared)
            return NULL;
    }
    return NULL;
}

static void look_at_all(relink *r)
{
    const ins_command *c = &r->d->command;
    for (size_t i = 0; i < c->args.len; i++) {
        const ins_arg *a = &c->args.at[i];
        if (a->role == INS_ROLE_OBJECT)
            look_into(r, i, a->text);
        if (a->role != INS_ROLE_OPTION || strncmp(a->text, "-l", 2) != 0)
            continue;
        const char *name = a->value ? a->value : a->text + 2;
        const char *path = library_path(r->d, name);
        if (path)
            look_into(r, i, path);
    }
    for (size_t i = 0; i < r->d->link_words.len; i++)
        look_into(r, SIZE_MAX, r->d->link_words.at[i]);
}

/* --- making --- */

static bool write_file(const char *path, const char *bytes, size_t len)
{
    FILE *out = fopen(path, "w");
    bool ok = out && fwrite(bytes, 1, len, out) == len;
    ok = out && fclose(out) == 0 && ok;
    if (!ok)
        fprintf(stderr, "treadle cc: cannot write %s: %s\n", path, strerror(errno));
    return ok;
}

/* The object as it is, or made from its bitcode; NULL: it failed, and the error was printed. */
static const char *make_object(ins_driver *d, const char *stem, const char *bytes,
                               size_t len)
{
    ins_kept kept;
    td_text bitcode = {0};
    td_diag diag = {0};
    ins_kept_look(bytes, len, &kept);
    const char *path = ins_driver_file(d, stem, ".o");
    if (!path)
        return NULL;
    if (!kept.packed)
        return write_file(path, bytes, len) ? path : NULL;
    bool ok = ins_kept_unpack(&kept, &bitcode, &diag) == TD_OK;
    if (!ok)
        fprintf(stderr, "treadle cc: %s: %s\n", stem, diag.text);
    ok = ok && write_file(path, bitcode.at, bitcode.len) &&
         ins_driver_object(path, &kept.opts) == 0;
    td_text_fini(&bitcode);
    return ok ? path : NULL;
}

static const char *make_archive(ins_driver *d, const input *in)
{
    ins_word_vec words = {0};
    const char *path = ins_driver_file(d, in->path, ".a");
    member m;
    bool ok = path != NULL;
    ins_word_vec_push(&words, "ar");
    ins_word_vec_push(&words, "qcs");
    ins_word_vec_push(&words, path);
    for (size_t at = sizeof AR_MAGIC - 1; ok && next_member(&in->bytes, &at, &m);) {
        const char *object = m.is_index ? "" : make_object(d, in->path, m.bytes, m.len);
        ok = object != NULL;
        if (ok && !m.is_index)
            ins_word_vec_push(&words, object);
    }
    ok = ok && ins_driver_run(d, &words) == 0;
    ins_word_vec_fini(&words);
    return ok ? path : NULL;
}

static int make_all(relink *r)
{
    ins_driver *d = r->d;
    for (size_t i = 0; i < d->command.args.len; i++)
        ins_word_vec_push(&d->instead, NULL);
    for (size_t i = 0; i < r->inputs.len; i++) {
        const input *in = &r->inputs.at[i];
        const char *made = is_archive(&in->bytes)
                               ? make_archive(d, in)
                               : make_object(d, in->path, in->bytes.at, in->bytes.len);
        if (!made)
            return 1;
        TD_ASSERT(in->arg < d->instead.len); /* sources of a link are not light */
        d->instead.at[in->arg] = made;
    }
    return 0;
}

int ins_light_replace(ins_driver *d)
{
    relink r = {.d = d};
    look_at_all(&r);
    bool wanted =
        r.makes_inputs || d->command.inputs || d->command.link != INS_LINK_PROGRAM;
    int code = wanted && r.inputs.len > 0 ? make_all(&r) : 0;
    for (size_t i = 0; i < r.inputs.len; i++)
        td_text_fini(&r.inputs.at[i].bytes);
    input_vec_fini(&r.inputs);
    return code;
}
