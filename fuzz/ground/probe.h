/* poolproof: what planted faults and checks tell whoever planted the fault.
 *
 * All of it lies in the file that the variable PP_PROBE names, as numbers of
 * 64 bits in the order of pp_probe, shared by all processes of a check and
 * readable when they have ended, however they did. Without the variable the
 * numbers are the process's own and nobody reads them. Thread-safe.
 * SPDX-License-Identifier: MIT */
#ifndef PP_PROBE_H
#define PP_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/* A fault's code is about to run. Only the first call is kept. */
void pp_probe_reached(void);

/* The check begins its next execution: a case, an input, a question, a
 * test. */
void pp_probe_case(void);

/* bad: the execution has failed. Only the first such call is kept. Returns
 * bad. */
bool pp_probe_judged(bool bad);

#endif
