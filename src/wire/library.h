/* SPDX-License-Identifier: Apache-2.0 */
/* wire/library.h - what functions of the C library do to memory through their arguments.
 *
 * Purpose     One table for the instrumenter, which leads calls of these functions through a thunk; for
 *             the runtime, which checks the accesses that a row describes; and for the doctor.
 * Words       row: a function and its signature.  state: what a function keeps between calls.
 * Invariants  (L1) a row claims no access that the function may not make;
 *             (L2) a function in no list here or in wire/api.h is uninstrumented: if a run calls it,
 *             that is a ledger entry.
 *
 * A signature has a word for each argument, then words about states:
 *   v      a value; a pointer that is not looked behind
 *   F      a function of the program that is called back
 *   f      a floating-point value, which is in no integer register
 *   s w    text, wide text: read, its end included. @K: at most as many letters as argument K says; #N: as N
 *   C Cw   text that is compared with the next argument, as far as that goes; @K: at most. D: not ended by 0
 *   k kw   text that is read up to where the result points, or all; j jw: as far as the result says
 *   n nw   text of a floating-point number, wide;  N Nw of an integer: read as far as it goes
 *   a aw   text that is read, and written behind its end;  z: read, and written where it has changed
 *   iSIZE  read;  oSIZE written;  bSIZE both
 *   q      a pointer or length that is read, and written if it changes; qi qo: bytes it passes are read, written
 *   G      the same; text of the result's length is written where it points
 *   P Pw   format of the printf family, wide;  Q Qw of the scanf family; arguments follow
 *   A      a va_list with them
 *   E      main's arguments, read from optind on
 *   I@K J@K  K buffers (struct iovec), read; written as far as the result says
 *   L@K    K of struct pollfd;  U a set of descriptors, as many bits as argument 1 says
 *   M      struct msghdr that is sent;  R that is received;  Z the arguments of mmap
 *   m      a stream that changes;  p one that is written to;  l one whose position is asked for;  e one that is
 *          asked for something else;  y one that is flushed, or all of them;  Y one that is closed
 *   W:1 W:2  stdout, stderr is written to
 *   B      a variable that the memory stream that is made writes when it is flushed
 *   V      memory that is used after the call: a ledger line, unless it is NULL
 *   h      a descriptor of a file that changes;  H that is written to;  g that is asked. One of a pipe or socket between
 *          threads is refused if the runtime does not do the call;  K: all from there on
 *   r:X u:X  state X is read, updated
 *   O:X S:X  state X that the system keeps for the process is asked for, set: an operation
 *   x      not watched: a ledger line
 *   t      a cancellation point
 *   c      the call changes something that no access tells of
 *   T      the row is of a library that programs are linked with statically, too
 * SIZE is a number, @K (argument K), @K*N, @K@L, $K (the length that argument K points to, 4 bytes),
 * F (an address of family argument 1); = (the result), =*N, =@K, =+N, =+N<K
 * (if the result is less than argument K); or s, w: the text that is there, s@K: if argument K is not 0.
 * ?C after it: only if the result says so, C of 0: is 0;  p: is not 0;  -: is not 0 as an int;  +: is not
 * negative as an int;  !: is not -1;  =: is this argument;  @K: where argument K points, this
 * argument stands. &: the same argument once more. A pointer to the first page or beyond user space
 * is left alone.
 */
#pragma once

#if defined(__aarch64__)
#define WIRE_STAT "128"
#define WIRE_JMP "176"
#define WIRE_ATTR "64"
#define WIRE_FENV "8"
#else
#define WIRE_STAT "144"
#define WIRE_JMP "64"
#define WIRE_ATTR "56"
#define WIRE_FENV "28"
#endif

#define WIRE_TOUCH_PREFIX "__treadle_touch_"

/* clang-format off */

/* States that functions keep: two calls at once, one of which updates it, are a data race. */
#define WIRE_STATES(X)                                                                  \
    X(env) X(locale) X(time) X(strtok) X(getopt) X(drand48) X(hsearch) X(passwd)        \
    X(group) X(hosts) X(networks) X(protocols) X(services) X(tty) X(tmpnam) X(login)    \
    X(letters) X(digits) X(crypt) X(multibyte) X(signgam) X(mounts) X(users) X(shells)  \
    X(inet) X(syslog) X(getdate) X(regex) X(dlerror) X(shadow) X(ether) X(directory)    \
    X(netgroup) X(textdomain) X(profile) X(gai) X(aliases) X(rpc)

/* State that the system keeps for the process. Two calls in different threads, one of which sets it, are
 * ordered. Y: every function that reads it has a row; N: other functions read it as well, so setting it
 * while other threads run is a ledger entry. */
#define WIRE_SYSTEM_STATES(X)                                                           \
    X(timers, Y) X(priority, Y) X(limits, N) X(session, Y) X(identity, N)               \
    X(directory, N) X(umask, N) X(terminal, Y) X(names, Y) X(personality, N)

/* Two further states: numbers and flags of descriptors, which are ordered with calls on pipes and sockets;
 * and those of the descriptor of a stream or directory, which matter if the program calls a function that
 * returns or takes a number. */
#define WIRE_STATE_DESCRIPTORS "descriptors"
#define WIRE_STATE_HIDDEN "hidden"

#define WIRE_LIBRARY(X) WIRE_LIBRARY_STDIO(X) WIRE_LIBRARY_STDLIB(X) WIRE_LIBRARY_STRING(X) \
    WIRE_LIBRARY_WIDE(X) WIRE_LIBRARY_TIME(X) WIRE_LIBRARY_MATH(X) WIRE_LIBRARY_UNIX(X)     \
    WIRE_LIBRARY_NET(X) WIRE_LIBRARY_OTHER(X) WIRE_LIBRARY_THREADS(X) WIRE_LIBRARY_CXX(X)   \
    WIRE_LIBRARY_TESTS(X)                                                               \
    WIRE_LIBRARY_EXCEPTIONS(X) WIRE_LIBRARY_CXX_PARTS(X) WIRE_LIBRARY_LIBCXX(X) WIRE_LIBRARY_STREAMS(X) \
    WIRE_LIBRARY_OURS(X)

#define WIRE_LIBRARY_STDIO(X)                                                           \
    X(printf, "P W:1") X(vprintf, "P A W:1") X(fprintf, "p P") X(vfprintf, "p P A")     \
    X(dprintf, "H P") X(vdprintf, "H P A")                                              \
    X(asprintf, "o8?+ P") X(vasprintf, "o8?+ P A")                                      \
    X(scanf, "Q") X(vscanf, "Q A") X(fscanf, "m Q") X(vfscanf, "m Q A")                 \
    X(sscanf, "s Q") X(vsscanf, "s Q A") X(puts, "s W:1") X(fputs, "s p")               \
    X(fputs_unlocked, "s p") X(putchar, "v W:1") X(putchar_unlocked, "v W:1") X(putc, "v p") \
    X(putc_unlocked, "v p") X(fputc, "v p") X(fputc_unlocked, "v p") X(putw, "v p")     \
    X(getw, "m") X(fwrite, "i@2@3 v v p") X(fwrite_unlocked, "i@2@3 v v p")             \
    X(fread, "o=@2 v v m") X(fread_unlocked, "o=@2 v v m") X(fgetc, "m") X(getc, "m")   \
    X(fgetc_unlocked, "m") X(getc_unlocked, "m") X(fgets, "os?p v m")                   \
    X(fgets_unlocked, "os?p v m") X(ungetc, "v m") X(getline, "G q m")                  \
    X(getdelim, "G q v m") X(__getdelim, "G q v m") X(feof, "e") X(ferror, "e")         \
    X(feof_unlocked, "e") X(ferror_unlocked, "e") X(clearerr, "p")                      \
    X(clearerr_unlocked, "p") X(perror, "s W:2") X(fflush, "y") X(fflush_unlocked, "y") \
    X(fclose, "Y S:hidden") X(fileno, "e") X(fileno_unlocked, "e") X(fseek, "m v v")    \
    X(fseeko, "m v v") X(ftell, "l") X(ftello, "l") X(rewind, "m")                      \
    X(fgetpos, "l o16?0") X(fsetpos, "m i16") X(setvbuf, "p V v v") X(setbuf, "p V")    \
    X(setbuffer, "p V v") X(setlinebuf, "p") X(fmemopen, "V v s") X(fopen, "s s S:hidden") \
    X(fdopen, "v s") X(freopen, "s s m S:hidden") X(open_memstream, "B B c") X(open_wmemstream, "B B c") \
    X(fopencookie, "x") X(remove, "s c") X(rename, "s s") X(renameat, "v s v s c")      \
    X(renameat2, "v s v s v c") X(tmpfile, "c S:hidden") X(tmpnam, "x") X(tmpnam_r, "os?p") \
    X(tempnam, "s s") X(ctermid, "os?p") X(cuserid, "os?p u:login") X(pclose, "m")      \
    X(flockfile, "v") X(funlockfile, "v") X(ftrylockfile, "v")                          \
    X(fcloseall, "c S:hidden") X(gets, "os?p c") X(__overflow, "p v") X(__uflow, "m") X(fpurge, "m") \
    X(__fpurge, "m") X(__fbufsize, "e") X(__fpending, "l") X(__freading, "l")           \
    X(__fwriting, "l") X(__freadable, "e") X(__fwritable, "e") X(__flbf, "e")           \
    X(__fsetlocking, "p v") X(_flushlbf, "c") X(printf_size_info, "x")                  \
    X(obstack_printf, "x") X(obstack_vprintf, "x") X(register_printf_function, "x")

