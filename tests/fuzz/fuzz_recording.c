/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes give a recording or a sentence; a recording that was read prints to text that
 * reads back and prints the same. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "store/store.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void round_trip(const sto_recording *r)
{
    td_text first = {0}, second = {0};
    sto_recording again;
    sto_recording_print(r, &first);
    require(sto_recording_parse(first.at, first.len, &again, NULL) == TD_OK);
    require(again.args.len == r->args.len && again.schedule.len == r->schedule.len);
    require(again.inputs.len == r->inputs.len);
    require(strcmp(again.message, r->message) == 0);
    sto_recording_print(&again, &second);
    require(first.len == second.len && memcmp(first.at, second.at, first.len) == 0);
    sto_recording_fini(&again);
    td_text_fini(&first);
    td_text_fini(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    td_diag diag = {0};
    sto_recording r;
    if (sto_recording_parse((const char *)data, size, &r, &diag) != TD_OK) {
        require(diag.text[0] != '\0');
        return 0;
    }
    round_trip(&r);
    sto_recording_fini(&r);
    return 0;
}
