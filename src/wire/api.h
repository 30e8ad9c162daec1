/* SPDX-License-Identifier: Apache-2.0 */
/* wire/api.h - the library functions that treadle replaces, refuses or passes on.
 *
 * Purpose     One list for the instrumenter, which renames NAME to __treadle_NAME
 *             wherever a program refers to it, and for the runtime, which defines
 *             __treadle_NAME.
 * Words       replaced: modelled by the runtime. refused: not modelled; under control the
 *             run ends there with a message and a ledger line. tainting: passed to the
 *             library, but it changes what a snapshot cannot undo, so the process is not
 *             used again.
 * Invariants  A name is in one list at most. Without treadle, every __treadle_NAME behaves as NAME.
 */
#pragma once

#define WIRE_PREFIX "__treadle_"
/* Marks the modules of runtime/libc: nothing in them is renamed, they record their accesses themselves, and
 * their decisions are attributed to their callers. */
#define WIRE_LIBC_MARK "__treadle_libc"

/* clang-format off */

/* A call of anything that starts so and is in no list is refused as well. Of <threads.h> all are in a list:
 * another function that starts like them is the program's. */
#define WIRE_REFUSED_PREFIXES(X) X("pthread_") X("sem_")

#define WIRE_REPLACED(X)                                                                \
    X(pthread_create) X(pthread_join) X(pthread_detach) X(pthread_exit)                 \
    X(pthread_self) X(pthread_equal) X(pthread_mutex_init) X(pthread_mutex_destroy)     \
    X(pthread_mutex_lock) X(pthread_mutex_trylock) X(pthread_mutex_unlock) X(usleep)    \
    X(nanosleep) X(clock_nanosleep) X(sleep) X(sched_yield) X(pthread_yield) X(time)    \
    X(gettimeofday) X(clock_gettime) X(clock) X(rand) X(srand) X(random) X(srandom)     \
    X(getrandom) X(getpid) X(getppid) X(gettid) X(__assert_fail) X(__assert) X(abort)   \
    X(exit) X(_exit) X(_Exit) X(quick_exit) X(atexit) X(on_exit)         \
    X(at_quick_exit) X(__cxa_atexit) X(__cxa_at_quick_exit) X(raise) X(kill) X(free)          \
    X(__VERIFIER_atomic_begin) X(__VERIFIER_atomic_end) X(__VERIFIER_error)             \
    X(reach_error) X(__atomic_load) X(__atomic_store) X(__atomic_exchange)              \
    X(__atomic_compare_exchange) X(pthread_cond_init) X(pthread_cond_destroy)           \
    X(pthread_cond_signal) X(pthread_cond_broadcast) X(pthread_cond_wait)               \
    X(pthread_cond_timedwait) X(pthread_cond_clockwait) X(sem_init) X(sem_destroy)      \
    X(sem_post) X(sem_wait) X(sem_trywait) X(sem_timedwait) X(sem_clockwait)            \
    X(sem_getvalue) X(pthread_rwlock_init) X(pthread_rwlock_destroy)                    \
    X(pthread_rwlock_rdlock) X(pthread_rwlock_tryrdlock) X(pthread_rwlock_wrlock)       \
    X(pthread_rwlock_trywrlock) X(pthread_rwlock_timedrdlock)                           \
    X(pthread_rwlock_clockrdlock) X(pthread_rwlock_timedwrlock)                         \
    X(pthread_rwlock_clockwrlock) X(pthread_rwlock_unlock) X(pthread_spin_init)         \
    X(pthread_spin_destroy) X(pthread_spin_lock) X(pthread_spin_trylock)                \
    X(pthread_spin_unlock) X(pthread_barrier_init) X(pthread_barrier_destroy)           \
    X(pthread_barrier_wait) X(pthread_once) X(pthread_mutex_timedlock)                  \
    X(pthread_mutex_clocklock) X(malloc) X(calloc) X(realloc) X(reallocarray)           \
    X(aligned_alloc) X(memalign) X(posix_memalign)                                      \
    X(pthread_key_create) X(pthread_key_delete) X(pthread_getspecific)                  \
    X(pthread_setspecific) X(pthread_cancel) X(pthread_testcancel)                      \
    X(pthread_setcancelstate) X(pthread_setcanceltype) X(__pthread_register_cancel)     \
    X(__pthread_unregister_cancel) X(__pthread_register_cancel_defer)                   \
    X(__pthread_unregister_cancel_restore) X(__pthread_unwind_next) X(pthread_kill)     \
    X(pthread_sigqueue) X(pthread_sigmask) X(sigprocmask) X(sigpending) X(sigwait)      \
    X(sigwaitinfo) X(sigtimedwait) X(sigsuspend) X(pause) X(signal) X(pthread_atfork)             \
    X(pthread_tryjoin_np) X(pthread_timedjoin_np) X(pthread_clockjoin_np)               \
    X(pthread_mutex_consistent)                                                          \
    X(pthread_mutex_setprioceiling) X(pthread_getschedparam) X(pthread_setaffinity_np)  \
    X(pthread_getaffinity_np) X(pthread_setname_np) X(pthread_getname_np)               \
    X(pthread_getattr_np) X(pthread_getcpuclockid) X(pthread_setconcurrency)            \
    X(pthread_getconcurrency) X(sem_open) X(sem_close) X(sem_unlink) X(thrd_create)     \
    X(thrd_join) X(thrd_detach) X(thrd_exit) X(thrd_current) X(thrd_equal)              \
    X(thrd_sleep) X(thrd_yield) X(mtx_init) X(mtx_destroy) X(mtx_lock) X(mtx_trylock)   \
    X(mtx_timedlock) X(mtx_unlock) X(cnd_init) X(cnd_destroy) X(cnd_wait)               \
    X(cnd_timedwait) X(cnd_signal) X(cnd_broadcast) X(tss_create) X(tss_delete)         \
    X(tss_get) X(tss_set) X(call_once) X(syscall) X(sigaction) X(__sysv_signal)     \
    X(prctl) X(timespec_get) X(getrusage) X(times) X(initstate) X(setstate) X(drand48)  \
    X(lrand48) X(mrand48) X(erand48) X(nrand48) X(jrand48) X(srand48) X(seed48)         \
    X(lcong48) X(getentropy) X(arc4random) X(arc4random_uniform) X(arc4random_buf)      \
    X(strfry)                                                                           \
    X(flockfile) X(ftrylockfile) X(funlockfile) X(mmap) X(munmap) X(mremap)        \
    X(mprotect) X(madvise)                                                              \
    X(alarm) X(ualarm) X(setitimer) X(getitimer) X(timer_create) X(timer_settime) X(sigaltstack)     \
    X(treadle_cycles) X(__cxa_guard_acquire) X(__cxa_guard_release) X(__cxa_guard_abort)  \
    X(__cxa_thread_atexit_impl) X(__cxa_throw) X(_ZSt9terminatev)       \
    X(__cxa_begin_catch)

