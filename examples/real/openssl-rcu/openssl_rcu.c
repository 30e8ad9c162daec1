/* SPDX-License-Identifier: Apache-2.0 */
/* A reader of a value under OpenSSL's RCU lock, and a writer that replaces the value, waits for readers,
 * and frees the old one. */
#include "threads_pthread.c"

static struct ossl_lib_ctx_st {
    CRYPTO_THREAD_LOCAL key;
} context;

static CRYPTO_RCU_LOCK *lock;
static int *shared;

CRYPTO_THREAD_LOCAL *ossl_lib_ctx_get_rcukey(OSSL_LIB_CTX *ctx)
{
    return &ctx->key;
}

OSSL_LIB_CTX *ossl_lib_ctx_get_concrete(OSSL_LIB_CTX *ctx)
{
    return ctx;
}

/* What is left when threads end does not matter here. */
int ossl_init_thread_start(const void *index, void *arg, OSSL_thread_stop_handler_fn fn)
{
    return 1;
}

static void *reader(void *arg)
{
    ossl_rcu_read_lock(lock);
    int *p = ossl_rcu_uptr_deref((void **)&shared);
    assert(*p == 1 || *p == 2);
    ossl_rcu_read_unlock(lock);
    return arg;
}

static void *writer(void *arg)
{
    int *fresh = malloc(sizeof *fresh), *old;
    *fresh = 2;
    ossl_rcu_write_lock(lock);
    old = ossl_rcu_uptr_deref((void **)&shared);
    ossl_rcu_assign_uptr((void **)&shared, (void **)&fresh);
    ossl_rcu_write_unlock(lock);
    ossl_synchronize_rcu(lock);
    free(old);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_key_create(&context.key, NULL);
    lock = ossl_rcu_lock_new(1, &context);
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
