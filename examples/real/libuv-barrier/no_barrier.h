/* SPDX-License-Identifier: Apache-2.0
 * Included first: the C library looks like one without barriers. */
#include <pthread.h>
#undef PTHREAD_BARRIER_SERIAL_THREAD
