/* SPDX-License-Identifier: Apache-2.0 */
/* What preprocessed tasks for 32-bit machines declare, in short. */
typedef unsigned int size_t;
typedef unsigned long int pthread_t;
union pthread_attr_t {
    char __size[36];
    long int __align;
};
typedef union pthread_attr_t pthread_attr_t;
typedef union {
    char __size[24];
    long int __align;
} pthread_mutex_t;
typedef union {
    char __size[4];
    long int __align;
} pthread_mutexattr_t;
typedef union {
    char __size[16];
    long int __align;
} sem_t;
enum { PTHREAD_MUTEX_RECURSIVE_NP = 1 };
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int sem_init(sem_t *, int, unsigned int);
extern int sem_wait(sem_t *);
extern int sem_post(sem_t *);
extern void *malloc(size_t);
extern void free(void *);
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