#define WIRE_LIBRARY_STDLIB(X)                                                          \
    X(atof, "n") X(strtod, "n o8") X(strtof, "n o8") X(strtold, "n o8")                 \
    X(strtod_l, "n o8 v") X(strtof_l, "n o8 v") X(strtold_l, "n o8 v")                  \
    X(strtol_l, "N o8 v v") X(strtoul_l, "N o8 v v") X(strtoll_l, "N o8 v v")           \
    X(strtoull_l, "N o8 v v") X(strtoq, "N o8 v") X(strtouq, "N o8 v")                  \
    X(strfromd, "o=+1<2 v s f") X(strfromf, "o=+1<2 v s f") X(strfroml, "x")            \
    X(getenv, "s r:env") X(secure_getenv, "s r:env") X(setenv, "s s v u:env")           \
    X(unsetenv, "s u:env") X(putenv, "s u:env") X(clearenv, "u:env")                    \
    X(rand_r, "b4") X(random_r, "b8 o4 c") X(srandom_r, "v b8 c") X(initstate_r, "x")       \
    X(setstate_r, "x") X(initstate, "v v v c") X(setstate, "v c")                       \
    X(drand48, "u:drand48") X(lrand48, "u:drand48") X(mrand48, "u:drand48")             \
    X(srand48, "v u:drand48") X(seed48, "i6 u:drand48") X(lcong48, "i14 u:drand48")     \
    X(erand48, "b6 u:drand48") X(nrand48, "b6 u:drand48") X(jrand48, "b6 u:drand48")    \
    X(drand48_r, "b24 o8") X(lrand48_r, "b24 o8") X(mrand48_r, "b24 o8")                \
    X(srand48_r, "v o24") X(seed48_r, "i6 b24") X(lcong48_r, "i14 b24")                 \
    X(erand48_r, "b6 b24 o8") X(nrand48_r, "b6 b24 o8") X(jrand48_r, "b6 b24 o8")       \
    X(a64l, "s#6") X(l64a, "v u:letters") X(ecvt, "f v o4 o4 u:digits")                 \
    X(fcvt, "f v o4 o4 u:digits") X(gcvt, "f v os?p") X(qecvt, "v o4 o4 u:digits")      \
    X(qfcvt, "v o4 o4 u:digits") X(qgcvt, "v os?p") X(ecvt_r, "f v o4 o4 os?0")         \
    X(fcvt_r, "f v o4 o4 os?0") X(qecvt_r, "x") X(qfcvt_r, "x") X(mblen, "i= v u:multibyte") \
    X(mbtowc, "o4?+ i= v u:multibyte") X(wctomb, "o= v u:multibyte") X(mbstowcs, "o=*4 i= v") \
    X(wcstombs, "o= w#1 v") X(realpath, "s os?p") X(canonicalize_file_name, "s")        \
    X(mkstemp, "z S:descriptors") X(mkstemps, "z v c S:descriptors") X(mkostemp, "z v c S:descriptors") \
    X(mkostemps, "z v v c S:descriptors") X(mkdtemp, "z c") X(mktemp, "z") X(getsubopt, "x") \
    X(qsort_r, "x") X(lfind, "v v i8 v F") X(lsearch, "x") X(getloadavg, "o=*8 v")      \
    X(ptsname, "v u:tty") X(ptsname_r, "v os?0 v") X(grantpt, "v") X(unlockpt, "v")     \
    X(posix_openpt, "v c S:descriptors") X(getpt, "c S:descriptors") X(rpmatch, "s") X(malloc_usable_size, "v") \
    X(mallinfo, "o40") X(mallinfo2, "o80") X(malloc_trim, "v c") X(mallopt, "v v c")    \
    X(malloc_stats, "W:2") X(malloc_info, "v p") X(on_exit, "v v c") X(at_quick_exit, "v c") \
    X(valloc, "v c") X(pvalloc, "v c") X(arc4random, "") X(arc4random_buf, "o@2 v")     \
    X(arc4random_uniform, "v") X(getentropy, "o@2?0 v") X(crypt, "s s u:crypt")         \
    X(crypt_r, "x") X(encrypt, "x") X(setkey, "x")

#define WIRE_LIBRARY_STRING(X)                                                          \
    X(bcopy, "i@3 o@3 v") X(bzero, "o@2 v") X(explicit_bzero, "o@2 v")                  \
    X(swab, "i@3 o@3 v") X(memfrob, "b@2 v") X(strfry, "z c") X(strlcpy, "os@3 s v")    \
    X(strlcat, "x") X(strverscmp, "C v") X(strcoll_l, "s s v") X(strxfrm, "o=+1<3 s v") \
    X(strxfrm_l, "o=+1<3 s v v") X(strcasecmp_l, "C v v")                               \
    X(strncasecmp_l, "C@3 v v v") X(strerror, "v") X(strerror_l, "v v")                 \
    X(strerror_r, "v os?= v") X(__xpg_strerror_r, "v os?0 v") X(strsignal, "v c")         \
    X(strerrorname_np, "v") X(strerrordesc_np, "v") X(sigabbrev_np, "v")                \
    X(sigdescr_np, "v") X(ffs, "v") X(ffsl, "v") X(ffsll, "v") X(basename, "s")         \
    X(__xpg_basename, "z") X(dirname, "z") X(argz_add, "x") X(argz_add_sep, "x")        \
    X(argz_append, "x") X(argz_count, "i@2 v") X(argz_create, "x")                      \
    X(argz_create_sep, "x") X(argz_delete, "x") X(argz_extract, "x") X(argz_insert, "x") \
    X(argz_next, "x") X(argz_replace, "x") X(argz_stringify, "x") X(envz_add, "x")      \
    X(envz_entry, "x") X(envz_get, "x") X(envz_merge, "x") X(envz_remove, "x")          \
    X(envz_strip, "x") X(fnmatch, "s s v") X(strfmon, "x") X(strfmon_l, "x")

#define WIRE_LIBRARY_WIDE(X)                                                            \
    X(wcslen, "w") X(wcsnlen, "w@2 v") X(wcscpy, "ow w") X(wcpcpy, "ow w")              \
    X(wcsncpy, "o@3*4 w@3 v") X(wcpncpy, "o@3*4 w@3 v") X(wcscat, "aw w")               \
    X(wcsncat, "aw w@3 v") X(wcscmp, "Cw v") X(wcsncmp, "Cw@3 v v")                     \
    X(wcscasecmp, "Cw v") X(wcsncasecmp, "Cw@3 v v") X(wcscasecmp_l, "Cw v v")          \
    X(wcsncasecmp_l, "Cw@3 v v v") X(wcscoll, "w w") X(wcscoll_l, "w w v")              \
    X(wcsxfrm, "ow?! w v") X(wcsxfrm_l, "ow?! w v v") X(wcsdup, "w")                    \
    X(wcschr, "kw v") X(wcsrchr, "w v") X(wcschrnul, "kw v") X(wcscspn, "jw w")         \
    X(wcsspn, "jw w") X(wcspbrk, "kw w") X(wcsstr, "kw w") X(wcswcs, "kw w")            \
    X(wcstok, "x") X(wmemchr, "kw@3 v v") X(wmemcmp, "Dw@3 v v")                        \
    X(wmemcpy, "o@3*4 i@3*4 v") X(wmemmove, "o@3*4 i@3*4 v")                            \
    X(wmempcpy, "o@3*4 i@3*4 v") X(wmemset, "o@3*4 v v")                                \
    X(wcstod, "nw o8") X(wcstof, "nw o8") X(wcstold, "nw o8") X(wcstod_l, "nw o8 v")    \
    X(wcstof_l, "nw o8 v") X(wcstold_l, "nw o8 v") X(wcstol, "Nw o8 v")                 \
    X(wcstoul, "Nw o8 v") X(wcstoll, "Nw o8 v") X(wcstoull, "Nw o8 v")                  \
    X(wcstoq, "Nw o8 v") X(wcstouq, "Nw o8 v") X(wcstoimax, "Nw o8 v")                  \
    X(wcstoumax, "Nw o8 v") X(wcstol_l, "Nw o8 v v") X(wcstoul_l, "Nw o8 v v")          \
    X(wcstoll_l, "Nw o8 v v") X(wcstoull_l, "Nw o8 v v") X(btowc, "v") X(wctob, "v")    \
    X(wcwidth, "v") X(wcswidth, "w@2 v") X(mbsinit, "i8") X(mbrlen, "i= v b8")          \
    X(mbrtowc, "o4?+ i= v b8") X(wcrtomb, "o= v b8") X(mbsrtowcs, "x")                  \
    X(wcsrtombs, "x") X(mbsnrtowcs, "x") X(wcsnrtombs, "x") X(mbrtoc8, "o1?+ i= v b8")  \
    X(mbrtoc16, "o2?+ i= v b8") X(mbrtoc32, "o4?+ i= v b8") X(c8rtomb, "o= v b8")       \
    X(c16rtomb, "o= v b8") X(c32rtomb, "o= v b8")                                       \
    X(wcsftime, "ow?p v w i36 r:env") X(wcsftime_l, "ow?p v w i36 v r:env")             \
    X(wprintf, "Pw W:1") X(vwprintf, "Pw A W:1") X(fwprintf, "p Pw") X(vfwprintf, "p Pw A") \
    X(swprintf, "ow?+ v Pw") X(vswprintf, "ow?+ v Pw A") X(wscanf, "Qw")                \
    X(vwscanf, "Qw A") X(fwscanf, "m Qw") X(vfwscanf, "m Qw A") X(swscanf, "w Qw")      \
    X(vswscanf, "w Qw A") X(fgetwc, "m") X(getwc, "m") X(getwchar, "c")                 \
    X(fgetwc_unlocked, "m") X(getwc_unlocked, "m") X(getwchar_unlocked, "c")            \
    X(fputwc, "v p") X(putwc, "v p") X(putwchar, "v W:1") X(fputwc_unlocked, "v p")     \
    X(putwc_unlocked, "v p") X(putwchar_unlocked, "v W:1") X(fgetws, "ow?p v m")        \
    X(fgetws_unlocked, "ow?p v m") X(fputws, "w p") X(fputws_unlocked, "w p")           \
    X(ungetwc, "v m") X(fwide, "p v") X(wctype, "s") X(wctype_l, "s v")                 \
    X(wctrans, "s") X(wctrans_l, "s v")

