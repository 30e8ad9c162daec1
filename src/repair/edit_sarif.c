/* SPDX-License-Identifier: Apache-2.0 */
/* The finding with its fix, as SARIF 2.1.0 (3.55): only an edit that was built and explored is a fix. */
#include "repair/edit.h"

#include "report/formats/sarif_text.h"

static void put_artifact(rep_json *j, const char *path)
{
    rep_json_open(j, "artifactLocation", '{');
    rep_json_uri(j, "uri", path);
    rep_json_close(j, '}');
}

/* Whole lines: up to the first column of the line behind them. */
static void put_replacement(rep_json *j, const rpr_hunk *h)
{
    rep_json_line(j);
    rep_json_open(j, NULL, '{');
    rep_json_open(j, "deletedRegion", '{');
    rep_json_count(j, "startLine", h->at);
    rep_json_count(j, "startColumn", 1);
    rep_json_count(j, "endLine", h->at + h->n_removed);
    rep_json_count(j, "endColumn", 1);
    rep_json_close(j, '}');
    if (*h->added)
        rep_sarif_message(j, "insertedContent", h->added);
    rep_json_close(j, '}');
}

static void put_fix(rep_json *j, const rpr_result *r, const rep_fix *fix,
                    const char *folder)
{
    rep_json_open(j, "fixes", '[');
    rep_json_open(j, NULL, '{');
    rep_sarif_message(j, "description", fix->change);
    rep_json_open(j, "artifactChanges", '[');
    for (size_t i = 0; i < r->edit.files.len; i++) {
        const rpr_file_edit *f = &r->edit.files.at[i];
        rep_json_open(j, NULL, '{');
        put_artifact(j, rpr_edit_path(f, folder));
        rep_json_open(j, "replacements", '[');
        for (size_t k = 0; k < f->hunks.len; k++)
            put_replacement(j, &f->hunks.at[k]);
        rep_json_close(j, ']');
        rep_json_close(j, '}');
    }
    rep_json_close(j, ']');
    rep_json_close(j, '}');
    rep_json_close(j, ']');
}

void rpr_sarif(const rpr_result *r, const rpr_opts *opts, const char *folder,
               td_text *out)
{
    rep_json j = {.out = out};
    rep_fix fix;
    rpr_fix(r, &fix);
    rep_json_open(&j, NULL, '{');
    rep_json_text(&j, "$schema", REP_SARIF_SCHEMA);
    rep_json_text(&j, "version", "2.1.0");
    rep_json_open(&j, "runs", '[');
    rep_json_open(&j, NULL, '{');
    rep_json_open(&j, "tool", '{');
    rep_json_open(&j, "driver", '{');
    rep_json_text(&j, "name", "treadle");
    if (opts->version && *opts->version)
        rep_json_text(&j, "version", opts->version);
    rep_json_close(&j, '}');
    rep_json_close(&j, '}');
    rep_json_text(&j, "columnKind", "utf16CodeUnits");
    rep_json_open(&j, "results", '[');
    rep_json_open(&j, NULL, '{');
    rep_json_text(&j, "ruleId", r->rule ? r->rule : "");
    rep_json_text(&j, "level", "error");
    rep_sarif_message(&j, "message",
                      r->is_edit_explored && *fix.explored ? fix.explored
                                                           : "No edit was explored.");
    rep_json_open(&j, "locations", '[');
    if (r->line > 0 && r->file && *r->file) {
        rep_json_open(&j, NULL, '{');
        rep_sarif_physical(&j, r->file, r->line, 0);
        rep_json_close(&j, '}');
    }
    rep_json_close(&j, ']');
    rep_json_open(&j, "partialFingerprints", '{');
    rep_json_text(&j, "treadleFinding/v1", r->id ? r->id : "");
    rep_json_close(&j, '}');
    if (r->is_edit_explored)
        put_fix(&j, r, &fix, folder);
    rep_json_close(&j, '}');
    rep_json_close(&j, ']');
    rep_json_close(&j, '}');
    rep_json_close(&j, ']');
    rep_json_close(&j, '}');
    td_text_put(out, "\n", 1);
    rep_fix_fini(&fix);
}
