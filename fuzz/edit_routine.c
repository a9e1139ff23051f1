#include "edit_routine.h"

#include <stdlib.h>
#include <string.h>

#include "edit_sketch.h"
#include "routines.h"

static pp_routine *edit_once(const pp_routine *routine, pp_random *random) {
  pp_sketch sketch;
  pp_routine *after = NULL;
  if (pp_sketch_open(&sketch, routine, NULL, random)) {
    pp_sketch_edit(&sketch);
    after = pp_sketch_seal(&sketch, routine->name);
  }
  pp_sketch_close(&sketch);
  return after;
}

pp_routine *pp_edit_routine(const pp_routine *routine, pp_random *random) {
  enum { EDITS = 4, TRIES = 16 };
  pp_routine *best = NULL;
  uint64_t wanted = 1 + pp_random_below(random, EDITS);
  for (unsigned k = 0; wanted > 0 && k < TRIES; k++) {
    pp_routine *next = edit_once(best ? best : routine, random);
    if (!next) continue;
    pp_routine_free(best);
    best = next;
    wanted--;
  }
  return best;
}

/* What the sketch, of a, becomes. */
static void cross(pp_sketch *sketch, const pp_routine *b) {
  pp_random *random = sketch->random;
  size_t n = sketch->statements;
  size_t kept = n - (size_t)pp_random_below(random, n / 2 + 1);
  size_t skipped = (size_t)pp_random_below(random, b->statements / 2 + 1);
  pp_sketch_append(sketch, b, !pp_random_one_in(random, 4));
  if (sketch->statements == n) return;
  pp_sketch_drop(sketch, kept, n + skipped);
  for (size_t i = sketch->nodes; i > 0; i--)
    if (pp_random_one_in(random, 2)) pp_sketch_drop_node(sketch, i - 1);
}

pp_routine *pp_cross_routines(const pp_routine *a, const pp_routine *b,
                              pp_random *random) {
  enum { TRIES = 8 };
  pp_routine *child = NULL;
  for (unsigned k = 0; !child && k < TRIES; k++) {
    pp_sketch sketch;
    if (pp_sketch_open(&sketch, a, b, random)) {
      cross(&sketch, b);
      child = pp_sketch_seal(&sketch, a->name);
    }
    pp_sketch_close(&sketch);
  }
  return child;
}

pp_routine *pp_small_routine(pp_random *random) {
  pp_routine_limits limits = {.nodes = 1 + pp_random_below(random, 4)};
  limits.statements = 1 + pp_random_below(random, 4);
  limits.extent = 1 + pp_random_below(random, 6);
  limits.source = pp_random_one_in(random, 2);
  limits.wild = pp_random_one_in(random, 4);
  pp_routine *routine = NULL;
  (void)pp_random_routine(random, &limits, &routine, NULL);
  return routine;
}

pp_routine *pp_rename_routine(const pp_routine *routine, const char *name) {
  pp_sketch sketch;
  pp_routine *renamed = NULL;
  if (pp_sketch_open(&sketch, routine, NULL, NULL))
    renamed = pp_sketch_seal(&sketch, name);
  pp_sketch_close(&sketch);
  return renamed;
}
