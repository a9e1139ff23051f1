/* poolproof: the shadow-owner run of a layout that was linked (ORC-1).
 * SPDX-License-Identifier: MIT */
#include "run_owners.h"

#include "ref/shadow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first byte of the pool when all stand one after the other. */
static uint64_t base_of(const pp_pool_info *pool, size_t pools, uint64_t id) {
  uint64_t base = 0;
  for (size_t k = 0; k < pools && pool[k].id != id; k++)
    base += pool[k].bytes;
  return base;
}

static void find(const pp_context *context, const pp_routine *routine,
                 const pp_pool_info *pool, size_t pools, pp_places *places) {
  places->bytes = base_of(pool, pools, UINT64_MAX);
  for (size_t i = 0; i < routine->nodes; i++) {
    const pp_node *node = &routine->node[i];
    pp_location at;
    if ((node->intents & PP_MERGE) == 0 &&
        pp_context_location(context, node->uid, &at)) {
      places->place[i] = base_of(pool, pools, at.pool) + at.offset;
    } else {
      places->place[i] = places->bytes;
      places->bytes += pp_node_bytes(node);
    }
  }
}

pp_status pp_places_find(const pp_context *context, const pp_routine *routine,
                         pp_places *places) {
  pp_backend *backend = pp_context_backend(context);
  size_t ordinal = pp_context_ordinal(context);
  size_t pools = 0;
  pp_device_pools(backend, ordinal, NULL, 0, &pools);
  pp_pool_info *pool = malloc((pools + 1) * sizeof *pool);
  *places = (pp_places){.nodes = routine->nodes};
  places->place = malloc((routine->nodes + 1) * sizeof *places->place);
  if (pool && places->place) {
    pp_device_pools(backend, ordinal, pool, pools, &pools);
    find(context, routine, pool, pools, places);
  }
  bool good = pool && places->place;
  free(pool);
  if (!good) pp_places_free(places);
  return good ? PP_OK : PP_NO_MEMORY;
}

void pp_places_free(pp_places *places) {
  free(places->place);
  *places = (pp_places){0};
}

bool pp_places_same(const pp_places *a, const pp_places *b) {
  return a->nodes == b->nodes && a->bytes == b->bytes &&
         memcmp(a->place, b->place, a->nodes * sizeof *a->place) == 0;
}

static double extents(const pp_statement *statement, unsigned from,
                      unsigned axes) {
  double points = 1;
  for (unsigned a = from; a < from + axes; a++)
    points *= (double)statement->extent[a];
  return points;
}

static double statement_reads(const pp_statement *statement) {
  double points[PP_AXES + 1] = {extents(statement, 0, statement->axes)};
  double reads = statement->fold != PP_FOLD_SET ? points[0] : 0;
  unsigned depth = 0;
  for (unsigned k = 0; k < statement->steps; k++) {
    const pp_step *step = &statement->step[k];
    if (step->op == PP_OP_LOAD) reads += points[depth];
    if (step->op == PP_OP_NEXT) depth--;
    if (step->op != PP_OP_LOOP) continue;
    points[depth + 1] =
        points[depth] * extents(statement, step->axis, step->axes);
    depth++;
  }
  return reads;
}

double pp_owners_reads(const pp_routine *routine) {
  double reads = 0;
  for (size_t k = 0; k < routine->statements; k++)
    if (routine->statement[k].kind != PP_BARRIER)
      reads += statement_reads(&routine->statement[k]);
  return reads;
}

static void say(const pp_routine *routine, const pp_ref_trespass *trespass,
                char text[PP_FAILURE_TEXT]) {
  char reader[40] = "the host";
  char owner[PP_LABEL + 24] = "nobody wrote";
  if (trespass->statement < routine->statements)
    (void)snprintf(reader, sizeof reader, "statement %zu", trespass->statement);
  if (trespass->found.version != 0)
    (void)snprintf(owner, sizeof owner, "%s wrote last",
                   routine->node[trespass->found.node].label);
  (void)snprintf(text, PP_FAILURE_TEXT,
                 "%s %s byte %" PRIu64 " of %s, which %s (ORC-1)", reader,
                 trespass->writes ? "folds into" : "reads", trespass->byte,
                 routine->node[trespass->node].label, owner);
}

static bool new_latest(const pp_routine *routine, uint64_t **latest) {
  for (size_t i = 0; i < routine->nodes; i++) {
    latest[i] = calloc(pp_node_bytes(&routine->node[i]) + 1, sizeof *latest[i]);
    if (!latest[i]) return false;
  }
  return true;
}

/* What the host may ask for, and did not lose to others. */
static bool read_back(const pp_routine *routine, const pp_ref_shadow *shadow,
                      pp_ref_trespass *first) {
  for (size_t i = 0; i < routine->nodes; i++)
    if ((routine->node[i].intents & (PP_OBSERVABLE | PP_HOST)) != 0 &&
        !pp_ref_shadow_read(shadow, i, first))
      return false;
  return true;
}

static void run(const pp_routine *routine, pp_ref_shadow *shadow,
                char text[PP_FAILURE_TEXT]) {
  pp_ref_trespass first;
  for (size_t i = 0; i < routine->nodes; i++)
    if (!routine->node[i].has_span) pp_ref_shadow_fill(shadow, i);
  for (int backwards = 0; backwards < 2; backwards++)
    if (!pp_ref_shadow_run(shadow, backwards != 0, &first) ||
        !read_back(routine, shadow, &first)) {
      say(routine, &first, text);
      return;
    }
}

pp_status pp_owners_run(const pp_routine *routine, const pp_places *places,
                        char text[PP_FAILURE_TEXT]) {
  pp_ref_tag *tag = calloc(places->bytes + 1, sizeof *tag);
  uint64_t **latest = calloc(routine->nodes + 1, sizeof(uint64_t *));
  bool good = tag && latest && new_latest(routine, latest);
  text[0] = '\0';
  if (good)
    run(routine,
        &(pp_ref_shadow){.node = routine->node,
                         .nodes = routine->nodes,
                         .statement = routine->statement,
                         .statements = routine->statements,
                         .place = places->place,
                         .tag = tag,
                         .latest = latest},
        text);
  for (size_t i = 0; latest && i < routine->nodes; i++)
    free(latest[i]);
  free((void *)latest);
  free(tag);
  return good ? PP_OK : PP_NO_MEMORY;
}
