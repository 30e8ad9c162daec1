/* SPDX-License-Identifier: Apache-2.0 */
/* wire/build.h - the section with the commands that a program was built by.
 *
 * Purpose     treadle cc writes it, trace/build_records.c reads it. A record is a sequence of fields; a field is a byte that
 *             says what it is, a text and a zero. The linker puts the records of all objects behind each other.
 * Invariants  The section is not loaded, and nothing in it is trusted.
 */
#pragma once

#define WIRE_BUILD_SECTION ".treadle.build"

#define WIRE_BUILD_FOLDER 'D'   /* where the command ran; begins a record */
#define WIRE_BUILD_OBJECT 'O'   /* it made this object ... */
#define WIRE_BUILD_LINK 'L'     /* ... or this program */
#define WIRE_BUILD_SOURCE 'S'   /* an input that was instrumented */
#define WIRE_BUILD_HASH 'H'     /* of the source before, "" if it was not read */
#define WIRE_BUILD_ARGUMENT 'A' /* without -o and its file */
#define WIRE_BUILD_END '.'
