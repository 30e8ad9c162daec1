/* SPDX-License-Identifier: Apache-2.0 */
/* cli/sentence.h - makes messages safe to print on a terminal, wherever their text comes from. */
#pragma once

#include "base/text.h"

/* Appends text without anything that could be a password: of an address scheme://... only the scheme
 * remains. The rest is printed by td_text_put_visible. */
void cli_sentence(const char *text, td_text *out);
