/* poolproof: what the replay's files share.  SPDX-License-Identifier: MIT */
#ifndef PP_REPLAY_PARTS_H
#define PP_REPLAY_PARTS_H

#include "model_step.h"
#include "replay.h"

/* context  of the runtime, beside the model's; NULL: not made
 * ending   the program is over: steps are made up */
typedef struct pp_replayer {
  const pp_program *program;
  pp_backend *backend;
  pp_model *model;
  pp_context **context;
  const pp_operation *operation;
  pp_operation own; /* an operation that the program does not have */
  size_t step;
  bool ending;
  FILE *log;
  pp_replay *replay;
} pp_replayer;

/* Writes the sentence: the step, and what is wrong. Returns PP_DISAGREE. */
pp_verdict pp_replay_differs(pp_replayer *replayer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Looks for a breach of the backend's contract, which comes before whatever
 * else is wrong. */
pp_verdict pp_replay_check_breach(pp_replayer *replayer);

/* Compares all that can be asked after a step. */
pp_verdict pp_replay_check(pp_replayer *replayer);

/* Compares where the context's nodes are, and which share bytes. */
pp_verdict pp_replay_check_nodes(pp_replayer *replayer, size_t context);

#endif
