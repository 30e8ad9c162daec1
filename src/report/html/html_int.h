/* SPDX-License-Identifier: Apache-2.0 */
/* report/html/html_int.h - how the files of the HTML pages work together. */
#pragma once

#include "report/html/html.h"
#include "report/session_page.h"

/* ---- made from web/: title, text and data come between the pieces ---- */

enum { REP_WEB_PIECES = 4 };

extern const char *const rep_web_finding[REP_WEB_PIECES];
extern const char *const rep_web_session[REP_WEB_PIECES];

/* ---- html_data.c: what web/decode.js reads, as JSON ---- */

void rep_html_finding_data(const rep_page *p, td_text *out);
void rep_html_session_data(const rep_session_page *s, td_text *out);

/* ---- html.c: text where a browser reads markup ---- */

/* Inside an element or an attribute. NULL is "". */
void rep_html_put_text(td_text *out, const char *text);
/* JSON inside a script element, where "</script" or "<!--" would be read as markup. */
void rep_html_put_json(td_text *out, const char *json, size_t len);
