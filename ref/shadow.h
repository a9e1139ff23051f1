/* poolproof reference: the shadow-owner run of a planned layout (ORC-1).
 *
 * Nothing is computed. Each byte of the pools carries the node that wrote it
 * and the number of that write; a read of a byte that is not the node's own
 * latest is a trespass, even where the values happen to agree.
 *
 * The statements of a kernel run point by point: at each point all of them,
 * one after the other. Not proved: tests hold it.
 * SPDX-License-Identifier: MIT */
#ifndef PP_REF_SHADOW_H
#define PP_REF_SHADOW_H

#include "types.h"

/* Who wrote a byte. version 0: nobody. */
typedef struct pp_ref_tag {
  size_t node;
  uint64_t version;
} pp_ref_tag;

/* A routine on its layout. The caller gives all memory, tags and versions
 * zeroed; they stay from one run to the next.
 * place    place[i]: node i's first byte in tag; its bytes are inside
 * tag      of every byte of all pools, one after the other
 * latest   latest[i][b]: what node i last wrote to its byte b, 0: nothing
 * version  the latest write of all */
typedef struct pp_ref_shadow {
  const pp_node *node;
  size_t nodes;
  const pp_statement *statement;
  size_t statements;
  const uint64_t *place;
  pp_ref_tag *tag;
  uint64_t *const *latest;
  uint64_t version;
} pp_ref_shadow;

/* A read of a byte that is not its node's own latest.
 * statement  which read; as many as there are: the host
 * byte       of the node
 * found      whose it is
 * wanted     what the node last wrote there, 0: nothing
 * writes     it was the target, which a fold other than set reads */
typedef struct pp_ref_trespass {
  size_t statement;
  size_t node;
  uint64_t byte;
  pp_ref_tag found;
  uint64_t wanted;
  bool writes;
} pp_ref_trespass;

/* Writes all bytes of the node, as a link or an upload does. */
void pp_ref_shadow_fill(pp_ref_shadow *s, size_t node);

/* Reads all bytes of the node, as a download does. False: *first says. */
bool pp_ref_shadow_read(const pp_ref_shadow *s, size_t node,
                        pp_ref_trespass *first);

/* Runs the routine once, the points of each kernel in row-major order or
 * backwards. False: stopped at a trespass, *first says. */
bool pp_ref_shadow_run(pp_ref_shadow *s, bool backwards,
                       pp_ref_trespass *first);

#endif
