/* poolproof: edits of a problem, and of a layout of it if there is one.
 * SPDX-License-Identifier: MIT */
#ifndef PP_EDIT_H
#define PP_EDIT_H

#include "random.h"
#include "spoil.h"

enum { PP_EDIT_ITEMS = 64 }; /* edits do not add items beyond these */

typedef struct pp_editing {
  pp_random *random;
  pp_case c;
  bool has_claim;
  pp_claim claim; /* room for PP_EDIT_ITEMS more items than there were */
} pp_editing;

/* Starts from a problem and, unless NULL, a layout of it. False: no memory;
 * close it all the same. */
bool pp_editing_open(pp_editing *editing, const pp_problem *problem,
                     const pp_layout *layout);

/* One edit, drawn by editing->random: spans made to touch, sizes tied, the cap
 * at a total or one beside it, classes swapped, a span dropped, items split,
 * merged, doubled, dropped, exchanged, spliced in, and more. */
void pp_edit(pp_editing *editing);

/* Appends the other's items [from, to) and where its claim has them, as far as
 * there is room. */
void pp_editing_append(pp_editing *editing, const pp_editing *other,
                       size_t from, size_t to);

/* Drops the items [from, to). */
void pp_editing_drop(pp_editing *editing, size_t from, size_t to);

void pp_editing_close(pp_editing *editing);

#endif