/* Descriptors between threads are modelled; operations on other descriptors go to the C library and taint:
 * replaced. */
#define WIRE_DESCRIPTORS(X)                                                             \
    X(pipe) X(pipe2) X(eventfd) X(eventfd_read) X(eventfd_write) X(socketpair)          \
    X(shutdown) X(close) X(dup) X(dup2) X(dup3) X(fcntl) X(ioctl) X(write) X(readv)     \
    X(writev) X(send) X(sendto) X(sendmsg) X(recv) X(recvfrom) X(recvmsg) X(poll)       \
    X(ppoll) X(select) X(pselect) X(epoll_create) X(epoll_create1) X(epoll_ctl)         \
    X(epoll_wait) X(epoll_pwait) X(epoll_pwait2) X(fdopen) X(socket) X(bind) X(listen)  \
    X(accept) X(accept4) X(connect) X(getsockname) X(getpeername) X(getsockopt)         \
    X(setsockopt)

/* Further functions that return or take the number of a descriptor: a program that calls one of these, or of
 * the above, may observe which number a file has. */
#define WIRE_NUMBERS(X)                                                                 \
    X(open) X(openat) X(creat) X(mkstemp) X(mkstemps) X(mkostemp) X(mkostemps)          \
    X(posix_openpt) X(getpt) X(shm_open) X(memfd_create) X(inotify_init)                \
    X(inotify_init1) X(timerfd_create) X(signalfd) X(closefrom) X(close_range)          \
    X(fileno) X(fileno_unlocked) X(dirfd) X(fdopendir) X(fstat) X(isatty) X(ttyname)    \
    X(ttyname_r) X(read) X(pread) X(pwrite) X(lseek) X(ftruncate) X(fsync) X(fdatasync) \
    X(dprintf) X(vdprintf) X(fchmod) X(fchown) X(futimens) X(flock) X(lockf) X(mmap)

