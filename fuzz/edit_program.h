/* poolproof: edits of a program.  SPDX-License-Identifier: MIT */
#ifndef PP_EDIT_PROGRAM_H
#define PP_EDIT_PROGRAM_H

#include "program.h"
#include "random.h"

/* One to four edits that random draws: operations dropped, doubled, exchanged,
 * spliced in; contexts, routines, devices, uids, seeds, sizes, caps, options
 * changed; faults put in, moved, of another call; a release done again; a
 * routine edited. What it prints can be read. False: no memory; the program may
 * then only be freed. */
bool pp_edit_program(pp_program *program, pp_random *random);

/* The first operations of program, then the last ones of other, on contexts of
 * one name, perhaps with routines of one name. False: as above. */
bool pp_cross_programs(pp_program *program, const pp_program *other,
                       pp_random *random);

/* A generated one of a few steps, in a zeroed or valid program. False: no
 * memory. */
bool pp_small_program(pp_program *program, pp_random *random);

#endif
