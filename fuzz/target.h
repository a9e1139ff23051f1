/* poolproof: what the fuzz targets have in common.
 *
 * A target is LLVMFuzzerTestOneInput in a file of its own. It returns 0
 * whatever the input, and aborts after one sentence on standard error when
 * the project is at fault. None keeps state: the same bytes do the same.
 * When the environment variable PP_TARGET_STATS names a file, a process that
 * ends normally adds a line to it: its name, inputs, inputs compared.
 * SPDX-License-Identifier: MIT */
#ifndef PP_TARGET_H
#define PP_TARGET_H

#include "format.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Those that have something to find out before the first input do it here; the
 * input finds it out where this was not called. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { PP_TARGET_ITEMS = 256 }; /* more are left to `poolproof fuzz` */

/* Inputs of this process; and how many of them were what the target is about
 * (planned and compared, checked, printed and read again) and not only
 * refused: without this, a corpus that nobody can read any more would pass. */
extern size_t pp_target_ran;
extern size_t pp_target_compared;

/* The first thing that a target does with an input. */
void pp_target_begin(void);

/* This input was compared; saying so again changes nothing. */
void pp_target_compare(void);

/* Prints the sentence and aborts. */
_Noreturn void pp_target_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* What targets run on, a bit each by pp_backend_id: those of the environment
 * variable PP_TARGET_BACKENDS ("all", or names with commas between them), cc
 * and multidev_cc without it. They are looked for once. One that is named and
 * not here ends the process with status 2 and a sentence. */
unsigned pp_target_backends(void);

/* Reads the input as a problem of at most PP_TARGET_ITEMS items; false (and
 * problem empty) when it is none. */
bool pp_target_problem(const uint8_t *data, size_t size, pp_problem *problem);

/* Both planners on the input, a problem file, planned as `kind`. */
void pp_target_plan(pp_kind kind, const uint8_t *data, size_t size);

/* Any bytes to the parser of this format (JSON's begin with a brace): what
 * parses as a problem prints and parses again to the same, layouts are read,
 * and memory stays within reason. */
void pp_target_parse(pp_format format, const uint8_t *data, size_t size);

#endif