/* Make inputs: replaced; a program that calls one follows symbolic values. */
#define WIRE_INPUTS(X)                                                                  \
    X(treadle_symbolic) X(treadle_int) X(treadle_uint) X(treadle_long) X(treadle_ulong) \
    X(treadle_bool) X(treadle_i8) X(treadle_i16) X(treadle_i32) X(treadle_i64)          \
    X(treadle_u8) X(treadle_u16) X(treadle_u32) X(treadle_u64) X(treadle_bits)          \
    X(klee_make_symbolic) X(klee_int) X(klee_range) X(__VERIFIER_nondet_bool)           \
    X(__VERIFIER_nondet_char)                                                           \
    X(__VERIFIER_nondet_schar) X(__VERIFIER_nondet_uchar) X(__VERIFIER_nondet_short)    \
    X(__VERIFIER_nondet_ushort) X(__VERIFIER_nondet_int) X(__VERIFIER_nondet_uint)      \
    X(__VERIFIER_nondet_unsigned) X(__VERIFIER_nondet_long) X(__VERIFIER_nondet_ulong)  \
    X(__VERIFIER_nondet_longlong) X(__VERIFIER_nondet_ulonglong)                        \
    X(__VERIFIER_nondet_size_t) X(__VERIFIER_nondet_u8) X(__VERIFIER_nondet_u16)        \
    X(__VERIFIER_nondet_u32) X(__VERIFIER_nondet_loff_t) X(__VERIFIER_nondet_pointer)   \
    X(__VERIFIER_nondet_pchar) X(__VERIFIER_nondet_float) X(__VERIFIER_nondet_double)   \
    X(__VERIFIER_nondet_memory)

/* About symbolic values: replaced. */
#define WIRE_SYMBOLIC(X)                                                                \
    X(treadle_check) X(klee_assume) X(__VERIFIER_assume) X(klee_is_symbolic)

/* Marks of operations and their specification: replaced. */
#define WIRE_MARKS(X)                                                                   \
    X(treadle_specify) X(treadle_op_begin_args) X(treadle_op_end_result)

/* Objects without behaviour of their own: passed through, invisible. */
#define WIRE_HARMLESS(X)                                                                \
    X(pthread_attr_init) X(pthread_attr_destroy) X(pthread_attr_setdetachstate)         \
    X(pthread_attr_getdetachstate) X(pthread_attr_setstacksize)                         \
    X(pthread_attr_getstacksize) X(pthread_attr_setscope) X(pthread_attr_getscope)      \
    X(pthread_attr_setguardsize) X(pthread_attr_getguardsize)                           \
    X(pthread_mutexattr_init) X(pthread_mutexattr_destroy)                              \
    X(pthread_mutexattr_settype) X(pthread_mutexattr_gettype)                           \
    X(pthread_condattr_init) X(pthread_condattr_destroy) X(pthread_condattr_setclock)    \
    X(pthread_condattr_getclock) X(pthread_rwlockattr_init) X(pthread_rwlockattr_destroy) \
    X(pthread_barrierattr_init) X(pthread_barrierattr_destroy)                          \
    X(pthread_attr_setstack) X(pthread_attr_getstack) X(pthread_attr_setstackaddr)      \
    X(pthread_attr_getstackaddr) X(pthread_attr_setinheritsched)                        \
    X(pthread_attr_getinheritsched) X(pthread_attr_setschedparam)                       \
    X(pthread_attr_getschedparam) X(pthread_attr_setschedpolicy)                        \
    X(pthread_attr_getschedpolicy) X(pthread_attr_setaffinity_np)                       \
    X(pthread_attr_getaffinity_np) X(pthread_attr_setsigmask_np)                        \
    X(pthread_attr_getsigmask_np) X(pthread_getattr_default_np)                         \
    X(pthread_setattr_default_np) X(pthread_mutexattr_setrobust)                        \
    X(pthread_mutexattr_getrobust) X(pthread_mutexattr_setrobust_np)                    \
    X(pthread_mutexattr_getrobust_np) X(pthread_mutexattr_setpshared)                   \
    X(pthread_mutexattr_getpshared) X(pthread_mutexattr_setprotocol)                    \
    X(pthread_mutexattr_getprotocol) X(pthread_mutexattr_setprioceiling)                \
    X(pthread_mutexattr_getprioceiling) X(pthread_mutexattr_setkind_np)                 \
    X(pthread_mutexattr_getkind_np) X(pthread_mutex_getprioceiling)                     \
    X(pthread_condattr_setpshared) X(pthread_condattr_getpshared)                       \
    X(pthread_rwlockattr_setpshared) X(pthread_rwlockattr_getpshared)                   \
    X(pthread_rwlockattr_setkind_np) X(pthread_rwlockattr_getkind_np)                   \
    X(pthread_barrierattr_setpshared) X(pthread_barrierattr_getpshared)

