/* SPDX-License-Identifier: Apache-2.0 */
/* wire/site.h - the site table in a program built with treadle cc.
 *
 * Purpose     Describes every instrumented place: its position in the source and what it accesses.
 * Words       image: the executable or one shared library.
 * Invariants  (S1) records are in section WIRE_SITE_SECTION, strings (zero-terminated)
 *             in WIRE_STRING_SECTION; both are read-only and need no dynamic relocation, and
 *             none in the object but one for each source file: a record names the record of its
 *             file by distance, which names the path by distance; other strings are named by
 *             their distance from that path; (S2) the
 *             number of a site in its image is its index in the section; the runtime
 *             numbers the images and adds each one's first number, so that 1.. are sites
 *             and 0 is "unknown".
 */
#pragma once

#include <assert.h>
#include <stdint.h>

#define WIRE_SITE_SECTION "treadle_sites"
#define WIRE_STRING_SECTION "treadle_strings"
/* Addresses of instrumented functions, 8 bytes each as in the file; not loaded. 0: dropped. */
#define WIRE_CODE_SECTION "treadle_code"

/* The kinds of sites. */
enum wire_site_kind {
    WIRE_SITE_READ,
    WIRE_SITE_WRITE,
    WIRE_SITE_ATOMIC,
    /* A call of a replaced, refused or tainting function; name is the callee. */
    WIRE_SITE_CALL,
    WIRE_SITE_RANGE,  /* memory intrinsic */
    WIRE_SITE_BRANCH, /* or switch, or where a symbolic value is made concrete */
    WIRE_SITE_INPUT,  /* call of a function that makes an input */
    WIRE_SITE_USES,   /* no place: the image uses callee, one of WIRE_WATCHED */
    WIRE_SITE_LOOP,   /* header of a loop in which its thread may wait */

    /* Executed code. The record at address a has marks, bytes that inserted code sets: that of outcome k is
     * PLAN_MARK(a + k). If a function has two versions, only the one that tracks symbolic values sets them. */
    WIRE_SITE_ENTRY, /* a function; line is that of its definition */
    WIRE_SITE_SIDES, /* a branch or switch; size is the number of its sides */
    WIRE_SITE_ROOM,  /* no place: only its marks count */
    /* Code on a line: its mark is that of outcome `size` of the record `type` records before it. */
    WIRE_SITE_LINE,
    WIRE_SITE_OTHER, /* call of a function that may not be instrumented; callee: its name, or "" */
    WIRE_SITE_FILE, /* no place: a source file, for the records that name it */
};

/* Size of a call that waits on a condition variable and is in no loop of its function. */
#define WIRE_CALL_ONCE 1u

/* Size of a call that sends a signal to the program itself: the signal; 0: unknown. */
#define WIRE_SENDERS(X)                                                                  \
    X(pthread_kill, 1) X(pthread_sigqueue, 1) X(raise, 0) X(kill, 1) /* its argument */

/* In the field callee of an access: the source has a volatile one. An atomic site became atomic by
 * --volatile. */
#define WIRE_SITE_VOLATILE "volatile"
/* Likewise for a mov in assembly: */
#define WIRE_SITE_ASM "asm"

typedef struct wire_site {
    int32_t
        file; /* distance in bytes to the record of the source file; there: to its path, as
                   * the compiler was given it. What follows is the distance from that path */
    int32_t function; /* distance to the name of the function */
    /* Distance to the source name of the object accessed ("balance", "q->head", "fork_[]"; a call: of the
     * object its first argument points to), or to "". */
    int32_t name;
    int32_t callee; /* distance to the name of the function called, or to "" */
    uint32_t line;  /* from 1; 0: unknown */
    uint32_t column;
    uint16_t kind; /* enum wire_site_kind */
    uint16_t
        size; /* bytes accessed, 0 where it varies; of a branch or switch: its sides, 0 of
                    * other places where a value decides */
    uint32_t type; /* enum wire_site_type: how to print the value */
} wire_site;

static_assert(sizeof(wire_site) == 32, "wire_site is part of the protocol");

enum wire_site_type {
    WIRE_TYPE_UNKNOWN,
    WIRE_TYPE_SIGNED,
    WIRE_TYPE_UNSIGNED,
    WIRE_TYPE_POINTER,
    WIRE_TYPE_FLOAT,
    WIRE_TYPE_BOOL,
    WIRE_TYPE_CHAR
};
