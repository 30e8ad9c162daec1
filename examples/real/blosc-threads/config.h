/* SPDX-License-Identifier: Apache-2.0
 * What cmake would write: no compressor but blosc's own. */
