/* SPDX-License-Identifier: Apache-2.0 */
/* treadle_fuzz.h - a main for fuzz targets: treadle cc -fsanitize=fuzzer ... target.c -o target, which links it, or
 * treadle cc -include treadle_fuzz.h ... target.c -o target
 *
 * The program reads the file that it is given, or standard input, and hands the bytes to LLVMFuzzerTestOneInput.
 * One source of a program may have it: the one with the target. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

#define TREADLE_FUZZ_MOST 65536u /* bytes of an input */

#ifndef TREADLE_FUZZ_MAIN
#define TREADLE_FUZZ_MAIN int main
#endif

TREADLE_FUZZ_MAIN(int argc, char **argv)
{
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : stdin;
    if (f == NULL) {
        perror(argv[1]);
        return 2;
    }
    uint8_t *bytes = (uint8_t *)malloc(TREADLE_FUZZ_MOST);
    size_t n = bytes != NULL ? fread(bytes, 1, TREADLE_FUZZ_MOST, f) : 0;
    if (f != stdin)
        fclose(f);
    /* A block of its own size, so that an access beyond its end is seen. */
    uint8_t *data = (uint8_t *)malloc(n > 0 ? n : 1);
    for (size_t i = 0; i < n; i++)
        data[i] = bytes[i];
    free(bytes);
    if (LLVMFuzzerInitialize != NULL)
        LLVMFuzzerInitialize(&argc, &argv);
    LLVMFuzzerTestOneInput(data, n);
    free(data);
    return 0;
}

#ifdef __cplusplus
}
#endif