/* A program that uses one of these needs operations or checks that other programs do not: WIRE_SITE_USES. */
#define WIRE_WATCHED(X)                                                                 \
    X(pthread_cancel, CANCEL) X(pthread_kill, KILL) X(pthread_sigqueue, KILL)           \
    X(kill, KILL) X(signal, HANDLER) X(__sysv_signal, HANDLER) X(sigaction, HANDLER)    \
    X(pthread_key_delete, DELETE)                                                       \
    X(tss_delete, DELETE) X(pthread_getname_np, NAMES) X(pthread_getaffinity_np, NAMES) \
    X(prctl, NAMES) X(__errno_location, ERRNO) X(backtrace, UNWINDS)

/* Stands in for a name if code compares addresses: WIRE_USES_ADDRESSES. */
#define WIRE_LOOKS_AT_ADDRESSES "(addresses)"

/* Stands in for a name if linked code does not track symbolic values. */
#define WIRE_NOT_FOLLOWED "(not followed)"

#ifndef __ASSEMBLER__
enum wire_uses {
    WIRE_USES_CANCEL = 1,
    WIRE_USES_KILL = 2,
    WIRE_USES_HANDLER = 4,
    WIRE_USES_DELETE = 8,
    WIRE_USES_NAMES = 16,
    WIRE_USES_ERRNO = 32,
    WIRE_USES_ADDRESSES = 64,
    WIRE_USES_UNWINDS = 128
};
#endif

/* Our own versions in runtime/libc, through which symbolic values are tracked and whose accesses are
 * checked: replaced. */
#define WIRE_LIBC(X)                                                                    \
    X(memchr) X(memrchr) X(rawmemchr) X(memcmp) X(bcmp) X(memmem) X(mempcpy)            \
    X(memccpy) X(strlen) X(strnlen) X(strcmp) X(strncmp) X(strcasecmp) X(strncasecmp)   \
    X(strcoll) X(strcpy) X(strncpy) X(stpcpy) X(stpncpy) X(strcat) X(strncat)           \
    X(strchr) X(strchrnul) X(strrchr) X(index) X(rindex)          \
    X(strstr) X(strcasestr) X(strspn) X(strcspn) X(strpbrk) X(strtok) X(strtok_r)       \
    X(strsep) X(strdup) X(strndup) X(strtol) X(strtoll) X(strtoul) X(strtoull)          \
    X(strtoimax) X(strtoumax) X(atoi) X(atol) X(atoll) X(qsort) X(bsearch)              \
    X(snprintf) X(sprintf) X(vsnprintf) X(vsprintf)

/* Names that newer C libraries give these functions in their headers. */
#define WIRE_ALIASES(X)                                                                 \
    X(__isoc23_strtol, strtol) X(__isoc23_strtoll, strtoll)                             \
    X(__isoc23_strtoul, strtoul) X(__isoc23_strtoull, strtoull)                         \
    X(__isoc23_strtoimax, strtoimax) X(__isoc23_strtoumax, strtoumax)                   \
    X(pthread_mutex_consistent_np, pthread_mutex_consistent)                            \
    X(__strdup, strdup) X(__strtok_r, strtok_r) X(__stpcpy, stpcpy)                     \
    X(fcntl64, fcntl) X(mmap64, mmap)

/* The same for functions of values alone: they access no memory and need no site. */
#define WIRE_LIBC_PURE(X)                                                               \
    X(isalnum) X(isalpha) X(isblank) X(iscntrl) X(isdigit) X(isgraph) X(islower)        \
    X(isprint) X(ispunct) X(isspace) X(isupper) X(isxdigit) X(isascii) X(toascii)       \
    X(tolower) X(toupper)

/* Standard input: replaced, because its bytes may be inputs. */
#define WIRE_STDIN(X)                                                                   \
    X(read) X(fread) X(fread_unlocked) X(fgetc) X(getc) X(getchar) X(fgetc_unlocked)    \
    X(getc_unlocked) X(getchar_unlocked) X(fgets) X(fgets_unlocked) X(ungetc)           \
    X(getline) X(getdelim) X(feof) X(ferror) X(clearerr)

