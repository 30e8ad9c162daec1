/* SPDX-License-Identifier: Apache-2.0 */
/* image.o: linked into every image; registers its site table. */
#include "wire/hooks.h"

extern const wire_site __start_treadle_sites[] __attribute__((visibility("hidden")));
extern const wire_site __stop_treadle_sites[] __attribute__((visibility("hidden")));

/* A record of its own, of the unknown place, so that no table is empty. */
__attribute__((section(WIRE_SITE_SECTION), used)) static const wire_site nowhere;

__attribute__((constructor(101))) static void mark(void)
{
    __treadle_image(__start_treadle_sites, __stop_treadle_sites);
}
