/* poolproof: what the files of pp_routine_check share among themselves.
 * SPDX-License-Identifier: MIT */
#ifndef PP_ROUTINE_CHECK_PARTS_H
#define PP_ROUTINE_CHECK_PARTS_H

#include <poolproof/footprint.h>
#include <poolproof/runtime.h>

#include "random.h"
#include "routine_check.h"
#include "values.h"

enum {
  PP_CHECK_STEPS = 2, /* how often the sources run */
  PP_CHECK_RUNS = PP_CHECK_STEPS * PP_CHAIN
};

/* What a node holds in one of the worlds, by uid; a merge node is another one
 * than the node of its uid. */
typedef struct pp_cell {
  uint64_t uid;
  bool merge;
  unsigned char *bytes;
} pp_cell;

typedef struct pp_world {
  size_t cells, room;
  pp_cell *cell;
} pp_world;

/* What must come out.
 * uploads  host nodes are uploaded before the run
 * input    what they are then
 * after    what all nodes of the source are after it */
typedef struct pp_expected_run {
  bool uploads;
  pp_memory input;
  pp_memory after;
} pp_expected_run;

/* A backend in a fault backend.
 * id         of the one inside; PP_BACKEND_COUNT: it is not in the list
 * alignment  the trial's, or the device's own when that is less
 * shares     runs one way alone; served: its number, from 1, when it did */
typedef struct pp_trial_backend {
  pp_backend *backend;
  pp_backend_id id;
  uint64_t alignment;
  bool shares;
  size_t served;
} pp_trial_backend;

/* One check.
 * turn     the first way that backends which share may run
 * heavy    too long to run: nothing is run
 * run      of step s and source k: run[s * sources + k]
 * lent     of source k: lent[k], what merge nodes hold
 * verdict  PP_AGREE as long as it goes on */
typedef struct pp_routine_trial {
  pp_routine *const *source;
  size_t sources;
  pp_random random;
  size_t backends;
  pp_trial_backend backend[PP_BACKEND_COUNT + 1];
  size_t turn;
  uint64_t alignment;
  bool heavy;
  pp_expected_run run[PP_CHECK_RUNS];
  pp_memory lent[PP_CHAIN];
  pp_verdict verdict;
  pp_routine_checked *checked;
} pp_routine_trial;

/* The sources in one of their ways.
 * name     of the way; number: from 1
 * n        sources lowered; fewer than all where one was refused
 * lowered  n of them
 * lower, link  how; lineage and what is held are set where they are due */
typedef struct pp_way {
  const char *name;
  size_t number;
  pp_lower_options lower;
  pp_link_options link;
  size_t n;
  pp_lowered *lowered[PP_CHAIN];
} pp_way;

void pp_count(pp_routine_trial *trial, pp_routine_count what, uint64_t more);

/* Ends the check: false, always. */
bool pp_trial_differs(pp_routine_trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool pp_trial_no_memory(pp_routine_trial *trial);

/* Goes on after PP_OK; PP_NO_MEMORY leaves it undecided, all else is wrong. */
bool pp_trial_fine(pp_routine_trial *trial, pp_status status,
                   const pp_failure *failure, const char *name,
                   const char *what);

/* Points times operations, saturating, and bytes of nodes. */
uint64_t pp_code_work(const pp_routine *routine);
enum { PP_CODE_WORK = 1 << 18 };

/* The node of that uid that is a merge node, or none; NULL. */
const pp_node *pp_node_of(const pp_routine *routine, uint64_t uid, bool merge);

/* The world's bytes of the routine's nodes, new ones as data or zeros say;
 * from malloc. NULL: no memory. */
unsigned char **pp_world_bind(pp_world *world, const pp_routine *routine);
void pp_world_free(pp_world *world);

/* Draws inputs and runs the sources in the interpreter. */
bool pp_expect(pp_routine_trial *trial);
void pp_expected_free(pp_routine_trial *trial);

/* Is what `got` holds of the node what run r of source k leaves? */
bool pp_as_expected(pp_routine_trial *trial, size_t step, size_t k, size_t node,
                    const void *got, const char *name, const char *where);

/* Lowers all sources; RTN-1's refusals are looked at. */
bool pp_way_lower(pp_routine_trial *trial, pp_way *way);
void pp_way_free(pp_way *way);

/* Final code: placements, spans, footprint. */
bool pp_way_check_code(pp_routine_trial *trial, const pp_way *way);

/* Is it a set that writes as many elements as there are? It writes none
 * twice. */
bool pp_check_fills(const pp_statement *statement, const pp_node *node);

/* Are positions, kernels and spans what they must be? (RTN-5, RTN-6) */
bool pp_check_lives(pp_routine_trial *trial, const char *name,
                    const pp_routine *routine);

/* How many runs of a way's sources, in turn, have an expectation: after one
 * that was refused, those of the first step alone. */
size_t pp_way_runs(const pp_routine_trial *trial, const pp_way *way);

/* RTN-2 of the first source, statement by statement. */
bool pp_check_sinking(pp_routine_trial *trial);

/* RTN-3: may a source's node be virtual, as far as barriers and opaque code
 * say? */
bool pp_check_virtual(pp_routine_trial *trial, const char *name,
                      const pp_routine *source, size_t node);

/* RTN-5: may statements share kernels as they do? */
bool pp_check_kernels(pp_routine_trial *trial, const char *name,
                      const pp_routine *routine);

/* Values of the final code in the interpreter. */
bool pp_way_interpret(pp_routine_trial *trial, const pp_way *way);

/* The same on the backends whose turn it is; with the census, and owners of
 * bytes. */
bool pp_way_run(pp_routine_trial *trial, const pp_way *way);

/* FPT-4 of the first source. */
bool pp_check_fit(pp_routine_trial *trial, const pp_lower_options *lower);

#endif
