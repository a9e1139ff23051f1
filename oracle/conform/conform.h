/* poolproof: asking an implementation all there is to ask.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CONFORM_H
#define PP_CONFORM_H

#include "conformance.h"
#include "vectors.h"
#include "waivers.h"

/* peer       the process
 * command    it, as people know it
 * plugin     command is a library
 * vectors    those to ask first, or NULL
 * waivers    or NULL
 * seconds    of fuzzing after them; 0: none
 * runs       of fuzzing at most; 0: as many as there is time for
 * seed       of the fuzzing
 * has_compare, compare   a mode that goes before the implementation's own
 * max_items  the greatest random question
 * first      stop at the first finding that is not waived
 * finds      where fuzzing writes what it found; NULL: here
 * progress   where progress is said; NULL: nowhere */
typedef struct pp_conform_options {
  pp_peer_options peer;
  const char *command;
  bool plugin;
  const pp_vectors *vectors;
  pp_waivers *waivers;
  double seconds;
  uint64_t runs;
  uint64_t seed;
  bool has_compare;
  pp_compare compare;
  size_t max_items;
  bool first;
  const char *finds;
  FILE *progress;
} pp_conform_options;

/* Asks the vectors, then random questions; judges every answer; makes what
 * fuzzing found small. The outcome is in *conformance (the caller frees it),
 * also when the process misbehaves. Returns 0, or diag's when the harness
 * itself failed. */
int pp_conform(const pp_conform_options *options, pp_conformance *conformance,
               pp_diag *diag);

/* Asks one question and judges the answer: finding->ask is set (it is copied),
 * and misdeed, said, expected, judgement are filled. Returns 0 or diag's. */
int pp_conform_one(pp_peer *peer, const pp_ask *ask, const pp_hello *hello,
                   pp_compare compare, pp_finding *finding, pp_diag *diag);

/* Makes a finding's question small, as long as the answer stays wrong in the
 * same way, with a process of its own; asks at most so many times and
 * seconds. finding becomes that of the small question. Returns 0 or diag's. */
int pp_conform_shrink(const pp_peer_options *peer, pp_compare compare,
                      pp_finding *finding, size_t tests, double seconds,
                      pp_diag *diag);

/* Is it a misdeed or a wrong answer? */
bool pp_finding_is_wrong(const pp_finding *finding);

#endif