#define WIRE_LIBRARY_TIME(X)                                                            \
    X(localtime, "i8 u:time r:env") X(gmtime, "i8 u:time")                              \
    X(localtime_r, "i8 o56?p r:env") X(gmtime_r, "i8 o56?p")                            \
    X(asctime, "i36 u:time") X(asctime_r, "i36 os?p") X(ctime, "i8 u:time r:env")       \
    X(ctime_r, "i8 os?p r:env") X(mktime, "i24&o56?! r:env c")                            \
    X(timelocal, "i24&o56?! r:env c") X(timegm, "i24&o56?!") X(difftime, "v v")           \
    X(strftime, "o=+1 v s i36 r:env") X(strftime_l, "o=+1 v s i36 v r:env")             \
    X(strptime, "x") X(strptime_l, "x") X(tzset, "r:env c") X(getdate, "s u:getdate r:env") \
    X(getdate_r, "x") X(clock_getres, "v o16?0") X(timespec_getres, "o16?- v")          \
    X(clock_settime, "v i16 c") X(clock_getcpuclockid, "v o4?0")                        \
    X(clock_adjtime, "x") X(settimeofday, "i16 i8 c") X(adjtime, "i16 o16?0 c")         \
    X(adjtimex, "x") X(ntp_adjtime, "x") X(ntp_gettime, "x") X(ntp_gettimex, "x")       \
    X(timespec_get, "o16?- v") X(times, "o32?!") X(ftime, "o10 c") X(dysize, "v")         \
    X(timer_settime, "v v i32 o32?0 S:timers") X(timer_gettime, "v o32?0 x")            \
    X(timer_getoverrun, "v x") X(timer_delete, "v S:timers") X(timer_create, "v i24 o8?0 S:timers") \
    X(getitimer, "v o32?0 O:timers") X(setitimer, "v i32 o32?0 S:timers")               \
    X(timerfd_settime, "v v i32 o32?0 c")                                               \
    X(timerfd_gettime, "v o32?0") X(utime, "s i16 c") X(utimes, "s i32 c")              \
    X(lutimes, "s i32 c") X(futimes, "v i32 c") X(futimesat, "v s i32 c")               \
    X(utimensat, "v s i32 v c") X(futimens, "v i32 c") X(stime, "i8 c")

#define WIRE_LIBRARY_MATH(X)                                                            \
    X(frexp, "f o4") X(frexpf, "f o4") X(frexpl, "o4") X(modf, "f o8") X(modff, "f o4") \
    X(modfl, "o16") X(remquo, "f f o4") X(remquof, "f f o4") X(remquol, "o4")           \
    X(sincos, "f o8 o8") X(sincosf, "f o4 o4") X(sincosl, "o16 o16")                    \
    X(lgamma_r, "f o4") X(lgammaf_r, "f o4") X(lgammal_r, "o4")                         \
    X(lgamma, "f u:signgam") X(lgammaf, "f u:signgam") X(lgammal, "u:signgam")          \
    X(gamma, "f u:signgam") X(gammaf, "f u:signgam") X(gammal, "u:signgam")             \
    X(nan, "s") X(nanf, "s") X(nanl, "s") X(canonicalize, "o8?0 i8")                    \
    X(canonicalizef, "o4?0 i4") X(canonicalizel, "o16?0 i16") X(getpayload, "i8")       \
    X(getpayloadf, "i4") X(getpayloadl, "i16") X(setpayload, "o8 f")                    \
    X(setpayloadf, "o4 f") X(setpayloadl, "o16") X(setpayloadsig, "o8 f")               \
    X(setpayloadsigf, "o4 f") X(setpayloadsigl, "o16") X(totalorder, "i8 i8")           \
    X(totalorderf, "i4 i4") X(totalorderl, "i10 i10") X(totalordermag, "i8 i8")         \
    X(totalordermagf, "i4 i4") X(totalordermagl, "i10 i10") X(matherr, "x")             \
    X(fegetenv, "o" WIRE_FENV) X(fesetenv, "i" WIRE_FENV) X(feupdateenv, "i" WIRE_FENV) \
    X(feholdexcept, "o" WIRE_FENV) X(fegetexceptflag, "o2 v") X(fesetexceptflag, "i2 v") \
    X(fegetmode, "o8") X(fesetmode, "i8") X(fetestexceptflag, "i2 v")

