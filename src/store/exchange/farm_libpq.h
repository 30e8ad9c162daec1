/* SPDX-License-Identifier: Apache-2.0 */
/* store/exchange/farm_libpq.h - libpq, loaded when a farm is asked for.
 *
 * Purpose     treadle does not need libpq to be there, and a session without a farm does not pay
 *             for loading it and all the libraries it needs.
 */
#pragma once

#include <libpq-fe.h>

#include "base/status.h"

#define FARM_LIBPQ(X)                                                                    \
    X(PQclear)                                                                           \
    X(PQconnectdbParams)                                                                 \
    X(PQdb)                                                                              \
    X(PQerrorMessage)                                                                    \
    X(PQexec)                                                                            \
    X(PQexecPrepared)                                                                    \
    X(PQfinish)                                                                          \
    X(PQgetisnull)                                                                       \
    X(PQgetlength)                                                                       \
    X(PQgetvalue)                                                                        \
    X(PQnfields)                                                                         \
    X(PQntuples)                                                                         \
    X(PQprepare)                                                                         \
    X(PQreset)                                                                           \
    X(PQresultErrorField)                                                                \
    X(PQresultStatus)                                                                    \
    X(PQserverVersion)                                                                   \
    X(PQsetNoticeProcessor)                                                              \
    X(PQstatus)                                                                          \
    X(PQuser)

/* Its functions under their own names. */
typedef struct farm_libpq {
#define FARM_LIBPQ_FIELD(name) __typeof__(name) *name;
    FARM_LIBPQ(FARM_LIBPQ_FIELD)
#undef FARM_LIBPQ_FIELD
} farm_libpq;

/* Stays loaded until the process ends. */
TD_MUST_USE td_status farm_libpq_load(farm_libpq *out, td_diag *diag);
