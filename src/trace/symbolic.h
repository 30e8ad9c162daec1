/* SPDX-License-Identifier: Apache-2.0 */
/* trace/symbolic.h - the decoder's part for symbolic values. */
#pragma once

#include "trace/trace.h"

/* NULL if the record is a node that fits what came before it, else why not. */
const char *trc_node_wrong(const trc *t, const wire_rec *r);
void trc_node_take(trc *t, const wire_rec *r);
