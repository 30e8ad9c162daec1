/* SPDX-License-Identifier: Apache-2.0 */
/* Calls with arguments at their limits. Each prints a line; none depends on time, or on what other threads do. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int number;

/* The place is told by the line: so both builds have the same. */
static void tell(int line, long result, int error)
{
    printf("%d: %ld %s\n", line, result, error ? strerrorname_np(error) : "0");
    number++;
}

#define CALL(call)                                                                       \
    do {                                                                                 \
        errno = 0;                                                                       \
        long result_ = (long)(call);                                                     \
        tell(__LINE__, result_, errno);                                                  \
    } while (0)

static const struct timespec past = {0, 0}, negative = {-1, 0}, below = {0, -1},
                             above = {0, 1000000000}, last = {0, 999999999},
                             both = {-1, 1000000000}, soon = {0, 1};

static void sleeps(void)
{
    struct timespec left = {7, 7};
    CALL(nanosleep(&past, NULL));
    CALL(nanosleep(&negative, NULL));
    CALL(nanosleep(&below, &left));
    CALL(nanosleep(&above, &left));
    CALL(nanosleep(&both, NULL));
    CALL(nanosleep(&soon, NULL));
    CALL(left.tv_sec);
    CALL(clock_nanosleep(CLOCK_MONOTONIC, 0, &above, NULL));
    CALL(clock_nanosleep(CLOCK_MONOTONIC, 0, &negative, NULL));
    CALL(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &past, NULL));
    CALL(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &negative, NULL));
    CALL(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &below, NULL));
    CALL(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &past, NULL));
    CALL(clock_nanosleep(99, 0, &past, NULL));
    CALL(thrd_sleep(&past, NULL));
    CALL(thrd_sleep(&above, NULL));
    CALL(thrd_sleep(&negative, NULL));
    CALL(usleep(0));
    CALL(sleep(0));
}

static void clocks(void)
{
    struct timespec t;
    struct timeval v;
    CALL(clock_gettime(99, &t));
    CALL(clock_gettime(CLOCK_MONOTONIC, &t));
    CALL(clock_getres(99, &t));
    CALL(clock_getres(CLOCK_REALTIME, NULL));
    CALL(gettimeofday(&v, NULL));
    CALL(timespec_get(&t, TIME_UTC));
    CALL(timespec_get(&t, 0));
    CALL(time(NULL) > 0);
}

static void mutexes(void)
{
    pthread_mutex_t m;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    CALL(pthread_mutexattr_settype(&a, 99));
    CALL(pthread_mutexattr_settype(&a, -1));
    CALL(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK));
    CALL(pthread_mutexattr_setrobust(&a, 99));
    CALL(pthread_mutexattr_setprotocol(&a, 99));
    CALL(pthread_mutex_init(&m, &a));
    CALL(pthread_mutex_unlock(&m));
    CALL(pthread_mutex_lock(&m));
    CALL(pthread_mutex_lock(&m));
    CALL(pthread_mutex_trylock(&m));
    CALL(pthread_mutex_timedlock(&m, &above));
    CALL(pthread_mutex_timedlock(&m, &past));
    CALL(pthread_mutex_unlock(&m));
    CALL(pthread_mutex_timedlock(&m, &above));
    CALL(pthread_mutex_unlock(&m));
    CALL(pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &past));
    CALL(pthread_mutex_destroy(&m));
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &a);
    CALL(pthread_mutex_lock(&m));
    CALL(pthread_mutex_trylock(&m));
    CALL(pthread_mutex_timedlock(&m, &past));
    CALL(pthread_mutex_unlock(&m));
    CALL(pthread_mutex_unlock(&m));
    CALL(pthread_mutex_unlock(&m));
    CALL(pthread_mutex_consistent(&m));
}

