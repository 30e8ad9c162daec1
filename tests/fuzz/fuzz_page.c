/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes give a page or a sentence; a page that was read prints to text that reads back and
 * prints the same, and none of it ends a script of its HTML. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/html/html.h"
#include "report/page.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void round_trip(const rep_page *p)
{
    td_text first = {0}, second = {0};
    rep_page again;
    rep_page_print(p, &first);
    require(rep_page_parse(first.at, first.len, &again, NULL) == TD_OK);
    rep_page_print(&again, &second);
    require(first.len == second.len && memcmp(first.at, second.at, first.len) == 0);
    rep_page_fini(&again);
    td_text_fini(&first);
    td_text_fini(&second);
}

/* The two scripts of the page, whatever its texts say. */
static void check_html(const rep_page *p)
{
    td_text html = {0};
    int n_ends = 0;
    rep_page_html(p, &html);
    for (const char *at = html.at; (at = strcasestr(at, "</script")) != NULL; at++)
        n_ends++;
    require(n_ends == 2);
    td_text_fini(&html);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    td_diag diag = {0};
    rep_page p;
    if (rep_page_parse((const char *)data, size, &p, &diag) != TD_OK) {
        require(diag.text[0] != '\0');
        return 0;
    }
    round_trip(&p);
    check_html(&p);
    rep_page_fini(&p);
    return 0;
}
