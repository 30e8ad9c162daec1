#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the tests and runs them: whatever a project does.
gcc -g -O1 $(pkg-config --cflags glib-2.0) counter.c -o counter $(pkg-config --libs glib-2.0) && ./counter
