/* SPDX-License-Identifier: Apache-2.0 */
/* cli/sentence.h - what a sentence may show on a terminal, no matter where its words come from. */
#pragma once

#include "base/text.h"

/* Appends text without what could be a password: of an address, scheme://..., only the scheme is left.
 * The rest is as td_text_put_visible shows it. */
void cli_sentence(const char *text, td_text *out);
