#include "cli.h"
#include "find.h"
#include "format.h"
#include "number.h"
#include "planners.h"
#include "source.h"

#include "ref/ref.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct pp_compare_arguments {
  size_t files;
  char **file; /* behind the options, as argp left them */
  pp_cli_cap cap;
  bool all;
} pp_compare_arguments;

enum { OPTION_ALL = 256 };

static const struct argp_option options[] = {
    {"all", OPTION_ALL, NULL, 0,
     "run the reference on any number of items (it is cubic; without this it "
     "is left out above 3000 items, and the table says so)",
     0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_compare_arguments *arguments = state->input;
  (void)text; /* --all takes none, and the files are taken together */
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &arguments->cap;
    break;
  case OPTION_ALL:
    arguments->all = true;
    break;
  case ARGP_KEY_ARGS:
    arguments->file = state->argv + state->next;
    arguments->files = (size_t)(state->argc - state->next);
    break;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "a FILE is wanted");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp_child children[] = {{&pp_cli_cap_argp, 0, NULL, 0},
                                             {0}};

static const struct argp argp = {
    options,
    parse,
    "FILE...",
    "Runs every planner on every problem and holds them to each other."
    "\vEach plan is checked (VAL-1: by the proved checker up to 20000 items), "
    "and the fast and the reference planner must give the same bytes. Exit "
    "status 1 when any plan is invalid or the two differ. Times are of one "
    "run.",
    children,
    NULL,
    NULL};

static const struct {
  pp_plan plan;
  pp_side side;
} rows[] = {
    {PP_PLAN_ARENA, PP_SIDE_REF},     {PP_PLAN_ARENA, PP_SIDE_FAST},
    {PP_PLAN_SEGMENTS, PP_SIDE_REF},  {PP_PLAN_SEGMENTS, PP_SIDE_FAST},
    {PP_PLAN_NO_REUSE, PP_SIDE_FAST},
};

/* What the table keeps from one row to the next. */
typedef struct pp_comparison {
  const char *file;
  const pp_problem *problem;
  uint64_t cap;
  uint64_t bound;
  pp_layout before; /* the reference's, for the row that follows it */
  bool has_before;
  size_t wrong;
  size_t skipped;
} pp_comparison;

static double milliseconds(const struct timespec *from) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)(now.tv_sec - from->tv_sec) +
         1e-6 * (double)(now.tv_nsec - from->tv_nsec);
}

/* Checks the plan and compares it; text becomes the verdict. */
static int judge(pp_comparison *comparison, pp_plan plan, pp_side side,
                 const pp_layout *layout, char *text, size_t size,
                 pp_diag *diag) {
  const pp_problem *problem = comparison->problem;
  pp_kind kind = plan == PP_PLAN_ARENA ? PP_ARENA : PP_SEGMENTS;
  pp_violation violation = {.kind = PP_VALID};
  pp_side checker =
      problem->n <= PP_REF_CHECK_ITEMS ? PP_SIDE_REF : PP_SIDE_FAST;
  if (layout->status == PP_OK &&
      pp_verify(comparison->file, problem, kind, comparison->cap, layout,
                checker, &violation, diag) != 0)
    return diag->code;
  bool compared = side == PP_SIDE_FAST && comparison->has_before;
  bool equal = compared && pp_layout_equal(&comparison->before, layout);
  if (violation.kind != PP_VALID) {
    char told[900];
    comparison->wrong++;
    snprintf(text, size, "INVALID: %s",
             pp_violation_text(problem, kind, layout, &violation, told,
                               sizeof told));
  } else if (compared && !equal) {
    comparison->wrong++;
    snprintf(text, size, "DIFFERS from the reference");
  } else {
    snprintf(text, size, "%s%s", layout->status == PP_OK ? "valid" : "refused",
             compared ? ", the reference's bytes" : "");
  }
  return 0;
}

static void put_row(const pp_comparison *comparison, pp_plan plan, pp_side side,
                    const pp_layout *layout, double time, const char *verdict) {
  char total[32] = "-";
  char ratio[16] = "-";
  if (layout->status == PP_OK) {
    uint64_t sum = pp_layout_total(layout);
    pp_grouped(sum, total, sizeof total);
    if (comparison->bound > 0)
      snprintf(ratio, sizeof ratio, "%.4f",
               (double)sum / (double)comparison->bound);
  }
  printf("  %-9s %-5s %-14s %26s %8s %12.3f  %s\n", pp_plan_name(plan),
         plan == PP_PLAN_NO_REUSE ? "" : pp_side_name(side),
         pp_status_name(layout->status), total, ratio, time, verdict);
}

