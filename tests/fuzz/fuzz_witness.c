/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes give a witness or a sentence; what was read, written down again, reads the same. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/witness_reader.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_quoted(td_text *out, const char *text)
{
    td_text_put(out, "'", 1);
    for (; *text; text++)
        td_text_put(out, *text == '\'' ? "''" : text, *text == '\'' ? 2 : 1);
    td_text_put(out, "'\n", 2);
}

static void put_waypoint(td_text *out, const cli_waypoint *p)
{
    td_text_add(out, "- waypoint:\n  type: %s\n  action: %s\n", cli_way_text(p->way),
                p->is_avoided ? "avoid" : "follow");
    if (p->thread != CLI_ANY_THREAD)
        td_text_add(out, "  thread_id: %" PRIu32 "\n", p->thread);
    td_text_add(out, "  line: %" PRIu32 "\n  column: %" PRIu32 "\n  file_name: ", p->line,
                p->column);
    put_quoted(out, p->file);
    td_text_add(out, "  value: ");
    put_quoted(out, p->value);
}

static void read_again(const cli_witness *w)
{
    td_text text = {0};
    cli_witness again;
    td_text_add(&text, "- entry_type: violation_sequence\n");
    for (size_t i = 0; i < w->at.len; i++)
        put_waypoint(&text, &w->at.at[i]);
    require(cli_witness_parse(text.at, text.len, &again, NULL) == TD_OK);
    require(again.at.len == w->at.len);
    for (size_t i = 0; i < w->at.len; i++) {
        const cli_waypoint *a = &w->at.at[i], *b = &again.at.at[i];
        require(a->way == b->way && a->is_avoided == b->is_avoided);
        require(a->thread == b->thread && a->line == b->line && a->column == b->column);
        require(strcmp(a->file, b->file) == 0 && strcmp(a->value, b->value) == 0);
    }
    cli_witness_fini(&again);
    td_text_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    td_diag diag = {0};
    cli_witness w;
    if (cli_witness_parse((const char *)data, size, &w, &diag) != TD_OK) {
        require(diag.text[0] != '\0' && w.at.len == 0);
        return 0;
    }
    require(w.at.len > 0);
    for (size_t i = 0; i < w.at.len; i++) {
        uint64_t number;
        require(w.at.at[i].way < CLI_N_WAYS && w.at.at[i].line > 0);
        (void)cli_constraint_number(w.at.at[i].value, &number);
    }
    read_again(&w);
    cli_witness_fini(&w);
    return 0;
}