#define WIRE_LIBRARY_UNIX(X)                                                            \
    X(open, "t s v v S:descriptors") X(openat, "t v s v v S:descriptors") X(creat, "t s v S:descriptors") X(access, "s v") \
    X(faccessat, "v s v v") X(eaccess, "s v") X(euidaccess, "s v")                      \
    X(stat, "s o" WIRE_STAT "?0") X(lstat, "s o" WIRE_STAT "?0")                        \
    X(fstat, "g o" WIRE_STAT "?0") X(fstatat, "v s o" WIRE_STAT "?0 v")                 \
    X(__xstat, "v s o" WIRE_STAT "?0") X(__lxstat, "v s o" WIRE_STAT "?0")              \
    X(__fxstat, "v g o" WIRE_STAT "?0") X(__fxstatat, "v v s o" WIRE_STAT "?0 v")       \
    X(statx, "v s v v o256?0") X(chmod, "s v c") X(fchmod, "h v c")                     \
    X(fchmodat, "v s v v c") X(lchmod, "s v c") X(chown, "s v v c") X(fchown, "h v v c") \
    X(fchownat, "v s v v v c") X(lchown, "s v v c") X(umask, "v S:umask") X(mkdir, "s v") \
    X(mkdirat, "v s v c") X(mkfifo, "s v c") X(mkfifoat, "v s v c") X(mknod, "s v v c") \
    X(mknodat, "v s v v c") X(rmdir, "s") X(link, "s s") X(linkat, "v s v s v c")       \
    X(unlink, "s") X(unlinkat, "v s v c") X(symlink, "s s") X(symlinkat, "s v s c")     \
    X(readlink, "s o= v") X(readlinkat, "v s o= v") X(truncate, "s v")                  \
    X(ftruncate, "h v") X(lseek, "h v v") X(pread, "t g o= v v") X(pwrite, "t h i@3 v v") \
    X(preadv, "t g J@3 v v") X(pwritev, "t h I@3 v v c") X(preadv2, "t g J@3 v v v")    \
    X(pwritev2, "t h I@3 v v v c") X(fsync, "t H") X(fdatasync, "t H") X(sync, "c")     \
    X(syncfs, "v c") X(flock, "h v c") X(lockf, "t h v v c") X(posix_fadvise, "v v v v") \
    X(posix_fallocate, "h v v c") X(fallocate, "h v v v c") X(readahead, "v v v")       \
    X(copy_file_range, "g v h v x") X(sendfile, "h g q v c") X(splice, "g v h x") X(tee, "g h x") \
    X(vmsplice, "h x") X(chdir, "s S:directory") X(fchdir, "v S:directory")             \
    X(chroot, "s S:directory") X(getcwd, "os?p v O:directory")                          \
    X(getwd, "os?p O:directory") X(get_current_dir_name, "r:env O:directory") X(pathconf, "s v") \
    X(fpathconf, "v v") X(sysconf, "v") X(confstr, "x") X(getuid, "O:identity") X(geteuid, "O:identity") \
    X(getgid, "O:identity") X(getegid, "O:identity") X(getresuid, "o4?0 o4?0 o4?0 O:identity") \
    X(getresgid, "o4?0 o4?0 o4?0 O:identity") X(setuid, "v S:identity")                 \
    X(setgid, "v S:identity") X(seteuid, "v S:identity")                                \
    X(setegid, "v S:identity") X(setreuid, "v v S:identity") X(setregid, "v v S:identity") \
    X(setresuid, "v v v S:identity")                                                    \
    X(setresgid, "v v v S:identity") X(setfsuid, "v S:identity") X(setfsgid, "v S:identity") \
    X(getgroups, "v o=*4 O:identity")                                                   \
    X(setgroups, "v i@1*4 S:identity") X(initgroups, "s v S:identity") X(getgrouplist, "x") \
    X(group_member, "v O:identity") X(getpgid, "v O:session") X(getpgrp, "O:session")   \
    X(setpgid, "v v S:session")                                                         \
    X(setpgrp, "S:session") X(getsid, "v O:session") X(setsid, "S:session") X(getlogin, "u:login") \
    X(getlogin_r, "os?0 v") X(setlogin, "s S:names") X(gethostname, "os?0 v O:names")   \
    X(sethostname, "i@2 v S:names") X(getdomainname, "os?0 v O:names") X(setdomainname, "i@2 v S:names") \
    X(gethostid, "O:names c") X(sethostid, "v S:names") X(getpagesize, "") X(getdtablesize, "O:limits") \
    X(isatty, "v") X(ttyname, "v u:tty") X(ttyname_r, "v os?0 v") X(ttyslot, "")        \
    X(tcgetpgrp, "v O:session") X(tcsetpgrp, "v v S:session") X(tcgetattr, "v o60?0 O:terminal") \
    X(tcsetattr, "v v i60 S:terminal") X(tcdrain, "t v") X(tcflow, "v v S:terminal")    \
    X(tcflush, "v v S:terminal")                                                        \
    X(tcsendbreak, "v v") X(tcgetsid, "v O:session") X(cfgetispeed, "i60") X(cfgetospeed, "i60") \
    X(cfsetispeed, "b4 v") X(cfsetospeed, "b4 v") X(cfsetspeed, "b4 v")                 \
    X(cfmakeraw, "b12") X(alarm, "v S:timers") X(ualarm, "v v S:timers") X(nice, "v S:priority") \
    X(getpriority, "v v O:priority") X(setpriority, "v v v S:priority") X(getrlimit, "v o16?0 O:limits") \
    X(setrlimit, "v i16 S:limits") X(prlimit, "v v i16 o16?0 S:limits") X(getrusage, "v o144?0") \
    X(ulimit, "v v S:limits") X(uname, "o390?0 O:names") X(sysinfo, "o112?0") X(swapon, "s v c") \
    X(swapoff, "s c") X(acct, "s c") X(wait, "t o4?!") X(waitpid, "t v o4?p v")         \
    X(wait3, "o4?p v o144?p c") X(wait4, "v o4?p v o144?p c") X(waitid, "t v v o128?0 v c") \
    X(opendir, "s S:hidden") X(fdopendir, "v c") X(closedir, "b8 c S:hidden") X(readdir, "b8 c") \
    X(readdir_r, "x") X(rewinddir, "b8 c") X(seekdir, "b8 v c") X(telldir, "i8")        \
    X(dirfd, "i4") X(scandir, "s o8?+ F F") X(scandirat, "v s o8?+ F F") X(alphasort, "i8 i8") \
    X(versionsort, "i8 i8") X(getdents64, "h o= v") X(getdirentries, "x") X(ftw, "s F v c") \
    X(nftw, "s F v v c") X(fts_open, "x") X(fts_read, "x") X(fts_close, "x") X(fts_children, "x") \
    X(fts_set, "x") X(glob, "s v F o16?0") X(globfree, "b16 c") X(glob_pattern_p, "s v") \
    X(wordexp, "s o16?0 v") X(wordfree, "b16 c") X(statfs, "s o120?0") X(fstatfs, "v o120?0") \
    X(statvfs, "s o112?0") X(fstatvfs, "v o112?0") X(ustat, "x") X(mmap, "Z")           \
    X(munmap, "v v") X(mremap, "v v v v v") X(mprotect, "v v v") X(madvise, "v v v")    \
    X(posix_madvise, "v v v") X(msync, "t v v v") X(mlock, "v v") X(mlock2, "v v v")    \
    X(munlock, "v v") X(mlockall, "v c") X(munlockall, "") X(mincore, "x")                \
    X(shm_open, "s v v S:descriptors") X(shm_unlink, "s c") X(memfd_create, "s v S:descriptors") X(shmget, "v v v c") \
    X(shmat, "x") X(shmdt, "x") X(shmctl, "x") X(semget, "v v v c") X(semop, "x")       \
    X(semtimedop, "x") X(semctl, "x") X(msgget, "v v c") X(msgsnd, "x") X(msgrcv, "x")  \
    X(msgctl, "x") X(ftok, "s v") X(mq_open, "x") X(mq_close, "x") X(mq_unlink, "x")    \
    X(mq_send, "x") X(mq_receive, "x") X(mq_timedsend, "x") X(mq_timedreceive, "x")     \
    X(mq_getattr, "x") X(mq_setattr, "x") X(mq_notify, "x") X(aio_read, "x")            \
    X(aio_write, "x") X(aio_error, "x") X(aio_return, "x") X(aio_suspend, "x")          \
    X(aio_cancel, "x") X(aio_fsync, "x") X(lio_listio, "x") X(getxattr, "s s o= v")     \
    X(lgetxattr, "s s o= v") X(fgetxattr, "v s o= v") X(setxattr, "s s i@4 v v c")      \
    X(lsetxattr, "s s i@4 v v c") X(fsetxattr, "v s i@4 v v c") X(listxattr, "s o= v")  \
    X(llistxattr, "s o= v") X(flistxattr, "v o= v") X(removexattr, "s s c")             \
    X(lremovexattr, "s s c") X(fremovexattr, "v s c") X(inotify_init, "S:descriptors")  \
    X(inotify_init1, "v c S:descriptors") X(inotify_add_watch, "v s v c") X(inotify_rm_watch, "v v c") \
    X(timerfd_create, "v v S:descriptors") X(signalfd, "v i8 v S:descriptors") X(getauxval, "v") X(getopt, "v E s u:getopt") \
    X(getopt_long, "v E s v o4?! u:getopt") X(getopt_long_only, "v E s v o4?! u:getopt") \
    X(getpass, "s u:tty")                                                               \
    X(brk, "x") X(sbrk, "x") X(vhangup, "c") X(personality, "v S:personality") X(reboot, "v c") \
    X(mount, "x") X(umount, "s c") X(umount2, "s v c") X(unshare, "v S:personality")    \
    X(setns, "v v S:personality")                                                       \
    X(sched_getcpu, "") X(sched_get_priority_max, "v") X(sched_get_priority_min, "v")   \
    X(sched_getscheduler, "v O:priority") X(sched_setscheduler, "v v i4 S:priority")    \
    X(sched_getparam, "v o4?0 O:priority") X(sched_setparam, "v i4 S:priority")         \
    X(sched_rr_get_interval, "v o16?0") X(sched_getaffinity, "v v o@2?+")               \
    X(sched_setaffinity, "v v i@2 c") X(__sched_cpucount, "v i@1") X(__sched_cpualloc, "v") \
    X(__sched_cpufree, "v") X(getcpu, "o4?0 o4?0") X(get_nprocs, "") X(get_nprocs_conf, "") \
    X(get_phys_pages, "") X(get_avphys_pages, "c") X(sigemptyset, "o128")                \
    X(sigfillset, "o128") X(sigaddset, "b8 v") X(sigdelset, "b8 v")                     \
    X(sigismember, "i8 v") X(sigisemptyset, "i128") X(sigandset, "o128 i128 i128")      \
    X(sigorset, "o128 i128 i128") X(sigaltstack, "i24 o24?0")                           \
    X(psignal, "v s W:2") X(psiginfo, "i128 s W:2")                                     \
    X(setjmp, "o" WIRE_JMP) X(_setjmp, "o" WIRE_JMP)                                    \
    X(__sigsetjmp, "o" WIRE_JMP " v") X(sigsetjmp, "o" WIRE_JMP " v")                   \
    X(longjmp, "i" WIRE_JMP " v c") X(_longjmp, "i" WIRE_JMP " v c")                        \
    X(siglongjmp, "i" WIRE_JMP " v c") X(getcontext, "x") X(setcontext, "x")              \
    X(makecontext, "x") X(swapcontext, "x") X(ptrace, "x") X(process_vm_readv, "x")     \
    X(process_vm_writev, "x") X(closefrom, "K c S:descriptors") X(close_range, "K v v c S:descriptors")

#define WIRE_LIBRARY_NET(X)                                                             \
    X(sockatmark, "g")                                                                  \
    X(recvmmsg, "h x t") X(sendmmsg, "h x t") X(inet_addr, "s") X(inet_aton, "s o4?-")  \
    X(inet_network, "s") X(inet_ntoa, "v") X(inet_makeaddr, "v v") X(inet_lnaof, "v")   \
    X(inet_netof, "v") X(inet_pton, "v s oF?p") X(inet_ntop, "v iF os?p v")             \
    X(gethostbyname, "s u:hosts") X(gethostbyname2, "s v u:hosts")                      \
    X(gethostbyaddr, "i@2 v v u:hosts") X(gethostbyname_r, "x") X(gethostbyname2_r, "x") \
    X(gethostbyaddr_r, "x") X(gethostent, "u:hosts") X(sethostent, "v u:hosts")         \
    X(endhostent, "u:hosts") X(gethostent_r, "x") X(getnetbyname, "s u:networks")       \
    X(getnetbyaddr, "v v u:networks") X(getnetent, "u:networks") X(setnetent, "v u:networks") \
    X(endnetent, "u:networks") X(getprotobyname, "s u:protocols")                       \
    X(getprotobynumber, "v u:protocols") X(getprotoent, "u:protocols")                  \
    X(setprotoent, "v u:protocols") X(endprotoent, "u:protocols")                       \
    X(getservbyname, "s s u:services") X(getservbyport, "v s u:services")               \
    X(getservent, "u:services") X(setservent, "v u:services") X(endservent, "u:services") \
    X(getaddrinfo, "s s i48 o8?0") X(freeaddrinfo, "v c") X(getnameinfo, "x")           \
    X(gai_strerror, "v") X(hstrerror, "v") X(herror, "s W:2") X(if_nametoindex, "s")    \
    X(if_indextoname, "v os?p") X(if_nameindex, "") X(if_freenameindex, "v c")          \
    X(getifaddrs, "o8?0") X(freeifaddrs, "v c") X(ether_aton, "s u:ether")              \
    X(ether_ntoa, "i6 u:ether") X(ether_aton_r, "s o6?p") X(ether_ntoa_r, "i6 os?p")

