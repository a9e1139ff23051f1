/* poolproof: what a context's routines decided (RTN-1, RTN-3).
 * SPDX-License-Identifier: MIT */
#include "lowering.h"

#include "internal.h"

#include "planner/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pp_decision {
  uint64_t uid;
  pp_placement placement;
} pp_decision;

typedef struct pp_place_record {
  uint64_t uid;
  pp_placement placement;
  pp_reason reason;
  size_t name;
} pp_place_record;

/* All but the names ascending by uid. */
struct pp_lineage {
  size_t holders;
  size_t decisions;
  pp_decision *decision;
  size_t places;
  pp_place_record *place;
  size_t recalls;
  pp_recall *recall;
  size_t names;
  char **name;
};

pp_lineage *pp_lineage_new(void) {
  pp_lineage *lineage = calloc(1, sizeof *lineage);
  if (lineage) lineage->holders = 1;
  return lineage;
}

pp_lineage *pp_lineage_hold(pp_lineage *lineage) {
  __atomic_fetch_add(&lineage->holders, 1, __ATOMIC_RELAXED);
  return lineage;
}

static void record_free(pp_record *record) {
  if (!record || __atomic_fetch_sub(&record->holders, 1, __ATOMIC_ACQ_REL) > 1)
    return;
  for (size_t i = 0; i < record->operands; i++)
    free((void *)record->operand[i].data);
  free(record->operand);
  free(record);
}

void pp_lineage_free(pp_lineage *lineage) {
  if (!lineage ||
      __atomic_fetch_sub(&lineage->holders, 1, __ATOMIC_ACQ_REL) > 1)
    return;
  for (size_t i = 0; i < lineage->names; i++)
    free(lineage->name[i]);
  for (size_t i = 0; i < lineage->recalls; i++)
    record_free(lineage->recall[i].record);
  free((void *)lineage->name);
  free(lineage->decision);
  free(lineage->place);
  free(lineage->recall);
  free(lineage);
}

