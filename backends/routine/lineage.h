/* poolproof: what a lineage is made of.  SPDX-License-Identifier: MIT */
#ifndef PP_LINEAGE_H
#define PP_LINEAGE_H

#include "lowering.h"

/* A routine's name, shared by all lineages that have it. */
typedef struct pp_shared_text {
  size_t holders;
  char text[];
} pp_shared_text;

/* next  the number that another routine of that name gets, at least */
typedef struct pp_named {
  pp_shared_text *text;
  size_t next;
} pp_named;

typedef struct pp_decision {
  uint64_t uid;
  pp_placement placement;
} pp_decision;

/* routine  one of the lineage's names */
typedef struct pp_place_record {
  uint64_t uid;
  pp_placement placement;
  pp_reason reason;
  const pp_shared_text *routine;
} pp_place_record;

/* Names ascend, and all else does by uid. */
struct pp_lineage {
  size_t holders;
  size_t decisions;
  pp_decision *decision;
  size_t places;
  pp_place_record *place;
  size_t recalls;
  pp_recall *recall;
  size_t names;
  pp_named *name;
};

/* What is new in a fork, in the same orders. Of the recalls the fork takes the
 * records. */
typedef struct pp_news {
  size_t decisions;
  const pp_decision *decision;
  size_t places;
  const pp_place_record *place;
  size_t recalls;
  pp_recall *recall;
  pp_shared_text *name; /* NULL: none */
} pp_news;

/* A copy of from (NULL: an empty one) with the news; NULL: no memory, and the
 * records are still the caller's. */
pp_lineage *pp_lineage_fork(const pp_lineage *from, const pp_news *news);

/* NULL: no memory. */
pp_shared_text *pp_shared_text_new(const char *text);
void pp_shared_text_free(pp_shared_text *text);

/* One holder less; NULL is nothing. */
void pp_record_free(pp_record *record);

#endif
