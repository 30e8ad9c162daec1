/* SPDX-License-Identifier: Apache-2.0 */
/* image.o: linked into every image; registers its site table. */
#include "wire/hooks.h"

extern const wire_site __start_treadle_sites[] __attribute__((weak, visibility("hidden")));
extern const wire_site __stop_treadle_sites[] __attribute__((weak, visibility("hidden")));

__attribute__((constructor(101))) static void mark(void)
{
    if (__start_treadle_sites != __stop_treadle_sites)
        __treadle_image(__start_treadle_sites, __stop_treadle_sites);
}
