/* SPDX-License-Identifier: Apache-2.0 */
/* treadle show --html: makes a page for a browser from the stored finding. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/text.h"
#include "cli/cli.h"
#include "report/html/html.h"
#include "store/store.h"

/* ID.treadle becomes ID.html, in the same directory. */
static void default_output(const char *recording, td_text *out)
{
    static const char ending[] = ".treadle";
    size_t n = strlen(recording), e = strlen(ending);
    if (n > e && strcmp(recording + n - e, ending) == 0)
        n -= e;
    td_text_put(out, recording, n);
    td_text_add(out, ".html");
}

/* output: as the user named it, or NULL; then path is ours. */
static td_status write_html(const rep_page *page, const char *path, const char *output,
                            td_diag *diag)
{
    td_text html = {0};
    rep_page_html(page, &html);
    td_status status = output ? td_file_write(path, html.at, html.len, diag)
                              : td_file_replace(path, html.at, html.len, diag);
    td_text_fini(&html);
    return status;
}

int cli_show_html(const char *finding, const char *output, const char *editor)
{
    char *root = editor ? getcwd(NULL, 0) : NULL;
    td_diag diag = {0};
    char *recording = NULL;
    if (sto_find_recording(finding, &recording, &diag) != TD_OK)
        return cli_fail(CLI_EXIT_USAGE, "%s", diag.text);
    td_text path = {0};
    if (output != NULL)
        td_text_add(&path, "%s", output);
    else
        default_output(recording, &path);
    rep_past past;
    td_status status = cli_past_of_recording(recording, &past, &diag);
    TD_ASSERT(status != TD_OK || past.pages.len > 0);
    if (status == TD_OK) {
        past.pages.at[0].editor = editor;
        past.pages.at[0].root = root;
    }
    if (status == TD_OK)
        status = write_html(&past.pages.at[0], path.at, output, &diag);
    rep_past_fini(&past);
    if (status == TD_OK)
        puts(path.at);
    td_text_fini(&path);
    td_free(recording);
    free(root);
    return status == TD_OK ? CLI_EXIT_COMPLETE
                           : cli_fail(CLI_EXIT_USAGE, "%s", diag.text);
}