/* The first of n elements, each beginning with its uid, that is not below. */
static size_t seek(const void *elements, size_t n, size_t bytes, uint64_t uid) {
  const unsigned char *at = elements;
  size_t lo = 0;
  size_t hi = n;
  while (lo < hi) {
    size_t middle = lo + (hi - lo) / 2;
    uint64_t here = 0;
    memcpy(&here, at + middle * bytes, sizeof here);
    if (here < uid)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

bool pp_lineage_decision(const pp_lineage *lineage, uint64_t uid,
                         pp_placement *placement) {
  if (!lineage) return false;
  size_t at = seek(lineage->decision, lineage->decisions,
                   sizeof *lineage->decision, uid);
  if (at == lineage->decisions || lineage->decision[at].uid != uid)
    return false;
  *placement = lineage->decision[at].placement;
  return true;
}

bool pp_lineage_placed(const pp_lineage *lineage, uint64_t uid,
                       pp_provenance *provenance) {
  if (!lineage) return false;
  size_t at =
      seek(lineage->place, lineage->places, sizeof *lineage->place, uid);
  if (at == lineage->places || lineage->place[at].uid != uid) return false;
  const pp_place_record *place = &lineage->place[at];
  *provenance = (pp_provenance){place->placement, place->reason,
                                lineage->name[place->name]};
  return true;
}

const pp_recall *pp_lineage_recall(const pp_lineage *lineage, uint64_t uid) {
  if (!lineage) return NULL;
  size_t at =
      seek(lineage->recall, lineage->recalls, sizeof *lineage->recall, uid);
  if (at == lineage->recalls || lineage->recall[at].uid != uid) return NULL;
  return &lineage->recall[at];
}

bool pp_lineage_recalls(const pp_lineage *lineage) {
  return lineage && lineage->recalls > 0;
}

static bool has_name(const pp_lineage *lineage, const char *name) {
  for (size_t i = 0; lineage && i < lineage->names; i++)
    if (strcmp(lineage->name[i], name) == 0) return true;
  return false;
}

char *pp_lineage_name(const pp_lineage *lineage, const char *name) {
  enum { NUMBER = 24 };
  size_t size = strlen(name) + NUMBER;
  char *own = malloc(size);
  if (!own) return NULL;
  snprintf(own, size, "%s", name);
  for (size_t k = 2; has_name(lineage, own); k++)
    snprintf(own, size, "%s_%zu", name, k);
  return own;
}

/* Room for `more` elements beyond those copied; NULL: no memory. */
static void *copied(const void *from, size_t n, size_t more, size_t bytes) {
  void *to = pp_scratch_new(NULL, n + more, bytes);
  if (to && n > 0) memcpy(to, from, n * bytes);
  return to;
}

static bool copy_names(pp_lineage *fork, const pp_lineage *from) {
  for (size_t i = 0; i < from->names; i++) {
    fork->name[i] = strdup(from->name[i]);
    if (!fork->name[i]) return false;
    fork->names++;
  }
  return true;
}

/* A copy with room for more: decisions, nodes (places and recalls), names. */
static pp_lineage *fork_of(const pp_lineage *from, size_t decisions,
                           size_t nodes, size_t names) {
  static const pp_lineage empty;
  if (!from) from = &empty;
  pp_lineage *fork = pp_lineage_new();
  if (!fork) return NULL;
  fork->decision = copied(from->decision, from->decisions, decisions,
                          sizeof *fork->decision);
  fork->place = copied(from->place, from->places, nodes, sizeof *fork->place);
  fork->recall =
      copied(from->recall, from->recalls, nodes, sizeof *fork->recall);
  fork->name = pp_scratch_new(NULL, from->names + names, sizeof(char *));
  if (!fork->decision || !fork->place || !fork->recall || !fork->name ||
      !copy_names(fork, from)) {
    pp_lineage_free(fork);
    return NULL;
  }
  fork->decisions = from->decisions;
  fork->places = from->places;
  fork->recalls = from->recalls;
  for (size_t i = 0; i < fork->recalls; i++)
    if (fork->recall[i].record)
      __atomic_fetch_add(&fork->recall[i].record->holders, 1, __ATOMIC_RELAXED);
  return fork;
}

/* Makes room at `at` for one more of n elements. */
static void shift(void *elements, size_t n, size_t bytes, size_t at) {
  unsigned char *to = (unsigned char *)elements + at * bytes;
  memmove(to + bytes, to, (n - at) * bytes);
}

static pp_status decide(const pp_lineage *lineage, uint64_t uid,
                        pp_placement placement, pp_lineage **fork,
                        pp_failure *failure) {
  pp_lineage *own = fork_of(lineage, 1, 0, 0);
  if (!own)
    return pp_fail(failure, PP_NO_MEMORY, "no memory to fork the lineage");
  size_t at = seek(own->decision, own->decisions, sizeof *own->decision, uid);
  if (at == own->decisions || own->decision[at].uid != uid) {
    shift(own->decision, own->decisions, sizeof *own->decision, at);
    own->decisions++;
  }
  own->decision[at] = (pp_decision){uid, placement};
  *fork = own;
  return PP_OK;
}

pp_status pp_decide_inline(const pp_lineage *lineage, uint64_t uid,
                           pp_lineage **fork, pp_failure *failure) {
  return decide(lineage, uid, PP_VIRTUAL, fork, failure);
}

pp_status pp_decide_materialized(const pp_lineage *lineage, uint64_t uid,
                                 pp_lineage **fork, pp_failure *failure) {
  return decide(lineage, uid, PP_MATERIALISED, fork, failure);
}

static void put_place(pp_lineage *fork, const pp_place_record *place) {
  size_t at = seek(fork->place, fork->places, sizeof *fork->place, place->uid);
  if (at == fork->places || fork->place[at].uid != place->uid) {
    shift(fork->place, fork->places, sizeof *fork->place, at);
    fork->places++;
  }
  fork->place[at] = *place;
}

static void drop_recall(pp_lineage *fork, uint64_t uid) {
  size_t at = seek(fork->recall, fork->recalls, sizeof *fork->recall, uid);
  if (at == fork->recalls || fork->recall[at].uid != uid) return;
  record_free(fork->recall[at].record);
  fork->recalls--;
  memmove(&fork->recall[at], &fork->recall[at + 1],
          (fork->recalls - at) * sizeof *fork->recall);
}

static void put_recall(pp_lineage *fork, const pp_recall *recall) {
  drop_recall(fork, recall->uid);
  size_t at =
      seek(fork->recall, fork->recalls, sizeof *fork->recall, recall->uid);
  shift(fork->recall, fork->recalls, sizeof *fork->recall, at);
  fork->recalls++;
  fork->recall[at] = *recall;
}

/* What was written by the routine spoils what is computed from it. */
static void spoil(pp_lineage *fork, const pp_lowering *lowering) {
  for (size_t i = 0; i < fork->recalls; i++) {
    pp_recall *recall = &fork->recall[i];
    for (size_t k = 0; recall->record && k < recall->record->operands; k++) {
      uint64_t uid = recall->record->operand[k].uid;
      size_t node = pp_lowering_find(lowering, uid);
      if (recall->spoiled || node == SIZE_MAX ||
          lowering->fact[node].writes == 0)
        continue;
      recall->spoiled = true;
      recall->by = uid;
    }
  }
}

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

/* May the node change between two runs, or after `from` in this one? Uploads
 * to constants are refused. */
static bool may_change(const pp_lowering *lowering, size_t node, size_t from) {
  unsigned intents = lowering->node[node].intents;
  if ((intents & PP_CONSTANT) != 0) return false;
  return (intents & (PP_HOST | PP_MERGE)) != 0 ||
         pp_written_between(lowering, node, from, SIZE_MAX);
}

static void see_spoiled(pp_recall *recall, const pp_lowering *lowering,
                        size_t node, const pp_statement *statement) {
  size_t from = pp_last_write(lowering, node);
  for (unsigned r = 0; r < statement->reads && !recall->spoiled; r++) {
    size_t operand = statement->read[r].node;
    recall->spoiled = may_change(lowering, operand, from);
    recall->by = lowering->node[operand].uid;
  }
}

static pp_status record_node(pp_lineage *fork, const pp_lowering *lowering,
                             size_t node) {
  pp_recall recall = {.uid = lowering->node[node].uid};
  pp_record *record = calloc(1, sizeof *record);
  if (!record) return pp_lowering_no_memory(lowering);
  record->holders = 1;
  record->node = lowering->node[node];
  bool fits = false;
  pp_status status = pp_inline_whole(lowering, node, &record->statement, &fits);
  if (status == PP_OK && fits) {
    see_spoiled(&recall, lowering, node, &record->statement);
    recall.record = record;
    if (!take_operands(record, lowering))
      status = pp_lowering_no_memory(lowering);
  }
  if (status != PP_OK || !fits) record_free(record);
  if (status == PP_OK) put_recall(fork, &recall);
  return status;
}

static pp_status note_node(pp_lineage *fork, const pp_lowering *lowering,
                           size_t node) {
  const pp_node *here = &lowering->node[node];
  const pp_fact *fact = &lowering->fact[node];
  if ((here->intents & PP_MERGE) != 0) return PP_OK;
  const pp_place_record place = {here->uid, fact->placement, fact->reason,
                                 fork->names - 1};
  put_place(fork, &place);
  if (fact->placement == PP_VIRTUAL) return record_node(fork, lowering, node);
  if (fact->first != SIZE_MAX) drop_recall(fork, here->uid);
  return PP_OK;
}

pp_status pp_lineage_after(const pp_lowering *lowering, const char *name,
                           pp_lineage **fork) {
  const pp_routine *source = lowering->source;
  pp_lineage *own = fork_of(lowering->options.lineage, 0, source->nodes, 1);
  if (!own) return pp_lowering_no_memory(lowering);
  pp_status status = PP_OK;
  own->name[own->names] = strdup(name);
  if (own->name[own->names])
    own->names++;
  else
    status = pp_lowering_no_memory(lowering);
  if (status == PP_OK) spoil(own, lowering);
  for (size_t i = 0; i < source->nodes && status == PP_OK; i++)
    status = note_node(own, lowering, source->order[i]);
  if (status == PP_OK)
    *fork = own;
  else
    pp_lineage_free(own);
  return status;
}