static void conditions(void)
{
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_condattr_t a;
    pthread_condattr_init(&a);
    CALL(pthread_condattr_setclock(&a, CLOCK_PROCESS_CPUTIME_ID));
    CALL(pthread_condattr_setclock(&a, CLOCK_MONOTONIC));
    CALL(pthread_condattr_setclock(&a, 99));
    pthread_mutex_lock(&m);
    CALL(pthread_cond_timedwait(&c, &m, &above));
    CALL(pthread_cond_timedwait(&c, &m, &below));
    CALL(pthread_cond_clockwait(&c, &m, CLOCK_PROCESS_CPUTIME_ID, &past));
    CALL(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &above));
    CALL(pthread_cond_signal(&c));
    CALL(pthread_cond_broadcast(&c));
    pthread_mutex_unlock(&m);
}

static void locks(void)
{
    pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
    pthread_spinlock_t s;
    CALL(pthread_rwlock_tryrdlock(&l));
    CALL(pthread_rwlock_trywrlock(&l));
    CALL(pthread_rwlock_timedrdlock(&l, &above));
    CALL(pthread_rwlock_timedwrlock(&l, &above));
    CALL(pthread_rwlock_unlock(&l));
    CALL(pthread_rwlock_wrlock(&l));
    CALL(pthread_rwlock_rdlock(&l));
    CALL(pthread_rwlock_wrlock(&l));
    CALL(pthread_rwlock_tryrdlock(&l));
    CALL(pthread_rwlock_timedrdlock(&l, &below));
    CALL(pthread_rwlock_unlock(&l));
    CALL(pthread_spin_init(&s, 0));
    CALL(pthread_spin_lock(&s));
    CALL(pthread_spin_trylock(&s));
    CALL(pthread_spin_unlock(&s));
}

static void semaphores(void)
{
    sem_t s;
    int value = 7;
    CALL(sem_init(&s, 0, 1u + SEM_VALUE_MAX));
    CALL(sem_init(&s, 0, SEM_VALUE_MAX));
    CALL(sem_post(&s));
    CALL(sem_getvalue(&s, &value));
    CALL(value);
    CALL(sem_init(&s, 0, 1));
    CALL(sem_timedwait(&s, &above));
    CALL(sem_trywait(&s));
    CALL(sem_timedwait(&s, &above));
    CALL(sem_timedwait(&s, &below));
    CALL(sem_clockwait(&s, CLOCK_PROCESS_CPUTIME_ID, &past));
    CALL(sem_open("/treadle-none", 0) == SEM_FAILED);
    CALL(sem_unlink("/treadle-none"));
    CALL(sem_destroy(&s));
}

static void barriers(void)
{
    pthread_barrier_t b;
    CALL(pthread_barrier_init(&b, NULL, 0));
    CALL(pthread_barrier_init(&b, NULL, 0x80000000u));
    CALL(pthread_barrier_init(&b, NULL, 1));
    CALL(pthread_barrier_wait(&b));
    CALL(pthread_barrier_destroy(&b));
}

