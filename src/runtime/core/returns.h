/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/returns.h - for returns.c and returns.S. */
#pragma once

#define RT_RETURN_TO 504 /* offset of return_to in plan_control */
