/* SPDX-License-Identifier: Apache-2.0 */
/* run.sh changes this, and looks whether the harness is built again. */
#pragma once

enum { ARE_CROSSED = 0 };
