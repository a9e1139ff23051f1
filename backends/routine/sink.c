/* poolproof: zeroings go to where their nodes are needed (RTN-2).
 * SPDX-License-Identifier: MIT */
#include "lowering.h"

#include "internal.h"

#include "planner/internal.h"

#include <string.h>

static bool zeroes(const pp_lowering *lowering, const pp_statement *statement) {
  return statement->kind == PP_ASSIGN && statement->steps == 1 &&
         statement->step[0].op == PP_OP_LIT && statement->step[0].bits == 0 &&
         pp_statement_fills(statement, &lowering->node[statement->target.node]);
}

/* The nearest lines after the one looked at.
 * access  of each node
 * fence   a barrier or an opaque statement; opaque: an opaque one, which may
 *         access any node */
typedef struct pp_ahead {
  size_t *access;
  size_t fence;
  size_t opaque;
} pp_ahead;

/* Before which line the zeroing of a node goes, or `at`: it stays. */
static size_t destination(const pp_ahead *ahead, size_t node, size_t at) {
  size_t needed = ahead->access[node];
  if (ahead->opaque < needed) needed = ahead->opaque;
  if (needed == SIZE_MAX) return at;
  return ahead->fence < needed ? ahead->fence : needed;
}

static void pass(pp_ahead *ahead, const pp_statement *statement, size_t at) {
  if (statement->kind != PP_ASSIGN) ahead->fence = at;
  if (statement->kind == PP_OPAQUE) ahead->opaque = at;
  if (statement->kind == PP_BARRIER) return;
  for (unsigned r = 0; r < statement->reads; r++)
    ahead->access[statement->read[r].node] = at;
  ahead->access[statement->target.node] = at;
}

/* next[i]: the zeroing that goes before the same line after line i does;
 * first[i]: the first one that goes before line i. From the last line to the
 * first, so that the lists have them in their old order. */
static void choose(pp_lowering *lowering, pp_ahead *ahead, size_t *first,
                   size_t *next, bool *moves) {
  for (size_t left = lowering->lines; left > 0; left--) {
    size_t i = left - 1;
    const pp_statement *statement = lowering->line[i];
    if (zeroes(lowering, statement)) {
      size_t to = destination(ahead, statement->target.node, i);
      moves[i] = to != i;
      if (moves[i]) {
        next[i] = first[to];
        first[to] = i;
      }
    }
    pass(ahead, statement, i);
  }
}

static void reorder(pp_lowering *lowering, const pp_statement **old,
                    const size_t *first, const size_t *next,
                    const bool *moves) {
  size_t n = lowering->lines;
  size_t at = 0;
  memcpy(old, lowering->line, n * sizeof(const pp_statement *));
  for (size_t i = 0; i < n; i++) {
    for (size_t k = first[i]; k != SIZE_MAX; k = next[k])
      lowering->line[at++] = old[k];
    if (!moves[i]) lowering->line[at++] = old[i];
  }
}

pp_status pp_sink(pp_lowering *lowering) {
  size_t n = lowering->lines;
  const pp_statement **old =
      pp_scratch_new(NULL, n, sizeof(const pp_statement *));
  size_t *link = pp_scratch_new(NULL, 2 * n, sizeof *link);
  bool *moves = pp_scratch_new(NULL, n, sizeof *moves);
  pp_ahead ahead = {pp_scratch_new(NULL, lowering->nodes, sizeof(size_t)),
                    SIZE_MAX, SIZE_MAX};
  bool room = old && link && moves && ahead.access;
  if (room) {
    memset(link, UINT8_MAX, 2 * n * sizeof *link);
    memset(moves, 0, n * sizeof *moves);
    memset(ahead.access, UINT8_MAX, lowering->nodes * sizeof(size_t));
    choose(lowering, &ahead, link, link + n, moves);
    reorder(lowering, old, link, link + n, moves);
  }
  pp_scratch_free(NULL, old);
  pp_scratch_free(NULL, link);
  pp_scratch_free(NULL, moves);
  pp_scratch_free(NULL, ahead.access);
  return room ? PP_OK : pp_lowering_no_memory(lowering);
}
