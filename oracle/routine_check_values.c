/* poolproof: what routines must compute: the interpreter's values of their
 * sources (ORC-1). SPDX-License-Identifier: MIT */
#include "routine_check_parts.h"

#include "ref/interp.h"
#include "routines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t plus(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t pp_code_work(const pp_routine *routine) {
  uint64_t work = 0;
  for (size_t i = 0; i < routine->nodes; i++)
    work = plus(work, pp_node_bytes(&routine->node[i]));
  for (size_t k = 0; k < routine->statements; k++) {
    const pp_statement *statement = &routine->statement[k];
    uint64_t points = statement->steps;
    for (unsigned a = 0; a < statement->axes + statement->inner; a++)
      points = times(points, statement->extent[a]);
    work = plus(work, points);
  }
  return work;
}

const pp_node *pp_node_of(const pp_routine *routine, uint64_t uid, bool merge) {
  for (size_t i = 0; i < routine->nodes; i++)
    if (routine->node[i].uid == uid &&
        ((routine->node[i].intents & PP_MERGE) != 0) == merge)
      return &routine->node[i];
  return NULL;
}

static unsigned char *cell_of(pp_world *world, const pp_node *node) {
  bool merge = (node->intents & PP_MERGE) != 0;
  size_t bytes = (size_t)pp_node_bytes(node);
  for (size_t c = 0; c < world->cells; c++)
    if (world->cell[c].uid == node->uid && world->cell[c].merge == merge)
      return world->cell[c].bytes;
  if (world->cells == world->room) {
    size_t room = 2 * world->room + 8;
    pp_cell *grown = realloc(world->cell, room * sizeof *grown);
    if (!grown) return NULL;
    world->cell = grown;
    world->room = room;
  }
  pp_cell *cell = &world->cell[world->cells];
  *cell = (pp_cell){node->uid, merge, calloc(1, bytes + 1)};
  if (!cell->bytes) return NULL;
  if (node->data && bytes > 0) memcpy(cell->bytes, node->data, bytes);
  world->cells++;
  return cell->bytes;
}

unsigned char **pp_world_bind(pp_world *world, const pp_routine *routine) {
  unsigned char **bytes = calloc(routine->nodes + 1, sizeof(unsigned char *));
  for (size_t i = 0; bytes && i < routine->nodes; i++) {
    bytes[i] = cell_of(world, &routine->node[i]);
    if (bytes[i]) continue;
    free((void *)bytes);
    return NULL;
  }
  return bytes;
}

void pp_world_free(pp_world *world) {
  for (size_t c = 0; c < world->cells; c++)
    free(world->cell[c].bytes);
  free(world->cell);
}

static bool is_uploaded(const pp_node *node) {
  return (node->intents & (PP_HOST | PP_CONSTANT)) == PP_HOST;
}

/* Values for what comes from outside. */
static bool draw_inputs(pp_routine_trial *trial, const pp_routine *source,
                        unsigned intent, pp_memory *memory) {
  bool wild = pp_random_one_in(&trial->random, 3);
  if (pp_memory_new(source, memory) != PP_OK) return false;
  for (size_t i = 0; i < source->nodes; i++)
    if ((source->node[i].intents & intent) != 0)
      pp_random_values(&trial->random, source->node[i].dtype, wild,
                       memory->bytes[i], pp_node_elements(&source->node[i]));
  return true;
}

static void give(const pp_routine *source, const pp_memory *from,
                 unsigned char *const *to, bool merge) {
  for (size_t i = 0; i < source->nodes; i++) {
    const pp_node *node = &source->node[i];
    if (merge ? node->intents == PP_MERGE : is_uploaded(node))
      memcpy(to[i], from->bytes[i], (size_t)pp_node_bytes(node));
  }
}

/* One source in a world of sources. */
static bool interpret(pp_routine_trial *trial, pp_world *world, size_t k,
                      pp_expected_run *run) {
  const pp_routine *source = trial->source[k];
  unsigned char **bytes = pp_world_bind(world, source);
  if (!bytes) return false;
  give(source, &trial->lent[k], bytes, true);
  if (run->uploads) give(source, &run->input, bytes, false);
  pp_ref_interp(source->node, source->statement, source->statements, bytes);
  bool good = pp_memory_new(source, &run->after) == PP_OK;
  for (size_t i = 0; good && i < source->nodes; i++)
    memcpy(run->after.bytes[i], bytes[i],
           (size_t)pp_node_bytes(&source->node[i]));
  free((void *)bytes);
  return good;
}