static int compare_row(pp_comparison *comparison, pp_plan plan, pp_side side,
                       bool all, pp_diag *diag) {
  struct timespec start;
  pp_layout layout;
  char verdict[1000];
  if (side == PP_SIDE_REF) {
    pp_layout_free(&comparison->before);
    comparison->has_before = false;
    if (!all && comparison->problem->n > PP_REF_PLAN_ITEMS) {
      comparison->skipped++;
      printf("  %-9s %-5s SKIPPED: more than %d items (--all runs it)\n",
             pp_plan_name(plan), pp_side_name(side), PP_REF_PLAN_ITEMS);
      return 0;
    }
  }
  clock_gettime(CLOCK_MONOTONIC, &start);
  if (pp_plan_run(comparison->problem, plan, side, comparison->cap, &layout,
                  diag) != 0)
    return diag->code;
  double time = milliseconds(&start);
  int status =
      judge(comparison, plan, side, &layout, verdict, sizeof verdict, diag);
  if (status == 0) put_row(comparison, plan, side, &layout, time, verdict);
  if (status == 0 && side == PP_SIDE_REF) {
    comparison->before = layout;
    comparison->has_before = true;
  } else {
    pp_layout_free(&layout);
  }
  if (side == PP_SIDE_FAST) comparison->has_before = false;
  return status;
}

static int compare_all(pp_comparison *comparison, bool all, pp_diag *diag) {
  pp_facts facts;
  const pp_problem *problem = comparison->problem;
  if (pp_facts_find(problem, problem->kind, &facts, diag) != 0)
    return diag->code;
  comparison->bound = facts.bound;
  pp_facts_free(&facts);
  printf("  %-9s %-5s %-14s %26s %8s %12s  %s\n", "plan", "by", "status",
         "total, bytes", "ratio", "time, ms", "verdict");
  int status = 0;
  for (size_t k = 0; status == 0 && k < sizeof rows / sizeof rows[0]; k++)
    status = compare_row(comparison, rows[k].plan, rows[k].side, all, diag);
  pp_layout_free(&comparison->before);
  return status;
}

/* A span with lo > hi has no bound and no plan; both planners have just been
 * seen to refuse it, or were found not to. */
static int refuse_bad_span(const char *file, const pp_comparison *comparison,
                           size_t index, pp_diag *diag) {
  const pp_layout refused = {.status = PP_BAD_SPAN, .index = index};
  char text[400];
  if (comparison->wrong > 0) return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s", pp_input_name(file),
                      pp_refusal_text(comparison->problem, PP_PLAN_ARENA,
                                      comparison->cap, &refused, text,
                                      sizeof text));
}

/* All that a campaign compares beside the plans, so that whatever fuzz and
 * exhaust find shows again here. */
static int compare_rest(pp_comparison *comparison, bool all, pp_diag *diag) {
  char sentence[480];
  if (!all && comparison->problem->n > PP_REF_PLAN_ITEMS) {
    comparison->skipped++;
    printf("  the rest        SKIPPED: more than %d items (--all runs it)\n",
           PP_REF_PLAN_ITEMS);
    return 0;
  }
  int found =
      pp_find_replay(comparison->problem, sentence, sizeof sentence, diag);
  if (found == PP_EXIT_FOUND) {
    comparison->wrong++;
    printf("  the rest        DISAGREES: %s\n", sentence);
    return 0;
  }
  if (found == 0)
    puts(
        "  the rest        agrees: checkers, spoiled layouts, bound, refusals");
  return found;
}

static int compare_file(const char *file, const pp_compare_arguments *arguments,
                        size_t *wrong, size_t *skipped, pp_diag *diag) {
  pp_problem problem = {0};
  if (pp_problem_read(file, &problem, diag) != 0) return diag->code;
  problem.cap = pp_cli_cap_for(&arguments->cap, &problem);
  pp_comparison comparison = {
      .file = file, .problem = &problem, .cap = problem.cap};
  printf("%s: %zu item%s, cap %" PRIu64 "\n", pp_input_name(file), problem.n,
         pp_plural(problem.n), problem.cap);
  size_t bad = pp_ref_first_bad_span(problem.items, problem.n);
  int status = compare_rest(&comparison, arguments->all, diag);
  if (status == 0)
    status = bad < problem.n ? refuse_bad_span(file, &comparison, bad, diag)
                             : compare_all(&comparison, arguments->all, diag);
  *wrong += comparison.wrong;
  *skipped += comparison.skipped;
  pp_problem_free(&problem);
  return status;
}

int pp_command_compare(int argc, char **argv, pp_diag *diag) {
  pp_compare_arguments arguments = {0};
  size_t wrong = 0;
  size_t skipped = 0;
  if (pp_cli_parse(&argp, argc, argv, &arguments, diag) != 0) return diag->code;
  for (size_t k = 0; k < arguments.files; k++)
    if (compare_file(arguments.file[k], &arguments, &wrong, &skipped, diag) !=
        0)
      return diag->code;
  printf("verdict: %zu problem%s, %zu wrong, %zu skipped\n", arguments.files,
         arguments.files == 1 ? "" : "s", wrong, skipped);
  return wrong == 0 ? PP_EXIT_FINE : PP_EXIT_FOUND;
}
