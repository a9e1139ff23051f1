/* poolproof: a program, done by the runtime and by the model at once.
 *
 * After every step both must agree: on the status, on how often each call of
 * the backend was made and which faults struck, on the live pools, their
 * bytes and the census, on what the backend says it still holds, on where
 * nodes are and which share bytes, on what was released, and, at downloads, on
 * the value. At the end faults are disarmed, every node is read, all contexts
 * are freed and the backend is torn down: nothing may be left.
 *
 * Why it holds: the model's layouts and releases are the proved reference's,
 * and its values the interpreter's; the fault backend holds the runtime to the
 * contract of backends. SPDX-License-Identifier: MIT */
#ifndef PP_REPLAY_H
#define PP_REPLAY_H

#include "program.h"

#include <stdio.h>

typedef enum pp_verdict {
  PP_AGREE,
  PP_DISAGREE,
  PP_UNDECIDED /* no memory, or a step too large for the model */
} pp_verdict;

/* What was done and compared; a replay adds to what is there. sentence is
 * written by PP_DISAGREE (what, where, which rule) and PP_UNDECIDED. */
typedef struct pp_replay {
  uint64_t programs, steps, skipped, struck, calls, values;
  char sentence[900];
} pp_replay;

/* Replays a program on `inner`, which is here, inside a fault backend. An
 * alignment that is more than its devices' counts as theirs. log: a line for
 * each step; NULL: none. */
pp_verdict pp_replay_run(const pp_program *program, pp_backend *inner,
                         FILE *log, pp_replay *replay);

#endif