#define WIRE_LIBRARY_OTHER(X)                                                           \
    X(setlocale, "v s u:locale") X(localeconv, "u:locale") X(nl_langinfo, "v r:locale") \
    X(nl_langinfo_l, "v v") X(newlocale, "v s v c") X(duplocale, "v c")                 \
    X(freelocale, "v c") X(uselocale, "v c") X(gettext, "s") X(dgettext, "s s")         \
    X(dcgettext, "s s v") X(ngettext, "s s v") X(dngettext, "s s s v")                  \
    X(dcngettext, "s s s v v") X(textdomain, "s u:textdomain")                          \
    X(bindtextdomain, "s s u:textdomain") X(bind_textdomain_codeset, "s s u:textdomain") \
    X(catopen, "s v c") X(catgets, "v v v s") X(catclose, "v c") X(iconv_open, "s s c") \
    X(iconv, "v qi q qo q c") X(iconv_close, "v c") X(regcomp, "o64 s v")                 \
    X(regexec, "i64 s v o@3*8?0 v c") X(regerror, "v v os?p v")                           \
    X(regfree, "i64 c") X(re_comp, "s u:regex") X(re_exec, "s u:regex") X(hcreate, "v u:hsearch") \
    X(hdestroy, "u:hsearch") X(hsearch, "s v v u:hsearch") X(hcreate_r, "v o16?-")      \
    X(hdestroy_r, "b16") X(hsearch_r, "s v v o8 b16 c") X(tsearch, "v b8 F c")            \
    X(tfind, "v i8 F") X(tdelete, "v b8 F c") X(twalk, "v F") X(twalk_r, "v F v")       \
    X(tdestroy, "v F c") X(insque, "x") X(remque, "x") X(getpwnam, "s u:passwd")        \
    X(getpwuid, "v u:passwd") X(getpwent, "u:passwd") X(setpwent, "u:passwd")           \
    X(endpwent, "u:passwd") X(fgetpwent, "m u:passwd") X(getpwnam_r, "s o48?@5 v v o8 c") \
    X(getpwuid_r, "v o48?@5 v v o8 c") X(getpwent_r, "o48?@4 v v o8 u:passwd")            \
    X(fgetpwent_r, "m o48?@5 v v o8") X(putpwent, "x")                                  \
    X(getpw, "x") X(getgrnam, "s u:group") X(getgrgid, "v u:group") X(getgrent, "u:group") \
    X(setgrent, "u:group") X(endgrent, "u:group") X(fgetgrent, "m u:group")             \
    X(getgrnam_r, "s o32?@5 v v o8 c") X(getgrgid_r, "v o32?@5 v v o8 c")                   \
    X(getgrent_r, "o32?@4 v v o8 u:group") X(fgetgrent_r, "m o32?@5 v v o8")            \
    X(putgrent, "x") X(getspnam, "s u:shadow") X(getspent, "u:shadow") X(setspent, "u:shadow") \
    X(endspent, "u:shadow") X(getusershell, "u:shells") X(setusershell, "u:shells")     \
    X(endusershell, "u:shells") X(getutent, "u:users") X(getutid, "x") X(getutline, "x") \
    X(pututline, "x") X(setutent, "u:users") X(endutent, "u:users") X(getutxent, "u:users") \
    X(setutxent, "u:users") X(endutxent, "u:users") X(getutxid, "x") X(getutxline, "x") \
    X(pututxline, "x") X(utmpname, "s u:users") X(setmntent, "s s c S:hidden") X(getmntent, "m u:mounts") \
    X(getmntent_r, "x") X(addmntent, "x") X(endmntent, "m S:hidden") X(hasmntopt, "x")  \
    X(getfsent, "u:mounts") X(setfsent, "u:mounts") X(endfsent, "u:mounts")             \
    X(openlog, "v v v u:syslog") X(syslog, "v P") X(vsyslog, "v P A") X(closelog, "u:syslog") \
    X(setlogmask, "v u:syslog") X(err, "v P W:2") X(errx, "v P W:2") X(warn, "P W:2") X(warnx, "P W:2") \
    X(verr, "v P A W:2") X(verrx, "v P A W:2") X(vwarn, "P A W:2") X(vwarnx, "P A W:2") \
    X(error, "v v P W:2") X(error_at_line, "v v s v P W:2") X(backtrace, "o=*8 v")      \
    X(backtrace_symbols, "i@2*8 v") X(backtrace_symbols_fd, "i@2*8 v h")                \
    X(dladdr, "v o32?-") X(dlsym, "v s c") X(dlvsym, "v s s c") X(dlerror, "") X(dlinfo, "x") \
    X(dlopen, "s v c") X(dlclose, "v c") X(dl_iterate_phdr, "F v") X(dlmopen, "v s v c")    \
    X(gnu_get_libc_version, "") X(gnu_get_libc_release, "") X(argp_parse, "x")          \
    X(getprogname, "") X(quotactl, "x") X(fmtmsg, "v s v s s s") X(addseverity, "v v c") \
    X(monstartup, "v v c") X(mcheck, "F") X(mtrace, "c") X(muntrace, "c") X(profil, "x")  \
    X(__cxa_atexit, "v v v c")                   \
    X(__register_atfork, "v v v v c") X(__libc_current_sigrtmin, "") X(__libc_current_sigrtmax, "") \
    X(__ctype_b_loc, "") X(__ctype_tolower_loc, "") X(__ctype_toupper_loc, "")          \
    X(__ctype_get_mb_cur_max, "") X(__errno_location, "") X(__h_errno_location, "")     \
    X(__stack_chk_fail, "") X(_dl_allocate_tls, "x") X(__tls_get_addr, "v")

/* Attributes of threads and of their objects. */
#define WIRE_LIBRARY_THREADS(X)                                                         \
    X(pthread_attr_init, "o" WIRE_ATTR) X(pthread_attr_destroy, "i8")                   \
    X(pthread_attr_setdetachstate, "b8 v") X(pthread_attr_getdetachstate, "i8 o4?0")    \
    X(pthread_attr_setstacksize, "b40 v") X(pthread_attr_getstacksize, "i40 o8?0")      \
    X(pthread_attr_setscope, "b8 v") X(pthread_attr_getscope, "i8 o4?0")                \
    X(pthread_attr_setguardsize, "b24 v") X(pthread_attr_getguardsize, "i24 o8?0")      \
    X(pthread_mutexattr_init, "o4") X(pthread_mutexattr_destroy, "i4")                  \
    X(pthread_mutexattr_settype, "b4 v") X(pthread_mutexattr_gettype, "i4 o4?0")        \
    X(pthread_condattr_init, "o4") X(pthread_condattr_destroy, "i4")                    \
    X(pthread_condattr_setclock, "b4 v") X(pthread_condattr_getclock, "i4 o4?0")        \
    X(pthread_rwlockattr_init, "o8") X(pthread_rwlockattr_destroy, "i4")                \
    X(pthread_barrierattr_init, "o4") X(pthread_barrierattr_destroy, "i4")              \
    X(pthread_attr_setstack, "b40 v v") X(pthread_attr_getstack, "i40 o8?0 o8?0")       \
    X(pthread_attr_setstackaddr, "b32 v") X(pthread_attr_getstackaddr, "i32 o8?0")      \
    X(pthread_attr_setinheritsched, "b12 v") X(pthread_attr_getinheritsched, "i12 o4?0") \
    X(pthread_attr_setschedparam, "b12 i4") X(pthread_attr_getschedparam, "i12 o4?0")   \
    X(pthread_attr_setschedpolicy, "b12 v") X(pthread_attr_getschedpolicy, "i12 o4?0")  \
    X(pthread_attr_setaffinity_np, "b8 v i@2") X(pthread_attr_getaffinity_np, "i8 v o@2?0") \
    X(pthread_attr_setsigmask_np, "b8 i128") X(pthread_attr_getsigmask_np, "i8 o128?0") \
    X(pthread_getattr_default_np, "o" WIRE_ATTR "?0") X(pthread_setattr_default_np, "i" WIRE_ATTR " c") \
    X(pthread_mutexattr_setrobust, "b4 v") X(pthread_mutexattr_getrobust, "i4 o4?0")    \
    X(pthread_mutexattr_setrobust_np, "b4 v") X(pthread_mutexattr_getrobust_np, "i4 o4?0") \
    X(pthread_mutexattr_setpshared, "b4 v") X(pthread_mutexattr_getpshared, "i4 o4?0")  \
    X(pthread_mutexattr_setprotocol, "b4 v") X(pthread_mutexattr_getprotocol, "i4 o4?0") \
    X(pthread_mutexattr_setprioceiling, "b4 v") X(pthread_mutexattr_getprioceiling, "i4 o4?0") \
    X(pthread_mutexattr_setkind_np, "b4 v") X(pthread_mutexattr_getkind_np, "i4 o4?0")  \
    X(pthread_mutex_getprioceiling, "v o4?0 c") X(pthread_condattr_setpshared, "b4 v")    \
    X(pthread_condattr_getpshared, "i4 o4?0") X(pthread_rwlockattr_setpshared, "b4 v")  \
    X(pthread_rwlockattr_getpshared, "i8 o4?0") X(pthread_rwlockattr_setkind_np, "b4 v") \
    X(pthread_rwlockattr_getkind_np, "i4 o4?0") X(pthread_barrierattr_setpshared, "b4 v") \
    X(pthread_barrierattr_getpshared, "i4 o4?0")

/* libstdc++: operators new and delete, which call malloc and free; threads and condition variables, whose calls of
 * the threads library reach the runtime. A std::thread is the 8 bytes of its handle. */