size_t pp_way_runs(const pp_routine_trial *trial, const pp_way *way) {
  return way->n < trial->sources ? way->n : PP_CHECK_STEPS * way->n;
}

bool pp_expect(pp_routine_trial *trial) {
  pp_world world = {0};
  bool good = true;
  for (size_t k = 0; good && k < trial->sources; k++)
    good = draw_inputs(trial, trial->source[k], PP_MERGE, &trial->lent[k]);
  for (size_t r = 0; good && r < PP_CHECK_STEPS * trial->sources; r++) {
    pp_expected_run *run = &trial->run[r];
    size_t k = r % trial->sources;
    run->uploads = r == 0 || pp_random_one_in(&trial->random, 2);
    good = draw_inputs(trial, trial->source[k], PP_HOST, &run->input) &&
           interpret(trial, &world, k, run);
  }
  pp_world_free(&world);
  return good || pp_trial_no_memory(trial);
}

void pp_expected_free(pp_routine_trial *trial) {
  for (size_t k = 0; k < PP_CHAIN; k++)
    pp_memory_free(&trial->lent[k]);
  for (size_t r = 0; r < PP_CHECK_RUNS; r++) {
    pp_memory_free(&trial->run[r].input);
    pp_memory_free(&trial->run[r].after);
  }
}

static void print_element(char *text, size_t size, const unsigned char *values,
                          uint64_t element, size_t width) {
  for (size_t byte = 0; byte < width; byte++)
    (void)snprintf(text + 2 * byte, size - 2 * byte, "%02x",
                   values[element * width + byte]);
}

bool pp_as_expected(pp_routine_trial *trial, size_t step, size_t k, size_t node,
                    const void *got, const char *name, const char *where) {
  const pp_node *here = &trial->source[k]->node[node];
  const unsigned char *want =
      trial->run[step * trial->sources + k].after.bytes[node];
  size_t width = pp_dtype_bytes(here->dtype);
  uint64_t first = 0;
  char is[32] = "";
  char must[32] = "";
  pp_count(trial, PP_COUNT_VALUES, 1);
  if (pp_same_values(here->dtype, got, want, pp_node_elements(here), &first))
    return true;
  print_element(is, sizeof is, got, first, width);
  print_element(must, sizeof must, want, first, width);
  return pp_trial_differs(trial,
                          "%s, %s: routine %zu, step %zu: element %" PRIu64
                          " of node %s has the bytes %s instead of %s (ORC-1)",
                          name, where, k, step, first, here->label, is, must);
}

/* One final code in a world of final codes. */
static bool interpret_final(pp_routine_trial *trial, const pp_way *way,
                            pp_world *world, size_t step, size_t k) {
  const pp_routine *source = trial->source[k];
  const pp_routine *final = way->lowered[k]->routine;
  const pp_expected_run *run = &trial->run[step * trial->sources + k];
  unsigned char **bytes = pp_world_bind(world, source);
  unsigned char **own = bytes ? pp_world_bind(world, final) : NULL;
  bool good = own || pp_trial_no_memory(trial);
  if (good) {
    give(source, &trial->lent[k], bytes, true);
    if (run->uploads) give(source, &run->input, bytes, false);
    pp_ref_interp(final->node, final->statement, final->statements, own);
  }
  for (size_t i = 0; good && i < source->nodes; i++)
    if (pp_node_of(final, source->node[i].uid,
                   (source->node[i].intents & PP_MERGE) != 0))
      good = pp_as_expected(trial, step, k, i, bytes[i], way->name,
                            "final code in the interpreter");
  free((void *)own);
  free((void *)bytes);
  return good;
}

bool pp_way_interpret(pp_routine_trial *trial, const pp_way *way) {
  pp_world world = {0};
  bool good = true;
  for (size_t r = 0; good && r < pp_way_runs(trial, way); r++)
    good = interpret_final(trial, way, &world, r / way->n, r % way->n);
  pp_world_free(&world);
  return good;
}
