/* poolproof reference: words that several contracts share. No code.
 * SPDX-License-Identifier: MIT */
#ifndef PP_REF_LAYOUT_H
#define PP_REF_LAYOUT_H

#include "types.h"

/*@ // One past the last byte of item i, exact even past 2^64-1.
  @ logic integer End(pp_item *items, uint64_t *offset, integer i) =
  @   offset[i] + items[i].size;
  @
  @ // Byte b of its segment belongs to item i. A zero-size item has no byte.
  @ predicate Owns(pp_item *items, uint64_t *offset, integer i, integer b) =
  @   offset[i] <= b < End(items, offset, i);
  @*/

#endif
