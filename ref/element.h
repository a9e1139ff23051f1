/* poolproof reference: where the elements are that statements access, for the
 * interpreter and the shadow run. Not proved: tests hold it.
 * SPDX-License-Identifier: MIT */
#ifndef PP_REF_ELEMENT_H
#define PP_REF_ELEMENT_H

#include "types.h"

/* Bytes of one element. */
static inline uint64_t pp_ref_width(pp_dtype dtype) {
  static const uint64_t widths[PP_DTYPE_COUNT] = {
#define PP_WIDTH(NAME, name, type, kind) [PP_##NAME] = sizeof(type),
      PP_DTYPES(PP_WIDTH)
#undef PP_WIDTH
  };
  return widths[dtype];
}

/* Bytes from the node's first to the element that the access names when the
 * statement's `axes` axes, inner ones included, are at those counters. */
static inline uint64_t pp_ref_element(const pp_node *node,
                                      const pp_access *access, unsigned axes,
                                      const uint64_t *counter) {
  uint64_t at = 0;
  for (unsigned d = 0; d < node->rank; d++) {
    int64_t index = access->index[d].base;
    for (unsigned a = 0; a < axes; a++)
      index += access->index[d].scale[a] * (int64_t)counter[a];
    at = at * node->dims[d] + (uint64_t)index;
  }
  return at * pp_ref_width(node->dtype);
}

/* Are there points of the axes [axis, end)? */
static inline bool pp_ref_has_points(const uint64_t *extent, unsigned axis,
                                     unsigned end) {
  for (unsigned a = axis; a < end; a++)
    if (extent[a] == 0) return false;
  return true;
}

/* Moves the counters of the axes [axis, end) to the next point in row-major
 * order; after the last one to the first, and answers false. */
static inline bool pp_ref_next_point(const uint64_t *extent, uint64_t *counter,
                                     unsigned axis, unsigned end) {
  for (unsigned a = end; a > axis; a--) {
    if (++counter[a - 1] < extent[a - 1]) return true;
    counter[a - 1] = 0;
  }
  return false;
}

/* The step that ends the loop which step `at` begins. */
static inline unsigned pp_ref_loop_end(const pp_statement *s, unsigned at) {
  unsigned open = 1;
  while (open > 0) {
    at++;
    if (s->step[at].op == PP_OP_LOOP) open++;
    if (s->step[at].op == PP_OP_NEXT) open--;
  }
  return at;
}

#endif
