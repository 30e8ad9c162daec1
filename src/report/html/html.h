/* SPDX-License-Identifier: Apache-2.0 */
/* report/html/html.h - the page of a finding for a browser.
 *
 * Purpose     One file that needs nothing else: style, scripts and data are in it, and it loads
 *             nothing. rep_session_html (report/session_page.h) is the same for a session.
 * Words       piece: the file around a hole that data fills; made of web/ by web/embed.py.
 * Invariants  (H1) no byte of the data is read as markup or script by a browser;
 *             (H2) the same page gives the same bytes.
 */
#pragma once

#include "base/text.h"
#include "report/page.h"

/* Appended to out. */
void rep_page_html(const rep_page *p, td_text *out);
