/* poolproof: what the fuzz targets have in common.
 *
 * A target is LLVMFuzzerTestOneInput in a file of its own. It returns 0
 * whatever the input, and aborts after one sentence on standard error when
 * the project is at fault. None keeps state: the same bytes do the same.
 * SPDX-License-Identifier: MIT */
#ifndef PP_TARGET_H
#define PP_TARGET_H

#include "format.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PP_TARGET_ITEMS = 256 }; /* more are left to `poolproof fuzz` */

/* How many inputs were what the target is about (planned and compared,
 * checked, printed and read again) and not only refused: without this, a
 * corpus that nobody can read any more would pass. */
extern size_t pp_target_compared;

/* Prints the sentence and aborts. */
_Noreturn void pp_target_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Reads the input as a problem of at most PP_TARGET_ITEMS items; false (and
 * problem empty) when it is none. */
bool pp_target_problem(const uint8_t *data, size_t size, pp_problem *problem);

/* Both planners on the input, a problem file, planned as `kind`. */
void pp_target_plan(pp_kind kind, const uint8_t *data, size_t size);

/* Any bytes to the parsers: what parses as a problem of this format prints and
 * parses again to the same, and memory stays within reason. */
void pp_target_parse(pp_format format, const uint8_t *data, size_t size);

#endif
