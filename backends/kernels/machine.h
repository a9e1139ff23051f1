/* poolproof: the tiled expression machine: runs code on this processor.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MACHINE_H
#define PP_MACHINE_H

#include "kernels/code.h"

/* The same source, compiled for what any processor of the kind has and for
 * x86-64-v3, the better one last. All compute the same bits (BKD-6). */
typedef enum pp_machine {
  PP_MACHINE_PORTABLE,
  PP_MACHINE_V3,
  PP_MACHINE_COUNT
} pp_machine;

/* Is it built in, and can this processor run it? */
bool pp_machine_available(pp_machine machine);

/* Runs all statements in order. operand[i] are the bytes of node i, at any
 * address; at least code->operand_bytes[i] of them. Allocates nothing and
 * cannot fail; takes the best machine there is. */
void pp_machine_run(const pp_code *code, unsigned char *const *operand);

/* The same on one that is available. */
void pp_machine_run_on(pp_machine machine, const pp_code *code,
                       unsigned char *const *operand);

#endif
