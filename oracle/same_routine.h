/* poolproof: are two sealed routines the same in every field, data included?
 * SPDX-License-Identifier: MIT */
#ifndef PP_SAME_ROUTINE_H
#define PP_SAME_ROUTINE_H

#include <poolproof/routine.h>

bool pp_same_routine(const pp_routine *a, const pp_routine *b);

#endif
