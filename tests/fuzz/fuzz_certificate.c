/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes give a certificate or a sentence. What was read has steps, ends and sites within their bounds. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "certify/certify.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    td_diag diag = {0};
    crt_file f = {0};
    td_text_put(&f.text, (const char *)data, size);
    if (crt_file_parse(&f, &diag) != TD_OK) {
        require(diag.text[0] != '\0');
        crt_file_fini(&f);
        return 0;
    }
    uint32_t end = 0;
    for (size_t i = 0; i < f.ends.len; i++) {
        require(f.ends.at[i] >= end && f.ends.at[i] <= f.steps.len);
        end = f.ends.at[i];
    }
    require(end == f.steps.len);
    for (size_t i = 0; i < f.steps.len; i++)
        require(f.steps.at[i].count > 0);
    require(f.promoted.len <= WIRE_MAX_PROMOTED);
    require(f.build_id >= f.text.at || f.build_id[0] == '\0');
    for (size_t i = 0; i < f.args.len; i++)
        require(f.args.at[i] > f.text.at &&
                f.args.at[i] + strlen(f.args.at[i]) < f.text.at + f.text.len);
    crt_file_fini(&f);
    return 0;
}
