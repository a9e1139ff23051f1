#include "same_routine.h"

#include <string.h>

static bool same_node(const pp_node *a, const pp_node *b) {
  if (a->uid != b->uid || strcmp(a->label, b->label) != 0 ||
      a->dtype != b->dtype || a->rank != b->rank || a->intents != b->intents ||
      a->has_span != b->has_span || a->lo != b->lo || a->hi != b->hi ||
      (a->data == NULL) != (b->data == NULL))
    return false;
  for (unsigned d = 0; d < PP_RANK; d++)
    if (a->dims[d] != b->dims[d]) return false;
  return !a->data || memcmp(a->data, b->data, (size_t)pp_node_bytes(a)) == 0;
}

static bool same_access(const pp_access *a, const pp_access *b) {
  bool same = a->node == b->node;
  for (unsigned d = 0; d < PP_RANK; d++) {
    same = same && a->index[d].base == b->index[d].base;
    for (unsigned axis = 0; axis < PP_AXES; axis++)
      same = same && a->index[d].scale[axis] == b->index[d].scale[axis];
  }
  return same;
}

static bool same_step(const pp_step *a, const pp_step *b) {
  return a->op == b->op && a->read == b->read && a->slot == b->slot &&
         a->axis == b->axis && a->axes == b->axes && a->fold == b->fold &&
         a->bits == b->bits;
}

static bool same_statement(const pp_statement *a, const pp_statement *b) {
  bool same = a->kind == b->kind && a->joins == b->joins &&
              a->axes == b->axes && a->inner == b->inner &&
              a->fold == b->fold && a->reads == b->reads &&
              a->steps == b->steps && same_access(&a->target, &b->target);
  for (unsigned axis = 0; axis < PP_AXES; axis++)
    same = same && a->extent[axis] == b->extent[axis];
  for (unsigned k = 0; k < PP_READS; k++)
    same = same && same_access(&a->read[k], &b->read[k]);
  for (unsigned k = 0; k < PP_STEPS; k++)
    same = same && same_step(&a->step[k], &b->step[k]);
  return same;
}

bool pp_same_routine(const pp_routine *a, const pp_routine *b) {
  if (strcmp(a->name, b->name) != 0 || a->nodes != b->nodes ||
      a->statements != b->statements || a->positions != b->positions)
    return false;
  for (size_t i = 0; i < a->nodes; i++)
    if (a->order[i] != b->order[i] || !same_node(&a->node[i], &b->node[i]))
      return false;
  for (size_t k = 0; k < a->statements; k++)
    if (a->position[k] != b->position[k] ||
        !same_statement(&a->statement[k], &b->statement[k]))
      return false;
  return true;
}
