/* poolproof: what the harnesses compare, in words.
 * SPDX-License-Identifier: MIT */
#ifndef PP_SAY_H
#define PP_SAY_H

#include "case.h"

enum { PP_SAY_ROOM = 160 }; /* bytes that each text fits in */

/* "OVER_CAP"; "an unknown status" for what is none. */
const char *pp_say_status(pp_status status);

/* "item 2 (size 8, align 1, class 0, span [0, 3])"; the class and span of an
 * arena's items only. Returns text, of PP_SAY_ROOM bytes. */
const char *pp_say_item(const pp_case *c, size_t item, char *text);

/* "SHARED_BYTES of items 0 and 2, bytes [4, 8)". Returns text as above. */
const char *pp_say_violation(const pp_violation *violation, char *text);

#endif
