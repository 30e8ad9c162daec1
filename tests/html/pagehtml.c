/* SPDX-License-Identifier: Apache-2.0 */
/* Pages for a browser without a session: pagehtml finding OUT.html PAGE.json
 *                                        pagehtml session OUT.html SOURCE.c PAGE.json...
 * PAGE.json is what pages.py prints. The session has these findings; its growth, sides of
 * branches, solver and ledger are made up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/html/html.h"
#include "report/session_page.h"

enum { MOST_BYTES = 64 << 20, N_SAMPLES = 400, N_PAGES = 16 };

static void need(td_status status, const td_diag *diag)
{
    if (status == TD_OK)
        return;
    fprintf(stderr, "pagehtml: %s\n", diag->text);
    exit(1);
}

static void read_page(const char *path, rep_page *out)
{
    td_diag diag = {0};
    td_text text = {0};
    need(td_file_read(path, MOST_BYTES, &text, &diag), &diag);
    need(rep_page_parse(text.at, text.len, out, &diag), &diag);
    td_text_fini(&text);
}

static void write_out(const char *path, td_text *html)
{
    td_diag diag = {0};
    need(td_file_write(path, html->at, html->len, &diag), &diag);
    td_text_fini(html);
}

static int finding_main(const char *out, const char *path)
{
    rep_page page = {0};
    td_text html = {0};
    read_page(path, &page);
    rep_page_html(&page, &html);
    write_out(out, &html);
    rep_page_fini(&page);
    return 0;
}

/* Fast at first, then slower, as sessions are. */
static void fill_samples(rep_session_sample *at)
{
    for (uint64_t i = 0; i < N_SAMPLES; i++)
        at[i] = (rep_session_sample){.ms = i * 150,
                                     .runs = i * 9000 + i * i,
                                     .events = 60000 * i / (i + 40),
                                     .targets = i < 300 ? 40 + i * (300 - i) / 40 : 0,
                                     .findings = (i > 20) + (i > 130),
                                     .sides_taken = 38 * i / (i + 9),
                                     .queries = i * 13,
                                     .pairs = 400 * i / (i + 25)};
}

static const rep_session_side sides[] = {
    {"bank.c", "teller", 26, 9, 0, 2, true}, {"bank.c", "teller", 26, 9, 1, 2, true},
    {"bank.c", "main", 34, 9, 0, 2, true},   {"bank.c", "main", 34, 9, 1, 2, false},
    {"bank.c", "main", 39, 5, 0, 2, false},  {"bank.c", "main", 39, 5, 1, 2, false},
    {"src/other.c", "f", 7, 3, 0, 3, true},  {"src/other.c", "f", 7, 3, 1, 3, false},
    {"src/other.c", "f", 7, 3, 2, 3, false},
};
static const rep_session_fact facts[] = {
    {"goal", "states"},   {"search", "unfold"},
    {"runs", "3751200"},  {"events", "54417"},
    {"seconds", "59.85"}, {"digest", "5f0c9e21b7aa40f3d2c1e8b05a6f7788"},
    {"seed", "1"},        {"jobs", "2"},
};
static const rep_session_gap ledger[] = {
    {"concrete", "src/log.c", 12, 1, "asm made concrete"},
    {"solver", "src/wal.c", 88, 3, "the solver gave up after 2 s"},
    {"depth", "", 0, 14, "runs were cut at 10000 operations"},
};
static const rep_solver solver = {
    .queries = 5187,
    .sat = 3100,
    .unsat = 2084,
    .unknown = 3,
    .cached = 2600,
    .n_stages = 3,
    .stages = {{"cache", 2600, 0, 0}, {"guess", 1480, 0, 0}, {"z3", 1107, 1107, 1.72}}};

static int session_main(const char *out, const char *source, char **paths, int n)
{
    td_diag diag = {0};
    td_text text = {0}, html = {0};
    rep_page pages[N_PAGES] = {0};
    rep_session_sample samples[N_SAMPLES];
    need(td_file_read(source, MOST_BYTES, &text, &diag), &diag);
    for (int i = 0; i < n; i++)
        read_page(paths[i], &pages[i]);
    fill_samples(samples);
    rep_session_source file = {"bank.c", text.at};
    rep_session_page s = {.program = "./bank 30 50",
                          .verdict = n > 0 ? "bug" : "incomplete",
                          .stopped = n > 0 ? "" : "time limit 1 min",
                          .version = "0.1.0",
                          .dir = "treadle-out/bank.1",
                          .facts = facts,
                          .n_facts = sizeof facts / sizeof facts[0],
                          .findings = pages,
                          .n_findings = (size_t)n,
                          .sides = sides,
                          .n_sides = sizeof sides / sizeof sides[0],
                          .sources = &file,
                          .n_sources = 1,
                          .samples = samples,
                          .n_samples = N_SAMPLES,
                          .solver = &solver,
                          .ledger = ledger,
                          .n_ledger = sizeof ledger / sizeof ledger[0],
                          .text = "treadle: 2 bugs\n"};
    rep_session_html(&s, &html);
    write_out(out, &html);
    for (int i = 0; i < n; i++)
        rep_page_fini(&pages[i]);
    td_text_fini(&text);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "finding") == 0)
        return finding_main(argv[2], argv[3]);
    if (argc >= 4 && argc - 4 <= N_PAGES && strcmp(argv[1], "session") == 0)
        return session_main(argv[2], argv[3], argv + 4, argc - 4);
    fputs("usage: pagehtml finding OUT PAGE | session OUT SOURCE PAGE...\n", stderr);
    return 2;
}
