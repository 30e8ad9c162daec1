/* SPDX-License-Identifier: Apache-2.0 */
/* report/formats/xml_text.h - text in XML 1.0. */
#pragma once

#include "base/text.h"

/* Escaped, for content. What XML cannot have (control
 * characters, bytes that are not UTF-8) becomes U+FFFD. NULL is "". */
void rep_xml_put(td_text *out, const char *text);
/* name="text" with a blank before it; line breaks are kept. */
void rep_xml_attribute(td_text *out, const char *name, const char *text);
