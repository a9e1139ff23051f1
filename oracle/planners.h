/* poolproof: the named plans of a problem, by either side, and their check. */
#ifndef PP_PLANNERS_H
#define PP_PLANNERS_H

#include "problem.h"

typedef enum pp_side { PP_SIDE_FAST, PP_SIDE_REF } pp_side;

/* "arena", "segments", "no-reuse"; "fast", "ref". False: no such name. */
const char *pp_plan_name(pp_plan plan);
const char *pp_side_name(pp_side side);
bool pp_plan_named(const char *name, pp_plan *plan);
bool pp_side_named(const char *name, pp_side *side);

/* The plan that a problem of this kind asks for. */
pp_plan pp_plan_of(pp_kind kind);

/* Runs a planner. no-reuse has one implementation, whatever the side. Returns
 * 0 with the answer in layout (its status, and the arrays when it is PP_OK),
 * or PP_EXIT_RESOURCE. */
int pp_plan_run(const pp_problem *problem, pp_plan plan, pp_side side,
                uint64_t cap, pp_layout *layout, pp_diag *diag);

/* Why the layout's status is not PP_OK, in one sentence. Returns text. */
const char *pp_refusal_text(const pp_problem *problem, pp_plan plan,
                            uint64_t cap, const pp_layout *layout, char *text,
                            size_t size);

/* Above this many items the proved checker, which looks at every pair, and
 * the reference planner give way to the fast ones unless asked for. */
enum { PP_REF_CHECK_ITEMS = 20000, PP_REF_PLAN_ITEMS = 3000 };

/* VAL-1 of a layout whose status is PP_OK, by the named checker. kind says
 * how items conflict; name is the problem's file, for sentences. Returns 0 with
 * the answer in violation; PP_EXIT_INPUT for a span with lo > hi; or
 * PP_EXIT_RESOURCE. */
int pp_verify(const char *name, const pp_problem *problem, pp_kind kind,
              uint64_t cap, const pp_layout *layout, pp_side side,
              pp_violation *violation, pp_diag *diag);

/* The violation in one sentence that names items, spans, classes, bytes. */
const char *pp_violation_text(const pp_problem *problem, pp_kind kind,
                              const pp_layout *layout,
                              const pp_violation *violation, char *text,
                              size_t size);

/* Are two layouts the same answer, byte for byte? */
bool pp_layout_equal(const pp_layout *a, const pp_layout *b);

#endif
