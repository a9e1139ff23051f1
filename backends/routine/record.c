/* poolproof: what a routine leaves in the lineage (RTN-1).
 * SPDX-License-Identifier: MIT */
#include "lineage.h"

#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* Copies the operand with its data; false: no memory. */
static bool copy_operand(pp_node *to, const pp_node *from) {
  *to = *from;
  to->has_span = false;
  to->lo = to->hi = 0;
  to->data = NULL;
  if (!from->data) return true;
  void *data = pp_data_new(from);
  if (data) memcpy(data, from->data, (size_t)pp_node_bytes(from));
  to->data = data;
  return data != NULL;
}

/* The record's operands out of its statement's reads. */
static bool take_operands(pp_record *record, const pp_lowering *lowering) {
  pp_statement *statement = &record->statement;
  record->operand = calloc(PP_READS, sizeof *record->operand);
  if (!record->operand) return false;
  statement->target.node = 0;
  for (unsigned r = 0; r < statement->reads; r++) {
    const pp_node *node = &lowering->node[statement->read[r].node];
    size_t k = 0;
    while (k < record->operands && record->operand[k].uid != node->uid)
      k++;
    statement->read[r].node = k + 1;
    if (k < record->operands) continue;
    if (!copy_operand(&record->operand[k], node)) return false;
    record->operands++;
  }
  return true;
}

/* Is all that the statement reads constant? If not, by is what is not. No
 * lineage can know what happens to other nodes: other contexts write them, and
 * routines that ran before run again. */
static bool is_constant(const pp_lowering *lowering,
                        const pp_statement *statement, pp_recall *recall) {
  for (unsigned r = 0; r < statement->reads; r++) {
    const pp_node *node = &lowering->node[statement->read[r].node];
    if ((node->intents & PP_CONSTANT) != 0) continue;
    recall->changes = true;
    recall->by = node->uid;
    return false;
  }
  return true;
}

static pp_status record_node(pp_recall *recall, const pp_lowering *lowering,
                             size_t node) {
  pp_record *record = calloc(1, sizeof *record);
  if (!record) return pp_lowering_no_memory(lowering);
  record->holders = 1;
  record->node = lowering->node[node];
  bool fits = false;
  pp_status status = pp_inline_whole(lowering, node, &record->statement, &fits);
  if (status == PP_OK && fits &&
      is_constant(lowering, &record->statement, recall)) {
    recall->record = record;
    if (take_operands(record, lowering)) return PP_OK;
    recall->record = NULL;
    status = pp_lowering_no_memory(lowering);
  }
  pp_record_free(record);
  return status;
}

/* A routine's part of a lineage on its way.
 * place, recall  of its nodes, by uid */
typedef struct pp_leaving {
  const pp_lowering *lowering;
  pp_shared_text *name;
  size_t places;
  pp_place_record *place;
  size_t recalls;
  pp_recall *recall;
} pp_leaving;

/* Nodes that the routine only names are as they were. */
static pp_status note_node(pp_leaving *leaving, size_t node) {
  const pp_lowering *lowering = leaving->lowering;
  const pp_node *here = &lowering->node[node];
  const pp_fact *fact = &lowering->fact[node];
  bool is_virtual = fact->placement == PP_VIRTUAL;
  if ((here->intents & PP_MERGE) != 0 ||
      (!is_virtual && !pp_in_context(lowering, node)))
    return PP_OK;
  leaving->place[leaving->places++] = (pp_place_record){
      here->uid, fact->placement, fact->reason, leaving->name};
  pp_recall *recall = &leaving->recall[leaving->recalls++];
  *recall = (pp_recall){.uid = here->uid, .gone = !is_virtual};
  return is_virtual ? record_node(recall, lowering, node) : PP_OK;
}

static pp_status leave(pp_leaving *leaving, pp_lineage **fork) {
  const pp_lowering *lowering = leaving->lowering;
  const pp_routine *source = lowering->source;
  pp_status status = PP_OK;
  for (size_t i = 0; i < source->nodes && status == PP_OK; i++)
    status = note_node(leaving, source->order[i]);
  const pp_news news = {.places = leaving->places,
                        .place = leaving->place,
                        .recalls = leaving->recalls,
                        .recall = leaving->recall,
                        .name = leaving->name};
  if (status == PP_OK)
    *fork = pp_lineage_fork(lowering->options.lineage, &news);
  if (status == PP_OK && !*fork) status = pp_lowering_no_memory(lowering);
  for (size_t i = 0; i < leaving->recalls && status != PP_OK; i++)
    pp_record_free(leaving->recall[i].record);
  return status;
}

pp_status pp_lineage_after(const pp_lowering *lowering, const char *name,
                           pp_lineage **fork) {
  size_t nodes = lowering->source->nodes;
  pp_leaving leaving = {.lowering = lowering,
                        .name = pp_shared_text_new(name),
                        .place = calloc(nodes + 1, sizeof *leaving.place),
                        .recall = calloc(nodes + 1, sizeof *leaving.recall)};
  pp_status status = leaving.name && leaving.place && leaving.recall
                         ? leave(&leaving, fork)
                         : pp_lowering_no_memory(lowering);
  pp_shared_text_free(leaving.name);
  free(leaving.place);
  free(leaving.recall);
  return status;
}
