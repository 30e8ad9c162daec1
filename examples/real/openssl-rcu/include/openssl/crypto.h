/* SPDX-License-Identifier: Apache-2.0 */
/* As much of OpenSSL as its locks for reading and copying (RCU) need. */
#pragma once

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define OPENSSL_THREADS
#define OPENSSL_SYS_UNIX
#define OPENSSL_zalloc(n) calloc(1, n)
#define OPENSSL_free free
#define OPENSSL_assert(x) ((x) ? (void)0 : abort())
#define ossl_unused __attribute__((unused))
#define ossl_inline inline
#define __owur

typedef struct ossl_lib_ctx_st OSSL_LIB_CTX;
typedef void CRYPTO_RWLOCK;
typedef pthread_once_t CRYPTO_ONCE;
typedef pthread_key_t CRYPTO_THREAD_LOCAL;
typedef pthread_t CRYPTO_THREAD_ID;
