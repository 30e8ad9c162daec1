/* SPDX-License-Identifier: Apache-2.0 */
/* cli/self_test.h - treadle doctor --self-test. */
#pragma once

#include <stdbool.h>

/* Compiles and explores small programs, a line for each; true if all came out as they must. */
bool cli_self_test(void);
