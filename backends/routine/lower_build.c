/* poolproof: the lines of a lowering as a routine, and the stages' text.
 * SPDX-License-Identifier: MIT */
#include "lowering.h"

#include "internal.h"

#include "planner/internal.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct pp_building {
  const pp_lowering *lowering;
  pp_stage stage;
  pp_routine *routine;
  size_t *index; /* of each node in the routine */
} pp_building;

static pp_status add_nodes(const pp_building *building) {
  const pp_lowering *lowering = building->lowering;
  for (size_t i = 0; i < lowering->nodes; i++) {
    if (building->stage != PP_STAGE_SUNK && !pp_in_context(lowering, i))
      continue;
    pp_node node = lowering->node[i];
    if (building->stage != PP_STAGE_FINAL) node.has_span = false;
    pp_status status = pp_routine_node(building->routine, &node,
                                       &building->index[i], lowering->failure);
    if (status != PP_OK) return status;
  }
  return PP_OK;
}

static pp_status add_line(const pp_building *building, size_t i) {
  const pp_lowering *lowering = building->lowering;
  pp_routine *routine = building->routine;
  const pp_statement *line = building->stage == PP_STAGE_SUNK
                                 ? lowering->line[i]
                                 : pp_lowering_line(lowering, i);
  pp_status status = pp_routine_statement(routine, line, lowering->failure);
  if (status != PP_OK) return status;
  pp_statement *added = &routine->statement[routine->statements - 1];
  added->joins = building->stage == PP_STAGE_FINAL && lowering->joins[i];
  if (added->kind == PP_BARRIER) return PP_OK;
  added->target.node = building->index[added->target.node];
  for (unsigned r = 0; r < added->reads; r++)
    added->read[r].node = building->index[added->read[r].node];
  return PP_OK;
}

static pp_status add_all(const pp_building *building) {
  const pp_lowering *lowering = building->lowering;
  pp_status status = add_nodes(building);
  for (size_t i = 0; status == PP_OK && i < lowering->lines; i++)
    if (building->stage == PP_STAGE_SUNK || !lowering->gone[i])
      status = add_line(building, i);
  if (status == PP_OK)
    status = pp_routine_seal(building->routine, lowering->failure);
  return status;
}

pp_status pp_lowering_build(const pp_lowering *lowering, pp_stage stage,
                            const char *name, pp_routine **routine) {
  pp_building building = {
      lowering, stage, pp_routine_new(name),
      pp_scratch_new(NULL, lowering->nodes, sizeof(size_t))};
  pp_status status = building.routine && building.index
                         ? add_all(&building)
                         : pp_lowering_no_memory(lowering);
  pp_scratch_free(NULL, building.index);
  if (status == PP_OK)
    *routine = building.routine;
  else
    pp_routine_free(building.routine);
  return status;
}

static pp_status write_stage(FILE *out, const char *title,
                             const pp_routine *routine,
                             const pp_lowering *lowering) {
  char *text = pp_routine_print(routine);
  if (!text) return pp_lowering_no_memory(lowering);
  fprintf(out, "# %s\n%s", title, text);
  free(text);
  return PP_OK;
}

static pp_status write_made(FILE *out, const char *title,
                            const pp_lowering *lowering, pp_stage stage) {
  pp_routine *routine = NULL;
  pp_status status =
      pp_lowering_build(lowering, stage, lowering->source->name, &routine);
  if (status != PP_OK) return status;
  status = write_stage(out, title, routine, lowering);
  pp_routine_free(routine);
  return status;
}

pp_status pp_stages_text(const pp_lowering *lowering, const pp_routine *final,
                         char **text) {
  size_t size = 0;
  char *made = NULL;
  FILE *out = open_memstream(&made, &size);
  if (!out) return pp_lowering_no_memory(lowering);
  pp_status status = write_stage(out, "source", lowering->source, lowering);
  if (status == PP_OK)
    status = write_made(out, "zeroings sunk (RTN-2)", lowering, PP_STAGE_SUNK);
  if (status == PP_OK)
    status = write_made(out, "virtual nodes inlined (RTN-3)", lowering,
                        PP_STAGE_INLINED);
  if (status == PP_OK)
    status = write_stage(out, "kernels and spans: final code (RTN-5, RTN-6)",
                         final, lowering);
  /* A last lack of memory may show in the text alone. */
  bool written = ferror(out) == 0;
  if (fclose(out) != 0 || !made) written = false;
  if (status == PP_OK && !written) status = pp_lowering_no_memory(lowering);
  if (status == PP_OK)
    *text = made;
  else
    free(made);
  return status;
}
