/* poolproof: problems and layouts under construction, for the parsers. */
#ifndef PP_BUILDER_H
#define PP_BUILDER_H

#include "names.h"
#include "problem.h"

#define PP_DEFAULT_CLASS "default" /* where the input names no class */

typedef struct pp_builder {
  pp_problem *problem;
  pp_names ids;
  pp_names classes;
  size_t item_room;
  size_t class_room;
} pp_builder;

/* Adds an item; item->item_class is set from class_name. id and class_name
 * are copied. where names the place in the input ("line 3", "item 2").
 * Returns 0 or diag's exit status; a second item of one id is refused. */
int pp_builder_add(pp_builder *builder, const char *name, const char *where,
                   const char *id, const char *class_name, pp_item item,
                   pp_diag *diag);

/* Frees what only the construction needed; on failure (status != 0) empties
 * the problem as well. Returns status. */
int pp_builder_end(pp_builder *builder, int status);

/* A layout under construction: every item unplaced at first. */
typedef struct pp_placer {
  const pp_problem *problem;
  pp_layout *layout;
  pp_names ids;
  bool *placed;
} pp_placer;

int pp_placer_begin(pp_placer *placer, const pp_problem *problem,
                    pp_layout *layout, pp_diag *diag);

/* Places the item called id. Returns 0 or diag's exit status; an unknown id
 * and a second place for one item are refused. */
int pp_placer_add(pp_placer *placer, const char *name, const char *where,
                  const char *id, uint64_t segment, uint64_t offset,
                  pp_diag *diag);

/* Ends as pp_builder_end does. When the input claimed no sizes (layout->size
 * is NULL), each segment gets the greatest end inside it; a segment index not
 * below the number of items is then none that exists. */
int pp_placer_end(pp_placer *placer, int status, pp_diag *diag);

#endif
