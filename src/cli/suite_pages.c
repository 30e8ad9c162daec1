/* SPDX-License-Identifier: Apache-2.0 */
/* The sessions of a suite for other programs: SARIF of all, a page for each, and one that links them. */
#include "cli/suite_command.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli.h"
#include "report/formats/formats.h"
#include "report/formats/xml_text.h"
#include "store/store.h"

int cli_suite_exit(sui_outcome worst)
{
    switch (worst) {
    case SUI_BUG:
    case SUI_SUSPECTED:
        return CLI_EXIT_FOUND;
    case SUI_BROKEN:
        return CLI_EXIT_INTERNAL;
    case SUI_NOT_STARTED:
    case SUI_UNUSABLE:
        return CLI_EXIT_USAGE;
    case SUI_NOT_REPRODUCED:
        return CLI_EXIT_NOT_REPRODUCED;
    case SUI_STOPPED:
    case SUI_NOTHING:
    case SUI_INCOMPLETE:
        return CLI_EXIT_INCOMPLETE;
    case SUI_REPLAYED:
    case SUI_COMPLETE:
        break;
    }
    return CLI_EXIT_COMPLETE;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_folders(const char *dir, sto_text_vec *out)
{
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.')
            sto_text_vec_push(out, td_strdup(e->d_name));
    if (d)
        closedir(d);
    qsort(out->at, out->len, sizeof *out->at, by_name);
}

static void put_finding(const rep_page *page, const char *link, td_text *out)
{
    td_text_add(out, "<li><a href=\"");
    rep_xml_put(out, link);
    td_text_add(out, "\">");
    rep_xml_put(out, page->id);
    td_text_add(out, "</a> ");
    rep_xml_put(out, page->title);
    if (page->fix.is_found) {
        td_text_add(out, "<br>FIX: ");
        rep_xml_put(out, page->fix.change);
    }
    td_text_add(out, "</li>\n");
}

/* The page of a session, and its part of the page that links them. */
static td_status put_session(const char *dir, const char *name, rep_past *all,
                             td_text *index, td_diag *diag)
{
    td_text folder = {0}, page = {0}, file = {0}, link = {0};
    rep_past past;
    td_text_add(&folder, "%s/%s", dir, name);
    td_diag none = {0};
    if (cli_past_read(folder.at, NULL, &past, &none) != TD_OK) {
        td_text_fini(&folder);
        return TD_OK; /* it never began: its row has why */
    }
    const char *slash = strrchr(dir, '/');
    td_text_add(&file, "%s/session.html", folder.at);
    td_text_add(&link, "%s/%s/session.html", slash ? slash + 1 : dir, name);
    cli_report_html(&past, past.dir, &page);
    td_status status = td_file_write(file.at, page.at, page.len, diag);
    td_text_add(index, "<h2><a href=\"");
    rep_xml_put(index, link.at);
    td_text_add(index, "\">");
    rep_xml_put(index, name);
    td_text_add(index, "</a></h2>\n<p>");
    rep_xml_put(index, rep_past_fact(&past, "verdict"));
    td_text_add(index, ", ");
    rep_xml_put(index, rep_past_fact(&past, "runs"));
    td_text_add(index, " runs</p>\n<ul>\n");
    for (size_t i = 0; i < past.pages.len; i++)
        put_finding(&past.pages.at[i], link.at, index);
    td_text_add(index, "</ul>\n");
    for (size_t i = 0; i < past.pages.len; i++)
        rep_page_vec_push(&all->pages, past.pages.at[i]);
    past.pages.len = 0; /* the pages were moved */
    if (all->facts.len == 0) {
        all->facts = past.facts;
        past.facts = (rep_fact_vec){0};
    }
    if (!all->root) {
        all->root = past.root;
        past.root = NULL;
    }
    rep_past_fini(&past);
    td_text_fini(&folder);
    td_text_fini(&page);
    td_text_fini(&file);
    td_text_fini(&link);
    return status;
}

td_status cli_suite_pages(const char *dir, const char *sarif, const char *index,
                          td_diag *diag)
{
    sto_text_vec names = {0};
    rep_past all = {0};
    td_text page = {0}, text = {0};
    td_status status = TD_OK;
    list_folders(dir, &names);
    td_text_add(&page,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
                "<title>treadle check</title>\n<style>body{font:16px/1.5 "
                "sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
                "</style></head>\n<body>\n<h1>treadle check</h1>\n");
    for (size_t i = 0; status == TD_OK && i < names.len; i++)
        status = put_session(dir, names.at[i], &all, &page, diag);
    td_text_add(&page, "</body>\n</html>\n");
    if (status == TD_OK)
        status = td_file_write(index, page.at, page.len, diag);
    if (status == TD_OK) {
        all.dir = td_strdup(dir);
        if (!all.root)
            all.root = td_strdup("");
        rep_sarif(&all, &text);
        status = td_file_write(sarif, text.at, text.len, diag);
    }
    rep_past_fini(&all);
    sto_texts_free(&names);
    td_text_fini(&page);
    td_text_fini(&text);
    return status;
}
