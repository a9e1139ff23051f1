#include "edit_sketch.h"

#include "routine_shrink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool pp_sketch_open(pp_sketch *sketch, const pp_routine *routine,
                    const pp_routine *other, pp_random *random) {
  size_t nodes = routine->nodes + (other ? other->nodes : 0) + PP_SKETCH_NEW;
  size_t statements =
      routine->statements + (other ? other->statements : 0) + PP_SKETCH_NEW;
  *sketch =
      (pp_sketch){.random = random,
                  .nodes = routine->nodes,
                  .node_room = nodes,
                  .node = malloc(nodes * sizeof *sketch->node),
                  .statements = routine->statements,
                  .statement_room = statements,
                  .statement = malloc(statements * sizeof *sketch->statement)};
  if (!sketch->node || !sketch->statement) return false;
  if (routine->nodes > 0)
    memcpy(sketch->node, routine->node, routine->nodes * sizeof(pp_node));
  if (routine->statements > 0)
    memcpy(sketch->statement, routine->statement,
           routine->statements * sizeof(pp_statement));
  return true;
}

void pp_sketch_close(pp_sketch *sketch) {
  free(sketch->node);
  free(sketch->statement);
  pp_routine_free(sketch->spliced);
}

static bool has_uid(const pp_sketch *sketch, uint64_t uid) {
  for (size_t i = 0; i < sketch->nodes; i++)
    if (sketch->node[i].uid == uid) return true;
  return false;
}

static bool has_label(const pp_sketch *sketch, const char *label) {
  for (size_t i = 0; i < sketch->nodes; i++)
    if (strcmp(sketch->node[i].label, label) == 0) return true;
  return false;
}

size_t pp_sketch_node(pp_sketch *sketch, const pp_node *node) {
  if (sketch->nodes == sketch->node_room) return SIZE_MAX;
  pp_node copy = *node;
  for (size_t k = sketch->nodes; has_uid(sketch, copy.uid); k++)
    copy.uid = k;
  for (size_t k = sketch->nodes; has_label(sketch, copy.label); k++)
    (void)snprintf(copy.label, sizeof copy.label, "n%zu", k);
  sketch->node[sketch->nodes] = copy;
  return sketch->nodes++;
}

bool pp_sketch_insert(pp_sketch *sketch, size_t at,
                      const pp_statement *statement) {
  if (sketch->statements == sketch->statement_room) return false;
  pp_statement copy = *statement;
  memmove(&sketch->statement[at + 1], &sketch->statement[at],
          (sketch->statements - at) * sizeof *sketch->statement);
  sketch->statement[at] = copy;
  sketch->statements++;
  return true;
}

void pp_sketch_drop(pp_sketch *sketch, size_t from, size_t to) {
  memmove(&sketch->statement[from], &sketch->statement[to],
          (sketch->statements - to) * sizeof *sketch->statement);
  sketch->statements -= to - from;
}

bool pp_sketch_uses(const pp_statement *statement, size_t node) {
  for (unsigned r = 0; r < statement->reads; r++)
    if (statement->read[r].node == node) return true;
  return statement->kind != PP_BARRIER && statement->target.node == node;
}

void pp_sketch_drop_node(pp_sketch *sketch, size_t node) {
  for (size_t k = 0; k < sketch->statements; k++)
    if (pp_sketch_uses(&sketch->statement[k], node)) return;
  memmove(&sketch->node[node], &sketch->node[node + 1],
          (sketch->nodes - node - 1) * sizeof *sketch->node);
  sketch->nodes--;
  for (size_t k = 0; k < sketch->statements; k++) {
    pp_statement *statement = &sketch->statement[k];
    if (statement->target.node > node) statement->target.node--;
    for (unsigned r = 0; r < statement->reads; r++)
      if (statement->read[r].node > node) statement->read[r].node--;
  }
}

/* The sketch's own node of that label and shape, or SIZE_MAX. */
static size_t find_like(const pp_sketch *sketch, const pp_node *node) {
  for (size_t i = 0; i < sketch->nodes; i++) {
    const pp_node *own = &sketch->node[i];
    if (strcmp(own->label, node->label) == 0 && own->dtype == node->dtype &&
        own->rank == node->rank &&
        memcmp(own->dims, node->dims, sizeof own->dims) == 0)
      return i;
  }
  return SIZE_MAX;
}

void pp_sketch_append(pp_sketch *sketch, const pp_routine *routine,
                      bool share) {
  size_t *index = calloc(routine->nodes + 1, sizeof *index);
  bool room =
      sketch->node_room - sketch->nodes >= routine->nodes &&
      sketch->statement_room - sketch->statements >= routine->statements;
  if (index && room) {
    for (size_t i = 0; i < routine->nodes; i++) {
      index[i] = share ? find_like(sketch, &routine->node[i]) : SIZE_MAX;
      if (index[i] == SIZE_MAX)
        index[i] = pp_sketch_node(sketch, &routine->node[i]);
    }
    for (size_t k = 0; k < routine->statements; k++) {
      pp_statement statement = routine->statement[k];
      if (statement.kind != PP_BARRIER)
        statement.target.node = index[statement.target.node];
      for (unsigned r = 0; r < statement.reads; r++)
        statement.read[r].node = index[statement.read[r].node];
      (void)pp_sketch_insert(sketch, sketch->statements, &statement);
    }
  }
  free(index);
}

/* Makes the node's span, if it has one, hold its accesses. */
static void mend_span(pp_sketch *sketch, size_t index) {
  pp_node *node = &sketch->node[index];
  bool used = false;
  uint64_t position = 0;
  if (!node->has_span) return;
  for (size_t k = 0; k < sketch->statements; k++) {
    const pp_statement *statement = &sketch->statement[k];
    if (k > 0 && !statement->joins) position++;
    if (!pp_sketch_uses(statement, index)) continue;
    if (!used && position < node->lo) node->lo = position;
    if (position > node->hi) node->hi = position;
    used = true;
  }
  node->has_span = used;
}

static pp_routine *seal(const pp_sketch *sketch, const char *name) {
  return pp_routine_from(name, sketch->node, sketch->nodes, sketch->statement,
                         sketch->statements);
}

pp_routine *pp_sketch_seal(pp_sketch *sketch, const char *name) {
  bool any = false;
  for (size_t i = 0; i < sketch->nodes; i++) {
    mend_span(sketch, i);
    any = any || sketch->node[i].has_span;
  }
  pp_routine *routine = seal(sketch, name);
  if (routine || !any) return routine;
  for (size_t i = 0; i < sketch->nodes; i++)
    sketch->node[i].has_span = false;
  return seal(sketch, name);
}
