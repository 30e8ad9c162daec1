/* SPDX-License-Identifier: Apache-2.0 */
/* report/formats/rpc.h - requests of JSON-RPC 2.0, as used by the Model Context Protocol.
 *
 * Purpose     Reads a method from one line of JSON and, for a call of a tool, its name and arguments.
 * Invariants  The bytes are not trusted: an invalid request gives an error message. Texts have no zero bytes.
 * Ownership   A rep_rpc owns its texts.
 */
#pragma once

#include "base/status.h"
#include "base/text.h"
#include "base/vec.h"

/* Text: its value. Number, true and false: as JSON writes them. Array of texts: several with one name. */
typedef struct rep_rpc_arg {
    char *name, *value;
} rep_rpc_arg;

TD_VEC(rep_rpc_arg, rep_rpc_arg_vec);

typedef struct rep_rpc {
    char *id;      /* as JSON; NULL: a notification, which is not answered */
    char *method;  /* "tools/call" */
    char *version; /* params.protocolVersion, or "" */
    char *tool;    /* params.name, or "" */
    char *about;   /* params.requestId as JSON, or NULL */
    rep_rpc_arg_vec args;
} rep_rpc;

/* *out is empty if it fails, but for the id, if that could be read. */
TD_MUST_USE td_status rep_rpc_read(const char *text, size_t n, rep_rpc *out,
                                   td_diag *diag);
/* Returns the first argument of this name, or NULL. */
const char *rep_rpc_arg_of(const rep_rpc *r, const char *name);
void rep_rpc_fini(rep_rpc *r);
