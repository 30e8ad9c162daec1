/* SPDX-License-Identifier: Apache-2.0 */
/* A test of a project; paths. */
#include <unistd.h>

#include "check/check_int.h"

char *chk_join(const char *dir, const char *name)
{
    td_text path = {0};
    td_text_add(&path, "%s/%s", dir, name);
    return path.at;
}

bool chk_exists(const char *dir, const char *name)
{
    char *path = chk_join(dir, name);
    bool is_there = access(path, F_OK) == 0;
    td_free(path);
    return is_there;
}

void chk_test_fini(chk_test *t)
{
    td_free(t->name);
    td_free(t->program);
    td_free(t->dir);
    sto_texts_free(&t->args);
    sto_texts_free(&t->env);
}

void chk_test_copy(const chk_test *from, chk_test *to)
{
    *to = (chk_test){.name = td_strdup(from->name),
                     .program = td_strdup(from->program),
                     .dir = from->dir ? td_strdup(from->dir) : NULL};
    for (size_t i = 0; i < from->args.len; i++)
        sto_text_vec_push(&to->args, td_strdup(from->args.at[i]));
    for (size_t i = 0; i < from->env.len; i++)
        sto_text_vec_push(&to->env, td_strdup(from->env.at[i]));
}