static void threads(void)
{
    pthread_attr_t a;
    int old = 9;
    char name[4];
    pthread_attr_init(&a);
    CALL(pthread_attr_setdetachstate(&a, 99));
    CALL(pthread_attr_setstacksize(&a, 1));
    CALL(pthread_attr_setguardsize(&a, 1));
    CALL(pthread_setcancelstate(99, NULL));
    CALL(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
    CALL(old);
    CALL(pthread_setcanceltype(99, NULL));
    CALL(pthread_setname_np(pthread_self(), "a name that is much too long"));
    CALL(pthread_setname_np(pthread_self(), "name"));
    CALL(pthread_getname_np(pthread_self(), name, sizeof name));
    CALL(pthread_setspecific(5000, NULL));
    CALL(pthread_getspecific(5000) == NULL);
    CALL(pthread_key_delete(5000));
    CALL(pthread_kill(pthread_self(), 0));
    CALL(pthread_kill(pthread_self(), 65));
    CALL(pthread_kill(pthread_self(), -1));
    CALL(pthread_setconcurrency(-1));
    CALL(pthread_equal(pthread_self(), pthread_self()) != 0);
}

static void signals(void)
{
    static char stack[1 << 16];
    sigset_t set, old;
    struct sigaction action = {.sa_handler = SIG_IGN};
    stack_t s = {.ss_sp = stack, .ss_size = sizeof stack}, was;
    siginfo_t info;
    sigemptyset(&set);
    CALL(sigaddset(&set, 0));
    CALL(sigaddset(&set, 65));
    CALL(sigismember(&set, 99));
    sigaddset(&set, SIGUSR1);
    CALL(sigprocmask(99, &set, NULL));
    CALL(sigprocmask(99, NULL, &old));
    CALL(pthread_sigmask(99, &set, NULL));
    CALL(sigprocmask(SIG_BLOCK, &set, &old));
    CALL(sigtimedwait(&set, NULL, &past));
    CALL(sigtimedwait(&set, &info, &above));
    CALL(sigtimedwait(&set, &info, &negative));
    CALL(sigtimedwait(&set, &info, &below));
    CALL(raise(SIGUSR1));
    CALL(sigtimedwait(&set, &info, &past));
    CALL(sigpending(&old));
    CALL(sigismember(&old, SIGUSR1));
    CALL(sigaction(SIGKILL, &action, NULL));
    CALL(sigaction(0, &action, NULL));
    CALL(sigaction(65, &action, NULL));
    CALL(sigaction(SIGUSR1, &action, NULL));
    CALL(signal(SIGKILL, SIG_IGN) == SIG_ERR);
    CALL(signal(-1, SIG_IGN) == SIG_ERR);
    CALL(raise(99));
    CALL(sigaltstack(&s, NULL));
    s.ss_size = 100;
    CALL(sigaltstack(&s, NULL));
    s.ss_size = 16384;
    CALL(sigaltstack(&s, &was));
    CALL(was.ss_size);
    s.ss_flags = 77;
    CALL(sigaltstack(&s, NULL));
    s.ss_flags = SS_DISABLE;
    CALL(sigaltstack(&s, &was));
    CALL(sigaltstack(NULL, &was));
    CALL(was.ss_flags);
}

static void descriptors(void)
{
    int fds[2];
    char c = 1;
    CALL(close(-1));
    CALL(close(1000));
    CALL(read(-1, &c, 1));
    CALL(write(1000, &c, 1));
    CALL(dup(-1));
    CALL(dup2(1000, 5));
    CALL(dup3(0, 0, 0));
    CALL(pipe2(fds, O_NONBLOCK));
    CALL(read(fds[0], &c, 1));
    CALL(read(fds[1], &c, 1));
    CALL(write(fds[0], &c, 1));
    CALL(write(fds[1], &c, 1));
    CALL(read(fds[0], &c, 0));
    CALL(fcntl(fds[0], F_GETFD));
    CALL(close(fds[0]));
    CALL(close(fds[0]));
    CALL(eventfd(0, 0x40000000));
    int e = eventfd(0, EFD_NONBLOCK);
    uint64_t value = UINT64_MAX;
    CALL(write(e, &value, 8));
    CALL(write(e, &value, 4));
    CALL(read(e, &value, 8));
}

static void memory(void)
{
    void *p = NULL;
    char *at =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CALL(posix_memalign(&p, 3, 8));
    CALL(posix_memalign(&p, 0, 8));
    CALL(aligned_alloc(64, 64) != NULL);
    CALL(mmap(NULL, 0, 1, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    CALL(mmap(NULL, 4096, 1, MAP_PRIVATE, -1, 0) == MAP_FAILED);
    const int over = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    CALL(mmap(at + 1, 4096, 1, over, -1, 0) == MAP_FAILED);
    CALL(munmap(at + 1, 4096));
    CALL(munmap(at, 0));
    CALL(mprotect(at + 1, 4096, 1));
    CALL(mprotect(at, 4096, 0x7000));
    CALL(mprotect(at, 0, 0));
    CALL(madvise(at, 4096, 9999));
    CALL(madvise(at + 1, 4096, MADV_DONTNEED));
    CALL(mremap(at, 4096, 0, 0) == MAP_FAILED);
    CALL(mremap(at, 4096, 8192, 0x4000) == MAP_FAILED);
    CALL(mremap(at + 1, 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED);
    CALL(munmap(at, 4096));
}

int main(void)
{
    sleeps();
    clocks();
    mutexes();
    conditions();
    locks();
    semaphores();
    barriers();
    threads();
    signals();
    descriptors();
    memory();
    printf("%d calls\n", number);
    return 0;
}
