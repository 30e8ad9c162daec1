/* SPDX-License-Identifier: Apache-2.0 */
/* Suspects: sets of histories whose threads would be stuck, or race, if they were there at the same time.
 * The detectors add them, the search takes each once; those that a run has shown meanwhile are dropped. */
#include "unfold/unfold_int.h"

void unf_suspect_add(unf *u, const uint32_t *histories, uint32_t n, unf_suspicion what)
{
    TD_ASSERT(n > 0);
    TD_ASSERT(what != UNF_RACING || n == 2);
    for (uint32_t i = 0; i < n; i++)
        TD_DASSERT(node_at(u, histories[i])->status == UNF_EXECUTED);
    unf_suspect_set set = {n, what, td_alloc(n * sizeof *histories)};
    memcpy(set.histories, histories, n * sizeof *histories);
    unf_suspect_vec_push(&u->suspects, set);
}

void unf_suspects_filter(unf *u, unf_is_shown *is_shown)
{
    size_t kept = 0;
    for (size_t i = 0; i < u->suspects.len; i++)
        if (is_shown(u, &u->suspects.at[i]))
            td_free(u->suspects.at[i].histories);
        else
            u->suspects.at[kept++] = u->suspects.at[i];
    u->suspects.len = kept;
}

size_t unf_n_suspects(const unf *u)
{
    return u->suspects.len;
}

bool unf_suspect(unf *u, unf_vec *out)
{
    unf_vec_clear(out);
    if (u->suspects.len == 0)
        return false;
    unf_suspect_set set = unf_suspect_vec_pop(&u->suspects);
    TD_DASSERT(set.n > 0 && set.histories);
    unf_vec_append(out, set.histories, set.n);
    td_free(set.histories);
    return true;
}

void unf_suspects_fini(unf *u)
{
    for (size_t i = 0; i < u->suspects.len; i++)
        td_free(u->suspects.at[i].histories);
    unf_suspect_vec_fini(&u->suspects);
}
