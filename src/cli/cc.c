/* SPDX-License-Identifier: Apache-2.0 */
/* treadle-cc, which `treadle cc` becomes. A program of its own: loading LLVM takes longer than
 * many a session. */
#include "instrument/instrument.h"

int main(int argc, char **argv)
{
    return ins_cc_main(argc, argv);
}