#define WIRE_LIBRARY_CXX(X)                                                             \
    X(_Znwm, "v c") X(_Znam, "v c") X(_ZnwmRKSt9nothrow_t, "v v c") X(_ZnamRKSt9nothrow_t, "v v c") \
    X(_ZnwmSt11align_val_t, "v v c") X(_ZnamSt11align_val_t, "v v c")                       \
    X(_ZnwmSt11align_val_tRKSt9nothrow_t, "v v v c")                                      \
    X(_ZnamSt11align_val_tRKSt9nothrow_t, "v v v c")                                      \
    X(_ZdlPv, "v c") X(_ZdaPv, "v c") X(_ZdlPvm, "v v c") X(_ZdaPvm, "v v c")                   \
    X(_ZdlPvSt11align_val_t, "v v c") X(_ZdaPvSt11align_val_t, "v v c")                     \
    X(_ZdlPvmSt11align_val_t, "v v v c") X(_ZdaPvmSt11align_val_t, "v v v c")               \
    X(_ZdlPvRKSt9nothrow_t, "v v c") X(_ZdaPvRKSt9nothrow_t, "v v c")                       \
    X(_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE, "o8 b8 v") \
    X(_ZNSt6thread4joinEv, "b8") X(_ZNSt6thread6detachEv, "b8")                         \
    X(_ZNSt6thread6_StateD1Ev, "v") X(_ZNSt6thread6_StateD2Ev, "v")                     \
    X(_ZNSt18condition_variableC1Ev, "v") X(_ZNSt18condition_variableD1Ev, "v")         \
    X(_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE, "v i9")                \
    X(_ZNSt18condition_variable10notify_oneEv, "v c")                                    \
    X(_ZNSt18condition_variable10notify_allEv, "v c")

