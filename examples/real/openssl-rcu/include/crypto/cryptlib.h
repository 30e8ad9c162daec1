/* SPDX-License-Identifier: Apache-2.0 */
/* What the harness provides. */
#pragma once

#include <openssl/crypto.h>

typedef void (*OSSL_thread_stop_handler_fn)(void *arg);

CRYPTO_THREAD_LOCAL *ossl_lib_ctx_get_rcukey(OSSL_LIB_CTX *ctx);
OSSL_LIB_CTX *ossl_lib_ctx_get_concrete(OSSL_LIB_CTX *ctx);
int ossl_init_thread_start(const void *index, void *arg, OSSL_thread_stop_handler_fn fn);
void *CRYPTO_THREAD_get_local(CRYPTO_THREAD_LOCAL *key);
int CRYPTO_THREAD_set_local(CRYPTO_THREAD_LOCAL *key, void *value);
CRYPTO_RWLOCK *CRYPTO_THREAD_lock_new(void);