/* Functions of the library whose effect is known. OUTPUT: writes its arguments out; if its result is unused,
 * what it reads affects nothing, and a symbolic argument loses nothing. ALLOCATES: reads nothing; a symbolic
 * size is concretised. ENDS: ends or waits; a symbolic argument loses nothing. */
#define WIRE_KNOWN(X)                                                                   \
    X(printf, OUTPUT) X(vprintf, OUTPUT) X(fprintf, OUTPUT) X(vfprintf, OUTPUT)         \
    X(dprintf, OUTPUT) X(puts, OUTPUT) X(putchar, OUTPUT) X(putc, OUTPUT)               \
    X(fputs, OUTPUT) X(fputc, OUTPUT) X(fwrite, OUTPUT) X(fflush, OUTPUT)               \
    X(perror, OUTPUT) X(write, OUTPUT) X(putchar_unlocked, OUTPUT)                      \
    X(putc_unlocked, OUTPUT) X(fputc_unlocked, OUTPUT) X(fputs_unlocked, OUTPUT)        \
    X(fwrite_unlocked, OUTPUT) X(fclose, OUTPUT) X(setvbuf, OUTPUT)                     \
    X(malloc, ALLOCATES) X(calloc, ALLOCATES) X(realloc, ALLOCATES)                     \
    X(reallocarray, ALLOCATES) X(aligned_alloc, ALLOCATES) X(memalign, ALLOCATES)       \
    X(posix_memalign, ALLOCATES)                                                        \
    X(free, ENDS) X(exit, ENDS) X(_exit, ENDS) X(_Exit, ENDS) X(quick_exit, ENDS)       \
    X(abort, ENDS) X(__assert_fail, ENDS) X(usleep, ENDS) X(sleep, ENDS)                \
    X(nanosleep, ENDS) X(sched_yield, ENDS)

#ifndef __ASSEMBLER__
enum wire_known {
    WIRE_KNOWN_NO,
    WIRE_KNOWN_OUTPUT,
    WIRE_KNOWN_ALLOCATES,
    WIRE_KNOWN_ENDS
};
#endif

/* Arguments of functions in WIRE_REPLACED whose symbolic values the runtime follows or decides
 * itself. All others are decided before the call. */
#define WIRE_TAKES(X)                                                                   \
    X(pthread_create, 3) X(thrd_create, 2) X(pthread_exit, 0) X(thrd_exit, 0)           \
    X(pthread_setspecific, 1) X(tss_set, 1) X(pthread_join, 0) X(pthread_detach, 0)     \
    X(write, 2) X(exit, 0) X(_exit, 0) X(_Exit, 0) X(quick_exit, 0) X(treadle_bits, 0)  \
    X(usleep, 0) X(sleep, 0) X(srand, 0) X(srandom, 0)

#define WIRE_REFUSED(X)                                                                 \
    X(pthread_setschedparam) X(pthread_setschedprio)                                    \
    X(fork) X(vfork) X(_Fork) X(forkpty) X(clone) X(clone3) X(daemon) X(execv)          \
    X(execve) X(execvp) X(execvpe) X(execl) X(execlp) X(execle) X(execveat) X(fexecve)  \
    X(system) X(popen) X(posix_spawn) X(posix_spawnp) X(killpg) X(sigqueue) X(sighold)  \
    X(sigrelse) X(sigignore) X(sigset) X(sigpause) X(__sigpause) X(sigblock)            \
    X(sigsetmask) X(siggetmask) X(ssignal) X(gsignal) X(siginterrupt)                   \
    X(pidfd_send_signal) X(tgkill) X(bsd_signal) X(sysv_signal)

#define WIRE_TAINTING(X)                                                                \
    X(timerfd_create) X(signalfd) X(inotify_init) X(memfd_create) X(shm_open)                            \
    X(brk) X(sbrk) X(setuid)       \
    X(setgid) X(nice) X(dlopen) X(dlclose) X(waitpid) X(wait)

/* The same if files are kept, or if the system does not allow filtering system calls. Otherwise their
 * effects belong to the run and are undone with it. */
#define WIRE_FILES(X)                                                                   \
    X(open) X(openat) X(creat) X(fopen) X(freopen) X(tmpfile) X(mkstemp) X(opendir)     \
    X(fclose) X(chdir) X(fchdir) X(umask) X(setrlimit) X(unlink) X(rename) X(mkdir)     \
    X(rmdir) X(link) X(symlink) X(truncate) X(ftruncate) X(lseek) X(pread) X(pwrite)
/* clang-format on */
