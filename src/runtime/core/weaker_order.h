/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/weaker_order.h - orders that operations have in place of their own (weaker_order.c). */
#pragma once

#include <stdint.h>

/* The order of an operation of this kind at a site, which the program has with this order. */
uint8_t rt_weaker_order(uint8_t kind, uint8_t order, uint32_t site);
