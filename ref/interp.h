/* poolproof reference: the interpreter of routines (ORC-1).
 *
 * Every node has its own memory; statements run one after the other, point by
 * point in row-major order, one element at a time, straight from what types.h
 * says. It reads the statements as they were built, never the flat code that
 * backends take. Not proved: tests hold it. SPDX-License-Identifier: MIT */
#ifndef PP_REF_INTERP_H
#define PP_REF_INTERP_H

#include "types.h"

/* Runs the statements of a checked routine once; bytes[i] is node i's own
 * buffer, aligned or not. */
void pp_ref_interp(const pp_node *node, const pp_statement *statement,
                   size_t statements, unsigned char *const *bytes);

#endif
