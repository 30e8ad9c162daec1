/* SPDX-License-Identifier: Apache-2.0 */
/* What calls of the C library order for relaxed atomics: as much as for plain data (-DPLAIN), which are a data
 * race where they order nothing. A store buffer is drained where glibc executes a locked instruction. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

#ifdef PLAIN
static int x;
#define SET(v) (x = (v))
#define GET() x
#else
static atomic_int x;
#define SET(v) atomic_store_explicit(&x, v, memory_order_relaxed)
#define GET() atomic_load_explicit(&x, memory_order_relaxed)
#endif

static atomic_int y, a, b;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static int flag(void)
{
    return atomic_load_explicit(&y, memory_order_relaxed);
}

#if defined ONCE /* the function happens before every return */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void init(void)
{
    SET(1);
}
static void *one(void *p)
{
    pthread_once(&once, init);
    assert(GET() == 1);
    return p;
}
#define two one

#elif defined POLL /* that finds data comes after their write */
static int ends[2];
static void *one(void *p)
{
    SET(1);
    assert(write(ends[1], "a", 1) == 1);
    return p;
}
static void *two(void *p)
{
    struct pollfd wanted = {ends[0], POLLIN, 0};
    if (poll(&wanted, 1, 0) == 1)
        assert(GET() == 1);
    return p;
}

#elif defined SEM
static sem_t sem;
static void *one(void *p)
{
    SET(1);
    sem_post(&sem);
    return p;
}
static void *two(void *p)
{
    sem_wait(&sem);
    assert(GET() == 1);
    return p;
}

#elif defined BARRIER
static pthread_barrier_t barrier;
static void *one(void *p)
{
    SET(1);
    pthread_barrier_wait(&barrier);
    return p;
}
static void *two(void *p)
{
    pthread_barrier_wait(&barrier);
    assert(GET() == 1);
    return p;
}

#elif defined TRYWR /* that fails orders nothing */
static void *one(void *p)
{
    SET(1);
    pthread_rwlock_wrlock(&rw);
    pthread_rwlock_unlock(&rw);
    return p;
}
static void *two(void *p)
{
    if (pthread_rwlock_trywrlock(&rw) == 0)
        pthread_rwlock_unlock(&rw);
    else
        assert(GET() == 1);
    return p;
}

#elif defined TRYWR_READ /* the same where a reader holds it */
static void *one(void *p)
{
    SET(1);
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_unlock(&rw);
    return p;
}
static void *two(void *p)
{
    if (pthread_rwlock_trywrlock(&rw) == 0)
        pthread_rwlock_unlock(&rw);
    else
        assert(GET() == 1);
    return p;
}

#elif defined READERS || defined WRITER /* a reader's unlock is for writers */
static void *one(void *p)
{
    pthread_rwlock_rdlock(&rw);
    SET(1);
    pthread_rwlock_unlock(&rw);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return p;
}
static void *two(void *p)
{
    if (!flag())
        return p;
#ifdef WRITER
    pthread_rwlock_wrlock(&rw);
#else
    pthread_rwlock_rdlock(&rw);
#endif
    assert(GET() == 1);
    pthread_rwlock_unlock(&rw);
    return p;
}

#else /* store buffering, with something between the store and the load */
typedef struct side {
    pthread_mutex_t mutex;
    pthread_spinlock_t spin;
    pthread_cond_t cond;
} side;
static side sides[2];
#if defined SPIN
#define BEFORE(s) pthread_spin_lock(&(s)->spin)
#define BEHIND(s) pthread_spin_unlock(&(s)->spin)
#elif defined MUTEX
#define BEFORE(s) pthread_mutex_lock(&(s)->mutex)
#define BEHIND(s) pthread_mutex_unlock(&(s)->mutex)
#elif defined NESTED
#define BEFORE(s) pthread_mutex_lock(&(s)->mutex)
#define BEHIND(s) (pthread_mutex_lock(&(s)->mutex), pthread_mutex_unlock(&(s)->mutex))
#define AT_END(s) pthread_mutex_unlock(&(s)->mutex)
#else
#define BEFORE(s) (void)(s)
#define BEHIND(s) pthread_cond_signal(&(s)->cond)
#endif
#ifndef AT_END
#define AT_END(s) (void)(s)
#endif
static void *one(void *p)
{
    BEFORE(&sides[0]);
    SET(1);
    BEHIND(&sides[0]);
    atomic_store_explicit(&a, flag(), memory_order_relaxed);
    AT_END(&sides[0]);
    return p;
}
static void *two(void *p)
{
    BEFORE(&sides[1]);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    BEHIND(&sides[1]);
    atomic_store_explicit(&b, GET(), memory_order_relaxed);
    AT_END(&sides[1]);
    return p;
}
#define BUFFERS
#endif

int main(void)
{
    pthread_t s, t;
#ifdef POLL
    assert(pipe(ends) == 0);
#elif defined SEM
    sem_init(&sem, 0, 0);
#elif defined BARRIER
    pthread_barrier_init(&barrier, 0, 2);
#elif defined BUFFERS
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&sides[i].mutex, &attr);
        pthread_spin_init(&sides[i].spin, 0);
        pthread_cond_init(&sides[i].cond, 0);
    }
#endif
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
#ifdef BUFFERS
    assert(a || b);
#endif
    (void)rw, (void)flag;
    return 0;
}
