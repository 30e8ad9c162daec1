/* SPDX-License-Identifier: Apache-2.0 */
/* base/sha256.h - SHA-256 (FIPS 180-4), for formats that name files by it. */
#pragma once

#include <stddef.h>

/* As 64 hexadecimal digits and a zero. */
void td_sha256(const void *bytes, size_t n, char out[65]);
