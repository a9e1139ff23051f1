/* poolproof: the model and the operations of programs.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MODEL_STEP_H
#define PP_MODEL_STEP_H

#include "model.h"
#include "program.h"

/* A transfer's other end. host: `bytes` bytes to be uploaded; cell: where a
 * download's value goes. Both are read for these verbs alone. */
typedef struct pp_model_host {
  const void *from;
  uint64_t bytes;
  const pp_cell *cell;
} pp_model_host;

/* Is the operation to be skipped, since a context that it needs is not there,
 * or one that it makes is? */
bool pp_model_skips(const pp_model *model, const pp_operation *operation);

/* Does an operation that is neither skipped nor a fault. */
pp_status pp_model_step(pp_model *model, const pp_program *program,
                        const pp_operation *operation, pp_model_host *host);

/* Arms the fault besides those that are still to come, all counted on from
 * here; NULL: none, and those to come are forgotten. What is armed then is in
 * model->fault. A fault too many is forgotten. */
void pp_model_fault(pp_model *model, const pp_fault *fault);

#endif
