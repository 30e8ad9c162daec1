/* SPDX-License-Identifier: Apache-2.0 */
/* wire/started.h - programs that list themselves when they start.
 *
 * Purpose     Names the file that a program built with treadle cc adds itself to, if it starts without treadle:
 *             its path, its directory, the number of its arguments and the arguments, the number of its
 *             environment's texts and those; each text ends with a zero byte.
 */
#pragma once

#define WIRE_ENV_STARTED "TREADLE_STARTED"
