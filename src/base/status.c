/* SPDX-License-Identifier: Apache-2.0 */
/* The message of an error outside treadle. */
#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"

static bool is_free(const td_diag *diag)
{
    return diag && diag->text[0] == 0;
}

td_status td_diag_set(td_diag *diag, td_status status, const char *format, ...)
{
    TD_ASSERT(status != TD_OK);
    if (!is_free(diag))
        return status;
    va_list args;
    va_start(args, format);
    vsnprintf(diag->text, sizeof diag->text, format, args);
    va_end(args);
    return status;
}

td_status td_diag_errno(td_diag *diag, td_status status, const char *format, ...)
{
    int error = errno;
    TD_ASSERT(status != TD_OK);
    if (!is_free(diag))
        return status;
    va_list args;
    va_start(args, format);
    vsnprintf(diag->text, sizeof diag->text, format, args);
    va_end(args);
    size_t len = strlen(diag->text);
    snprintf(diag->text + len, sizeof diag->text - len, ": %s", strerror(error));
    return status;
}
