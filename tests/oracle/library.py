# SPDX-License-Identifier: Apache-2.0
"""Calls of the C library in programs: their text, and what memory they read and write.

Each call works on shared variables that nothing protects. Every text has the value "1", always,
so that no call does more or less in another order. Known from the manual pages alone."""

# Call: text, shared variables that it reads, that it writes, {variable: value that is left there}.
# {d} is d0 or d1, {t} is text0 or text1, {u} the other one of the texts; e0 is the end of a number.
CALLS = {
    "strtol": ("sink += (int)strtol({t}, &e0, 10);", ("{t}",), ("e0",), {}),
    "strtoul": ("sink += (int)strtoul({t}, NULL, 10);", ("{t}",), (), {}),
    "strtod": ("sink += strtod({t}, &e0) > 0;", ("{t}",), ("e0",), {}),
    "atoi": ("sink += atoi({t});", ("{t}",), (), {}),
    "snprintf": ('snprintf({t}, sizeof {t}, "%s", {u});', ("{u}",), ("{t}",), {}),
    "sprintf": ('sprintf({t}, "%d", 1);', (), ("{t}",), {}),
    "sscanf": ('sscanf({t}, "%d", &{d});', ("{t}",), ("{d}",), {"{d}": 1}),
    "scan text": ('sscanf("1", "%15s", {t});', (), ("{t}",), {}),
    "frexp": ("sink += frexp(2.0, &{d}) > 0;", (), ("{d}",), {"{d}": 2}),
    "modf": ("sink += modf(1.5, &x0) > 0;", (), ("x0",), {}),
    "remquo": ("sink += remquo(3.0, 2.0, &{d}) > 0;", (), ("{d}",), {"{d}": 2}),
    "memcpy": ("memcpy({t}, {u}, size);", ("{u}",), ("{t}",), {}),
    "memmove": ("memmove({t}, {u}, size);", ("{u}",), ("{t}",), {}),
    "mempcpy": ("mempcpy({t}, {u}, size);", ("{u}",), ("{t}",), {}),
    "memset": ("memset({t}, '1', size / 2);", (), ("{t}",), {}),
    "memcmp": ("sink += memcmp({t}, {u}, size);", ("{t}", "{u}"), (), {}),
    "memchr": ("sink += memchr({t}, '1', size) != NULL;", ("{t}",), (), {}),
    "strcpy": ("strcpy({t}, {u});", ("{u}",), ("{t}",), {}),
    "stpcpy": ("stpcpy({t}, {u});", ("{u}",), ("{t}",), {}),
    "strncpy": ("strncpy({t}, {u}, size);", ("{u}",), ("{t}",), {}),
    "strlen": ("sink += (int)strlen({t});", ("{t}",), (), {}),
    "strnlen": ("sink += (int)strnlen({t}, size);", ("{t}",), (), {}),
    "strcmp": ('sink += strcmp({t}, "1");', ("{t}",), (), {}),
    "strchr": ("sink += strchr({t}, '1') != NULL;", ("{t}",), (), {}),
    "strspn": ('sink += (int)strspn({t}, "1");', ("{t}",), (), {}),
    "strdup": ("free(strdup({t}));", ("{t}",), (), {}),
    "getline": ("sink += get_line({t});", ("{t}",), (), {}),
    "vsnprintf": ('format_text({t}, "%s", {u});', ("{u}",), ("{t}",), {}),
    "open_memstream": ("stream_text({t}, {u});", ("{u}",), ("{t}",), {}),
    "time": ("time(&when);", (), ("when",), {}),
    "clock_gettime": ("clock_gettime(CLOCK_REALTIME, &now);", (), ("now",), {}),
    "gmtime_r": ("gmtime_r(&when, &parts);", ("when",), ("parts",), {}),
}
# How three bits of a number get into a text that a mutex guards, and out of it: {g} is the text, {r} a register.
PUTS = {"snprintf": 'snprintf({g}, sizeof {g}, "%d", ({e}) & 7);',
        "sprintf": 'sprintf({g}, "%d", ({e}) & 7);',
        "memcpy": 'memcpy({g}, digits + 2 * (({e}) & 7), 2);',
        "strcpy": 'strcpy({g}, digits + 2 * (({e}) & 7));',
        "sscanf": 'sscanf(digits + 2 * (({e}) & 7), "%15s", {g});'}
GETS = {"strtol": "{r} = (int)strtol({g}, &end, 10);", "atoi": "{r} = atoi({g});",
        "sscanf": 'sscanf({g}, "%d", &{r});', "getline": "{r} = get_line({g});",
        "strtod": "{r} = (int)strtod({g}, NULL);", "char": "{r} = *strpbrk({g}, \"01234567\") - '0';"}


def names(call, at):
    """(reads, writes, {variable: value}) of a call with its variables in place."""
    def named(text):
        return text.format(**at)

    _, reads, writes, values = CALLS[call]
    return ([named(n) for n in reads], [named(n) for n in writes],
            {named(n): value for n, value in values.items()})