/* Constructors and destructors of the exceptions of <stdexcept>: a table of functions and a text, which copies share. */
#define WIRE_CXX_ERROR(X, name)                                                         \
    X(_ZNSt##name##C1EPKc, "o16 s c") X(_ZNSt##name##C2EPKc, "o16 s c")                   \
    X(_ZNSt##name##C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE, "o16 i32 c") \
    X(_ZNSt##name##C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE, "o16 i32 c") \
    X(_ZNSt##name##C1ERKS_, "o16 i16 c") X(_ZNSt##name##C2ERKS_, "o16 i16 c")             \
    X(_ZNSt##name##C1EOS_, "o16 b16 c") X(_ZNSt##name##C2EOS_, "o16 b16 c")                 \
    X(_ZNSt##name##D1Ev, "b16 c") X(_ZNSt##name##D2Ev, "b16 c")

/* Functions that throw, or describe exceptions; they access no memory of the program. */
#define WIRE_LIBRARY_EXCEPTIONS(X)                                                      \
    X(__cxa_allocate_exception, "v c") X(__cxa_free_exception, "v c") X(__cxa_begin_catch, "v") \
    X(__cxa_rethrow, "") X(__cxa_get_exception_ptr, "v") X(__cxa_bad_cast, "") X(__cxa_bad_typeid, "") \
    X(__cxa_throw_bad_array_new_length, "") X(__cxa_current_exception_type, "") X(__cxa_get_globals, "") \
    X(__cxa_deleted_virtual, "") X(__cxa_init_primary_exception, "v v v") X(__cxa_demangle, "s v v v c") \
    X(__dynamic_cast, "i8 v v v") X(__cxa_thread_atexit, "v v v") X(_ZSt18uncaught_exceptionv, "") \
    X(_ZSt19uncaught_exceptionsv, "") X(_ZSt17current_exceptionv, "v")                   \
    X(_ZNSt15__exception_ptr13exception_ptrC1EPv, "v") X(_ZNSt15__exception_ptr13exception_ptrC2EPv, "v") \
    X(_ZSt13get_terminatev, "") X(_ZSt13set_terminatePFvvE, "v c")                       \
    X(_ZN9__gnu_cxx27__verbose_terminate_handlerEv, "")                                  \
    X(_ZSt17__throw_bad_allocv, "c") X(_ZSt16__throw_bad_castv, "c") X(_ZSt18__throw_bad_typeidv, "c") \
    X(_ZSt28__throw_bad_array_new_lengthv, "c") X(_ZSt21__throw_bad_exceptionv, "c")       \
    X(_ZSt19__throw_logic_errorPKc, "v c") X(_ZSt20__throw_domain_errorPKc, "v c")           \
    X(_ZSt24__throw_invalid_argumentPKc, "v c") X(_ZSt20__throw_length_errorPKc, "v c")      \
    X(_ZSt20__throw_out_of_rangePKc, "v c") X(_ZSt24__throw_out_of_range_fmtPKcz, "v v v v c") \
    X(_ZSt21__throw_runtime_errorPKc, "v c") X(_ZSt19__throw_range_errorPKc, "v c")          \
    X(_ZSt22__throw_overflow_errorPKc, "v c") X(_ZSt23__throw_underflow_errorPKc, "v c")     \
    X(_ZSt20__throw_system_errori, "v c") X(_ZSt20__throw_future_errori, "v c")              \
    X(_ZSt25__throw_bad_function_callv, "c")                                               \
    X(_ZNSt9exceptionD1Ev, "v") X(_ZNSt9exceptionD2Ev, "v") X(_ZNKSt9exception4whatEv, "v") \
    X(_ZNKSt9bad_alloc4whatEv, "v") X(_ZNKSt8bad_cast4whatEv, "v") X(_ZNKSt10bad_typeid4whatEv, "v") \
    X(_ZNKSt13bad_exception4whatEv, "v") X(_ZNKSt20bad_array_new_length4whatEv, "v")     \
    X(_ZNKSt17bad_function_call4whatEv, "v") X(_ZNKSt12bad_weak_ptr4whatEv, "v")         \
    X(_ZNSt9bad_allocD1Ev, "v") X(_ZNSt9bad_allocD2Ev, "v") X(_ZNSt8bad_castD2Ev, "v")    \
    X(_ZNSt12bad_weak_ptrD1Ev, "v") X(_ZNSt12bad_weak_ptrD2Ev, "v")                      \
    X(_ZNSt16nested_exceptionD1Ev, "b16 c") X(_ZNSt16nested_exceptionD2Ev, "b16 c")       \
    X(_ZNSt8ios_base4InitC1Ev, "v c") X(_ZNSt8ios_base4InitD1Ev, "v c")                  \
    X(_ZSt15future_categoryv, "") X(_ZNSt3_V215system_categoryEv, "") X(_ZNSt3_V216generic_categoryEv, "") \
    X(_ZNSt12future_errorD1Ev, "b32 c") X(_ZNSt12future_errorD2Ev, "b32 c")              \
    WIRE_CXX_ERROR(X, 11logic_error) WIRE_CXX_ERROR(X, 12domain_error)                    \
    WIRE_CXX_ERROR(X, 16invalid_argument) WIRE_CXX_ERROR(X, 12length_error)               \
    WIRE_CXX_ERROR(X, 12out_of_range) WIRE_CXX_ERROR(X, 13runtime_error)                  \
    WIRE_CXX_ERROR(X, 11range_error) WIRE_CXX_ERROR(X, 14overflow_error)                  \
    WIRE_CXX_ERROR(X, 15underflow_error)

/* Parts of headers that are compiled in libstdc++: futures wait by futexes, clocks ask the C library,
 * which reach the runtime; a hash reads its bytes. std::future_error and std::system_error are what
 * they derive from, and a code. */
#define WIRE_LIBRARY_CXX_PARTS(X)                                                       \
    X(_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE, "v v v v v c") \
    X(_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE, "v v v v v c") \
    X(_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj, "v c")                 \
    X(_ZNSt13__future_base12_Result_baseC1Ev, "o16") X(_ZNSt13__future_base12_Result_baseC2Ev, "o16") \
    X(_ZNSt13__future_base12_Result_baseD1Ev, "b16 c") X(_ZNSt13__future_base12_Result_baseD2Ev, "b16 c") \
    X(_ZNSt13__future_base19_Async_state_commonD2Ev, "v c") X(_ZNSt13__future_base13_State_baseD2Ev, "v c") \
    X(_ZNSt6chrono3_V212steady_clock3nowEv, "") X(_ZNSt6chrono3_V212system_clock3nowEv, "") \
    X(_ZNSt6thread20hardware_concurrencyEv, "")                                          \
    X(_ZNSt11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEENS1_IlS2_ILl1ELl1000000000EEEE, "v v") \
    X(_ZNSt22condition_variable_anyC1Ev, "o16 c") X(_ZNSt22condition_variable_anyD1Ev, "b16 c") \
    X(_ZSt11_Hash_bytesPKvmm, "i@2 v v") X(_ZSt15_Fnv_hash_bytesPKvmm, "i@2 v v")          \
    X(_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm, "b16 v")                     \
    X(_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm, "b16 v v v")

/* libc++: clocks, exceptions and destructors, which touch nothing else of the program's. Its mutexes, threads and futures are
 * compiled with the program (include/libc++); waiting and counting: runtime/cxx/libcxx_*.c. */
#define WIRE_LIBRARY_LIBCXX(X) \
    X(_ZNSt3__125notify_all_at_thread_exitERNS_18condition_variableENS_11unique_lockINS_5mutexEEE, "v b9 c") \
    X(_ZNSt3__16thread20hardware_concurrencyEv, "") \
    X(_ZNSt3__111this_thread9sleep_forERKNS_6chrono8durationIxNS_5ratioILl1ELl1000000000EEEEE, "i8") \
    X(_ZNSt3__16chrono12steady_clock3nowEv, "") X(_ZNSt3__16chrono12system_clock3nowEv, "") \
    X(_ZNSt3__16chrono12system_clock9to_time_tERKNS0_10time_pointIS1_NS0_8durationIxNS_5ratioILl1ELl1000000EEEEEEE, "i8") \
    X(_ZNSt3__112__next_primeEm, "v") X(_ZNSt3__117__assoc_sub_state16__on_zero_sharedEv, "v c") \
    X(_ZNSt3__114__shared_countD2Ev, "v") X(_ZNSt3__119__shared_weak_countD2Ev, "v") \
    X(_ZNSt3__112future_errorC1ENS_10error_codeE, "o32 v v c") X(_ZNSt3__112future_errorD1Ev, "b32 c") \
    X(_ZNSt3__112system_errorC1ENS_10error_codeEPKc, "o32 v v s c") X(_ZNSt3__112system_errorD1Ev, "b32 c") \
    X(_ZNSt3__115future_categoryEv, "") X(_ZNSt3__116generic_categoryEv, "") X(_ZNSt3__115system_categoryEv, "") \
    X(_ZNSt3__112bad_weak_ptrD1Ev, "v") X(_ZNSt3__112bad_weak_ptrD2Ev, "v") X(_ZNSt3__117bad_function_callD1Ev, "v") \
    X(_ZNSt3__117bad_function_callD2Ev, "v") X(_ZNSt3__120__throw_system_errorEiPKc, "v s c") \
    X(_ZNSt3__121__throw_runtime_errorEPKc, "s c") X(_ZNSt3__18ios_base4InitC1Ev, "v c") \
    X(_ZNSt3__18ios_base4InitD1Ev, "v c") X(_ZNSt13exception_ptrC1ERKS_, "o8 i8 c") X(_ZNSt13exception_ptrD1Ev, "i8 c") \
    X(_ZNSt13exception_ptraSERKS_, "b8 i8 c") X(_ZNSt13exception_ptr31__from_native_exception_pointerEPv, "o8 v c") \
    X(_ZSt17rethrow_exceptionSt13exception_ptr, "i8 c") X(_ZNSt16nested_exceptionC2Ev, "v c") \
    X(_ZNKSt16nested_exception14rethrow_nestedEv, "v c") \
    X(_ZNSt11logic_errorC1ERKNSt3__112basic_stringIcNS0_11char_traitsIcEENS0_9allocatorIcEEEE, "o16 i24 c") \
    X(_ZNSt11logic_errorC2ERKNSt3__112basic_stringIcNS0_11char_traitsIcEENS0_9allocatorIcEEEE, "o16 i24 c") \
    X(_ZNSt13runtime_errorC1ERKNSt3__112basic_stringIcNS0_11char_traitsIcEENS0_9allocatorIcEEEE, "o16 i24 c") \
    X(_ZNSt13runtime_errorC2ERKNSt3__112basic_stringIcNS0_11char_traitsIcEENS0_9allocatorIcEEEE, "o16 i24 c")

/* What is compiled in libstdc++ below its streams (runtime/cxx/streams_*.cpp has the streams themselves):
 * locales, which are shared and never change; their parts for char; the state of a stream; files. Functions
 * of streams in neither list are not instrumented. A locale's count of shares orders nothing that a program
 * sees. */
#define WIRE_LIBRARY_STREAMS(X) \
    X(_ZNSt8ios_baseC1Ev, "o216") X(_ZNSt8ios_baseD1Ev, "b216 c") \
    X(_ZNSt8ios_baseC2Ev, "o216") X(_ZNSt8ios_baseD2Ev, "b216 c") \
    X(_ZNSt8ios_base7_M_initEv, "b216") X(_ZNSt8ios_base5imbueERKSt6locale, "b216 i8 c") \
    X(_ZNSt8ios_base7_M_moveERS_, "b216 b216 c") \
    X(_ZNSt8ios_base7_M_swapERS_, "b216 b216 c") \
    X(_ZNSt8ios_base17_M_call_callbacksENS_5eventE, "v v c") \
    X(_ZNSt8ios_base20_M_dispose_callbacksEv, "v c") X(_ZNSt6localeC1Ev, "o8 c") \
    X(_ZNSt6localeC1ERKS_, "o8 i8 c") X(_ZNSt6localeD1Ev, "i8 c") \
    X(_ZNSt6localeC2Ev, "o8 c") X(_ZNSt6localeC2ERKS_, "o8 i8 c") \
    X(_ZNSt6localeD2Ev, "i8 c") X(_ZNSt6localeaSERKS_, "b8 i8 c") \
    X(_ZNSt6locale7classicEv, "") X(_ZNKSt6localeeqERKS_, "i8 i8") \
    X(_ZNKSt6locale2id5_M_idEv, "v c") \
    X(_ZNSt6locale5_Impl16_M_install_cacheEPKNS_5facetEm, "v v v c") \
    X(_ZNSt6locale5facet15_S_get_c_localeEv, "c") X(_ZNSt6locale5facetD2Ev, "v c") \
    X(_ZSt9has_facetISt5ctypeIcEEbRKSt6locale, "i8") \
    X(_ZSt9has_facetISt7codecvtIcc11__mbstate_tEEbRKSt6locale, "i8") \
    X(_ZSt9has_facetISt7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEEEbRKSt6locale, "i8") \
    X(_ZSt9has_facetISt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEEEbRKSt6locale, "i8") \
    X(_ZSt9has_facetINSt7__cxx118numpunctIcEEEbRKSt6locale, "i8") \
    X(_ZSt9use_facetISt5ctypeIcEERKT_RKSt6locale, "i8") \
    X(_ZSt9use_facetISt7codecvtIcc11__mbstate_tEERKT_RKSt6locale, "i8") \
    X(_ZSt9use_facetISt7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEEERKT_RKSt6locale, "i8") \
    X(_ZSt9use_facetISt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEEERKT_RKSt6locale, "i8") \
    X(_ZSt9use_facetINSt7__cxx118numpunctIcEEERKT_RKSt6locale, "i8") \
    X(_ZNKSt5ctypeIcE13_M_widen_initEv, "v c") \
    X(_ZNKSt5ctypeIcE14_M_narrow_initEv, "v c") X(_ZNKSt5ctypeIcE8do_widenEc, "v v") \
    X(_ZNKSt5ctypeIcE9do_narrowEcc, "v v v") X(_ZNKSt5ctypeIcE10do_tolowerEc, "v v") \
    X(_ZNKSt5ctypeIcE10do_toupperEc, "v v") \
    X(_ZNKSt7__cxx118numpunctIcE11do_groupingEv, "o32 v c") \
    X(_ZNKSt7__cxx118numpunctIcE11do_truenameEv, "o32 v c") \
    X(_ZNKSt7__cxx118numpunctIcE12do_falsenameEv, "o32 v c") \
    X(_ZNKSt7__cxx118numpunctIcE8groupingEv, "o32 v c") \
    X(_ZNKSt7__cxx118numpunctIcE8truenameEv, "o32 v c") \
    X(_ZNKSt7__cxx118numpunctIcE9falsenameEv, "o32 v c") \
    X(_ZNKSt7__cxx118numpunctIcE16do_decimal_pointEv, "v") \
    X(_ZNKSt7__cxx118numpunctIcE16do_thousands_sepEv, "v") \
    X(_ZNKSt7codecvtIcc11__mbstate_tE11do_encodingEv, "v") \
    X(_ZNKSt7codecvtIcc11__mbstate_tE13do_max_lengthEv, "v") \
    X(_ZNKSt7codecvtIcc11__mbstate_tE16do_always_noconvEv, "v") \
    X(_ZNSt10__num_base15_S_format_floatERKSt8ios_basePcc, "v os v") \
    X(_ZSt14__convert_to_vIfEvPKcRT_RSt12_Ios_IostateRKP15__locale_struct, "s o4 b4 v") \
    X(_ZSt14__convert_to_vIdEvPKcRT_RSt12_Ios_IostateRKP15__locale_struct, "s o8 b4 v") \
    X(_ZSt14__convert_to_vIeEvPKcRT_RSt12_Ios_IostateRKP15__locale_struct, "s o16 b4 v") \
    X(_ZSt17__verify_groupingPKcmRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE, "i@2 v i32") \
    X(_ZSt19__throw_ios_failurePKc, "v c") X(_ZSt19__throw_ios_failurePKci, "v v c") \
    X(_ZNSt12__basic_fileIcEC1EP15pthread_mutex_t, "o16 v") \
    X(_ZNSt12__basic_fileIcED1Ev, "b16 c S:hidden") \
    X(_ZNSt12__basic_fileIcEC2EP15pthread_mutex_t, "o16 v") \
    X(_ZNSt12__basic_fileIcED2Ev, "b16 c S:hidden") \
    X(_ZNKSt12__basic_fileIcE7is_openEv, "i8") \
    X(_ZNSt12__basic_fileIcE4openEPKcSt13_Ios_Openmodei, "b16 s v v S:hidden") \
    X(_ZNSt12__basic_fileIcE5closeEv, "b16 c S:hidden") \
    X(_ZNSt12__basic_fileIcE6xsgetnEPcl, "i8 o= v c") \
    X(_ZNSt12__basic_fileIcE6xsputnEPKcl, "i8 i@3 v c") \
    X(_ZNSt12__basic_fileIcE8xsputn_2EPKclS2_l, "i8 i@3 v i@5 v c") \
    X(_ZNSt12__basic_fileIcE7seekoffElSt12_Ios_Seekdir, "i8 v v c") \
    X(_ZNSt12__basic_fileIcE9showmanycEv, "i8 c") \
    X(_ZNSt12__basic_fileIcE4syncEv, "i8 c")

/* What assertions of tests call when they pass, in frameworks that come compiled: of GoogleTest the
 * functions that make and copy a result of 16 bytes, or compare texts; of cmocka those that compare
 * values. What a failing one does besides is part of a run that is a finding. */
#define WIRE_LIBRARY_TESTS(X)                                                           \
    X(_ZN7testing16AssertionSuccessEv, "o16 c T") X(_ZN7testing15AssertionResult4swapERS0_, "b16 b16 c T") \
    X(_ZN7testing15AssertionResultC1ERKS0_, "o16 i16 c T") X(_ZN7testing15AssertionResultC2ERKS0_, "o16 i16 c T") \
    X(_ZNK7testing15AssertionResultntEv, "o16 i16 c T") X(_ZN7testing8internal10AlwaysTrueEv, "c T") \
    X(_ZN7testing8internal6IsTrueEb, "v c T")                                               \
    X(_ZN7testing8internal14CmpHelperSTREQEPKcS2_S2_S2_, "o16 v v s s c T")                \
    X(_ZN7testing8internal14CmpHelperSTRNEEPKcS2_S2_S2_, "o16 v v C s c T")                \
    X(_ZN7testing8internal18CmpHelperSTRCASEEQEPKcS2_S2_S2_, "o16 v v s s c T")            \
    X(_ZN7testing8internal14CmpHelperSTREQEPKcS2_PKwS4_, "o16 v v w w c T")                \
    X(_ZN7testing8internal20DoubleNearPredFormatEPKcS2_S2_ddd, "o16 v v v f f f c T")      \
    X(_ZN7testing7FloatLEEPKcS1_ff, "o16 v v f f c T") X(_ZN7testing8DoubleLEEPKcS1_dd, "o16 v v f f c T") \
    X(_assert_true, "v v v v c T") X(_assert_int_equal, "v v v v c T")                       \
    X(_assert_int_not_equal, "v v v v c T") X(_assert_string_equal, "s s v v c T")           \
    X(_assert_memory_equal, "i@3 i@3 v v v c T") X(_assert_return_code, "v v v v v v c T")   \
    X(_assert_in_range, "v v v v v c T") X(_assert_not_in_range, "v v v v v c T")

/* Functions of the runtime with accesses besides those to its objects. */
#define WIRE_LIBRARY_OURS(X)                                                            \
    X(pthread_mutex_init, "v i4") X(pthread_cond_init, "v i4")                          \
    X(pthread_rwlock_init, "v i8") X(pthread_barrier_init, "v i4 v")                    \
    X(pthread_cond_timedwait, "v v i16") X(pthread_cond_clockwait, "v v v i16")         \
    X(pthread_mutex_timedlock, "v i16") X(pthread_mutex_clocklock, "v v i16")           \
    X(pthread_rwlock_timedrdlock, "v i16") X(pthread_rwlock_clockrdlock, "v v i16")     \
    X(pthread_rwlock_timedwrlock, "v i16") X(pthread_rwlock_clockwrlock, "v v i16")     \
    X(sem_timedwait, "v i16") X(sem_clockwait, "v v i16") X(sem_open, "s v v v")        \
    X(sem_unlink, "s") X(pthread_mutex_setprioceiling, "v v o4?0")                      \
    X(thrd_sleep, "i16 o16?-") X(mtx_timedlock, "v i16") X(cnd_timedwait, "v v i16")    \
    X(nanosleep, "i16 o16?-") X(clock_nanosleep, "v v i16 o16?-") X(time, "o8")         \
    X(gettimeofday, "o16 v") X(clock_gettime, "v o16?0") X(getrandom, "o= v v")         \
    X(close, "t h") X(read, "t h o= v") X(write, "t H i@3 v") X(readv, "t h J@3 v")     \
    X(writev, "t H I@3 v")                                                              \
    X(send, "t h i@3 v v") X(sendto, "t h i@3 v v i@6 v") X(sendmsg, "t h M v")         \
    X(recv, "t h o= v v") X(recvfrom, "t h o= v v v b4") X(recvmsg, "t h R v")          \
    X(poll, "t L@2 v v") X(ppoll, "t L@2 v i16 i8") X(select, "t v U U U i16")          \
    X(pselect, "t v U U U i16 i8") X(epoll_ctl, "v v v i12")                            \
    X(epoll_wait, "t v o=*12 v v") X(epoll_pwait, "t v o=*12 v v i8")                   \
    X(epoll_pwait2, "t v o=*12 v i16 i8") X(bind, "g i@3 v") X(connect, "t g i@3 v")    \
    X(accept, "t g o$3?+ b4") X(accept4, "t g o$3?+ b4 v") X(getsockname, "g o$3?0 b4") \
    X(getpeername, "g o$3?0 b4") X(getsockopt, "g v v o$5?0 b4")                        \
    X(setsockopt, "g v v i@5 v c")

/* Likewise, but the runtime records the accesses itself: no thunk. */
#define WIRE_LIBRARY_TOLD(X)                                                            \
    X(pthread_create, "o8 i" WIRE_ATTR " v v") X(pthread_join, "v o8?0")                \
    X(pthread_tryjoin_np, "v o8?0") X(pthread_timedjoin_np, "v o8?0 i16")               \
    X(pthread_clockjoin_np, "v o8?0 v i16") X(sem_getvalue, "v o4?0")                   \
    X(pthread_key_create, "o4?0 v") X(pthread_setcancelstate, "v o4?0")                 \
    X(pthread_setcanceltype, "v o4?0") X(pthread_sigmask, "v i8 o8?0")                  \
    X(sigprocmask, "v i8 o8?0") X(sigpending, "o8?0") X(sigwait, "i8 o4?0")             \
    X(sigwaitinfo, "i8 o12?p") X(sigtimedwait, "i8 o12?p i16") X(sigsuspend, "i8")      \
    X(sigaction, "v i140 o140?0") X(pthread_getschedparam, "v o4?0 o4?0")               \
    X(pthread_setaffinity_np, "v v i@2") X(pthread_getaffinity_np, "v v o@2?0")         \
    X(pthread_setname_np, "v s") X(pthread_getname_np, "v os?0 v")                      \
    X(pthread_getattr_np, "v o" WIRE_ATTR "?0") X(pthread_getcpuclockid, "v o4?0")      \
    X(thrd_create, "o8 v v") X(thrd_join, "v o4?0") X(tss_create, "o4?0 v")             \
    X(pipe, "o8?0") X(pipe2, "o8?0 v") X(socketpair, "v v v o8?0")                      \
    X(eventfd_read, "v o8?0") X(posix_memalign, "o8?0 v v")

/* Values in, a value out: nothing to watch, nothing is kept but the floating-point environment, which
 * is the thread's. tests/pure calls all of them, and all rows without a word that something changes.
 * Of functions of real and complex numbers: under the name for double; those for other types have a
 * letter or more behind it. */
#define WIRE_VALUES_MATH(X)                                                             \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atan2) X(atanh) X(cabs) X(cacos)        \
    X(cacosh) X(carg) X(casin) X(casinh) X(catan) X(catanh) X(cbrt) X(ccos) X(ccosh)    \
    X(ceil) X(cexp) X(cimag) X(clog) X(clog10) X(conj) X(copysign) X(cos) X(cosh)       \
    X(cpow) X(cproj) X(creal) X(csin) X(csinh) X(csqrt) X(ctan) X(ctanh) X(drem)        \
    X(erf) X(erfc) X(exp) X(exp10) X(exp2) X(expm1) X(fabs) X(fdim) X(finite) X(floor)  \
    X(fma) X(fmax) X(fmaximum) X(fmaximum_mag) X(fmaximum_mag_num) X(fmaximum_num)      \
    X(fmaxmag) X(fmin) X(fminimum) X(fminimum_mag) X(fminimum_mag_num) X(fminimum_num)  \
    X(fminmag) X(fmod) X(fromfp) X(fromfpx) X(hypot) X(ilogb) X(isinf) X(isnan) X(j0)   \
    X(j1) X(jn) X(ldexp) X(llogb) X(llrint) X(llround) X(log) X(log10) X(log1p)         \
    X(log2) X(logb) X(lrint) X(lround) X(nearbyint) X(nextafter) X(nextdown)            \
    X(nexttoward) X(nextup) X(pow) X(pow10) X(remainder) X(rint) X(round) X(roundeven)  \
    X(scalb) X(scalbln) X(scalbn) X(significand) X(sin) X(sinh) X(sqrt) X(tan) X(tanh)  \
    X(tgamma) X(trunc) X(ufromfp) X(ufromfpx) X(y0) X(y1) X(yn) X(__fpclassify)         \
    X(__signbit) X(__isinf) X(__isnan) X(__finite) X(__issignaling) X(__iseqsig)        \
    X(__exp10) X(__pow10)

#define WIRE_VALUES(X)                                                                  \
    X(abs) X(labs) X(llabs) X(imaxabs) X(div) X(ldiv) X(lldiv) X(imaxdiv) X(htonl)      \
    X(htons) X(ntohl) X(ntohs) X(isctype) X(isalnum_l) X(isalpha_l) X(isblank_l)        \
    X(iscntrl_l) X(isdigit_l) X(isgraph_l) X(islower_l) X(isprint_l) X(ispunct_l)       \
    X(isspace_l) X(isupper_l) X(isxdigit_l) X(tolower_l) X(toupper_l) X(iswalnum)       \
    X(iswalpha) X(iswblank) X(iswcntrl) X(iswctype) X(iswdigit) X(iswgraph) X(iswlower) \
    X(iswprint) X(iswpunct) X(iswspace) X(iswupper) X(iswxdigit) X(towlower)            \
    X(towupper) X(towctrans) X(iswalnum_l) X(iswalpha_l) X(iswblank_l) X(iswcntrl_l)    \
    X(iswctype_l) X(iswdigit_l) X(iswgraph_l) X(iswlower_l) X(iswprint_l) X(iswpunct_l) \
    X(iswspace_l) X(iswupper_l) X(iswxdigit_l) X(towlower_l) X(towupper_l)              \
    X(towctrans_l) X(gnu_dev_major) X(gnu_dev_minor) X(gnu_dev_makedev) X(fadd)         \
    X(faddl) X(daddl) X(fsub) X(fsubl) X(dsubl) X(fmul) X(fmull) X(dmull) X(fdiv)       \
    X(fdivl) X(ddivl) X(ffma) X(ffmal) X(dfmal) X(fsqrt) X(fsqrtl) X(dsqrtl)            \
    X(feclearexcept) X(feraiseexcept) X(fetestexcept) X(fegetround) X(fesetround)       \
    X(feenableexcept) X(fedisableexcept) X(fegetexcept) X(fesetexcept)
/* clang-format on */
