/* SPDX-License-Identifier: Apache-2.0 */
/* Saves the state of a sampling search in session.db, so that a resumed session can continue with it. Shared
 * searches save their items there instead (campaign/). */
#include "session/session_int.h"

#include <inttypes.h>

#include "base/assert.h"

#define SAVE_MS 10000u /* interval between saves, which grows to ... */
#define SAVE_SHARE 50u /* ... it takes more than a fiftieth of the time */

/* Options that may differ: limits, and the random seed. */
static bool may_differ(const char *line)
{
    static const char *const names[] = {"--runs=", "--seed=", "--explain-time="};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(line, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static void options_text(const ses *s, td_text *out)
{
    const char *at = s->opts->words ? s->opts->words : "";
    while (*at) {
        size_t n = strcspn(at, "\n");
        n += at[n] == '\n';
        if (!may_differ(at))
            td_text_put(out, at, n);
        at += n;
    }
}

/* ---- out ---- */

static td_status save(ses *s, td_diag *diag)
{
    td_text command = {0}, options = {0};
    xpl_byte_vec state = {0};
    ses_command_text(s, &command);
    options_text(s, &options);
    s->search->save(s->explorer, &state);
    const sto_saved saved = {.search = (char *)s->search->name,
                             .build_id = (char *)ses_build_id(s),
                             .command = command.at,
                             .options = options.len > 0 ? options.at : (char *)"",
                             .promoted = (uint8_t *)s->promoted.at,
                             .n_promoted = s->promoted.len * sizeof s->promoted.at[0],
                             .state = state.at,
                             .n_state = state.len};
    td_status status = state.len <= STO_MAX_SAVED
                           ? sto_session_save(s->store, &saved, diag)
                           : td_diag_set(diag, TD_E_LIMIT, "it is too large");
    xpl_byte_vec_fini(&state);
    td_text_fini(&command);
    td_text_fini(&options);
    return status;
}

/* Failing to save must not fail the session. */
void ses_saved_keep(ses *s)
{
    td_diag diag = {0};
    if (!xpl_can_save(s->explorer) || s->save_ms == UINT64_MAX)
        return;
    uint64_t before_ms = s->exec->now_ms(s->run);
    if (save(s, &diag) != TD_OK) {
        s->save_ms = UINT64_MAX;
        ses_say(s, "this session cannot be resumed: %s", diag.text);
        return;
    }
    uint64_t took_ms = s->exec->now_ms(s->run) - before_ms;
    s->save_ms = ses_elapsed_ms(s) +
                 (took_ms * SAVE_SHARE > SAVE_MS ? took_ms * SAVE_SHARE : SAVE_MS);
}

void ses_saved_tick(ses *s)
{
    if (s->save_ms == 0)
        s->save_ms = SAVE_MS;
    if (ses_elapsed_ms(s) >= s->save_ms)
        ses_saved_keep(s);
}

/* ---- in ---- */

/* Returns why the saved search is not for this program or command; NULL if it is. */
static const char *why_not(const ses *s, const sto_saved *saved)
{
    td_text command = {0}, options = {0};
    ses_command_text(s, &command);
    options_text(s, &options);
    const char *why = NULL;
    if (strcmp(saved->search, s->search->name) != 0)
        why = "it used another search";
    else if (strcmp(saved->command, command.at ? command.at : "") != 0)
        why = "it is for another command";
    else if (strcmp(saved->options, options.at ? options.at : "") != 0)
        why = "it was started with other options";
    else if (strcmp(saved->build_id, ses_build_id(s)) != 0)
        why = "the program has changed since";
    td_text_fini(&command);
    td_text_fini(&options);
    return why;
}

static td_status load(ses *s, const sto_saved *saved, td_diag *diag)
{
    const char *why = why_not(s, saved);
    if (why)
        return td_diag_set(diag, TD_E_USAGE, "%s", why);
    if (!ses_promoted_read(s, saved->promoted, saved->n_promoted)) {
        trc_promoted_vec_clear(&s->promoted);
        return td_diag_set(diag, TD_E_FORMAT, "its promoted accesses cannot be read");
    }
    td_status status = s->search->load(s->explorer, saved->state, saved->n_state, diag);
    if (status != TD_OK)
        trc_promoted_vec_clear(&s->promoted);
    return status;
}

void ses_saved_resume(ses *s)
{
    TD_ASSERT(s->search->load && s->n_jobs == 0 && s->promoted.len == 0);
    sto_saved saved = {0};
    td_diag diag = {0};
    td_status status = sto_session_saved(s->store, &saved, &diag);
    if (status == TD_OK)
        status = load(s, &saved, &diag);
    if (status == TD_OK)
        s->sampled_ms = saved.ms;
    sto_saved_fini(&saved);
    char pairs[32], runs[32];
    ses_number(xpl_n_pairs(s->explorer), pairs);
    ses_number(xpl_n_earlier(s->explorer), runs);
    if (status == TD_OK)
        ses_say(s, "resuming the previous session: %s pairs of places after %s runs",
                pairs, runs);
    else
        ses_say(s, "cannot resume the previous session: %s; starting over", diag.text);
}
