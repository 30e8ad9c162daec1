/* SPDX-License-Identifier: Apache-2.0 */
/* Library functions touch no more than they have to: a comparison ends at the first difference, a number
 * where it ends, %.2s after two letters, a failing call writes nothing, snprintf leaves the end alone.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wchar.h>

static wchar_t wide[8] = L"abcdef";
static char digits[16] = "12x45";
static char name[8] = "ab12";
static struct stat info;
static char out[16];

static void *reader(void *arg)
{
    if (wcscmp(wide, L"axx") == 0 || wcschr(wide, L'b') != wide + 1)
        abort();
    if (strtod(digits, NULL) != 12)
        abort();
    printf("%.2s\n", name);
    if (stat("/nowhere/at/all", &info) == 0)
        abort();
    snprintf(out, sizeof out, "%f", 1.5);
    return arg;
}

static void *writer(void *arg)
{
    wide[4] = L'E';
    digits[4] = '6';
    name[2] = 'c';
    info.st_size = 1;
    out[15] = 1;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
