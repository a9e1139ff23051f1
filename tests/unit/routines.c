#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "kernels/machine.h"
#include "ref/interp.h"
#include "routines.h"
#include "values.h"

enum { RUNS = 2600 }; /* about 20,000 statements */

static pp_routine *draw(uint64_t seed) {
  pp_failure failure = {.text = ""};
  pp_routine *routine = NULL;
  pp_random random;
  pp_random_start(&random, seed, 0);
  const pp_routine_limits limits = {.first_uid = 1,
                                    .nodes = 2 + pp_random_below(&random, 11),
                                    .statements = 12,
                                    .extent = 1 + pp_random_below(&random, 9),
                                    .wild = pp_random_one_in(&random, 2)};
  cr_assert_eq(pp_random_routine(&random, &limits, &routine, &failure), PP_OK,
               "seed %llu: %s", (unsigned long long)seed, failure.text);
  return routine;
}

static void expect_same(const pp_routine *routine, const pp_memory *got,
                        const pp_memory *right, const char *what) {
  for (size_t i = 0; i < routine->nodes; i++) {
    const pp_node *node = &routine->node[i];
    uint64_t first = 0;
    bool same = pp_same_values(node->dtype, got->bytes[i], right->bytes[i],
                               pp_node_elements(node), &first);
    char *text = same ? NULL : pp_routine_print(routine);
    cr_expect(same, "%s: %s, element %llu\n%s", what, node->label,
              (unsigned long long)first, text ? text : "");
    free(text);
  }
}

Test(routines, the_machines_agree_with_the_interpreter) {
  size_t statements = 0;
  for (uint64_t seed = 0; seed < RUNS; seed++) {
    pp_routine *routine = draw(seed);
    pp_memory right;
    cr_assert_eq(pp_memory_new(routine, &right), PP_OK);
    for (int run = 0; run < 2; run++)
      pp_ref_interp(routine->node, routine->statement, routine->statements,
                    right.bytes);
    for (int machine = 0; machine < PP_MACHINE_COUNT; machine++) {
      pp_memory got;
      if (!pp_machine_available((pp_machine)machine)) continue;
      cr_assert_eq(pp_memory_new(routine, &got), PP_OK);
      pp_machine_run_on((pp_machine)machine, routine->code, got.bytes);
      pp_machine_run_on((pp_machine)machine, routine->code, got.bytes);
      expect_same(routine, &got, &right, machine ? "v3" : "portable");
      pp_memory_free(&got);
    }
    statements += routine->statements;
    pp_memory_free(&right);
    pp_routine_free(routine);
  }
  cr_expect_geq(statements, 20000);
}

Test(routines, their_text_says_all) {
  for (uint64_t seed = 0; seed < RUNS; seed++) {
    pp_failure failure = {.text = ""};
    pp_routine *routine = draw(seed);
    pp_routine *again = NULL;
    char *text = pp_routine_print(routine);
    cr_assert_not_null(text);
    cr_assert_eq(pp_routine_parse(text, strlen(text), &again, &failure), PP_OK,
                 "%s\n%s", failure.text, text);
    char *twice = pp_routine_print(again);
    cr_assert_not_null(twice);
    cr_expect_str_eq(twice, text);
    cr_expect_eq(memcmp(again->statement, routine->statement,
                        routine->statements * sizeof *routine->statement),
                 0, "%s", text);
    free(twice);
    free(text);
    pp_routine_free(again);
    pp_routine_free(routine);
  }
}

/* Nodes of an earlier routine are used as they are; the merge node is read and
 * not mistaken for one of them. */
Test(routines, known_nodes_stay_as_they_are) {
  size_t used = 0;
  size_t merged = 0;
  for (uint64_t seed = 0; seed < RUNS / 10; seed++) {
    pp_failure failure = {.text = ""};
    pp_routine *first = draw(seed);
    pp_routine *second = NULL;
    pp_random random;
    pp_random_start(&random, seed, 1);
    const pp_routine_limits limits = {.first_uid = 100,
                                      .nodes = 5,
                                      .statements = 6,
                                      .extent = 4,
                                      .known = first->node,
                                      .knowns = first->nodes,
                                      .merge = &first->node[0]};
    cr_assert_eq(pp_random_routine(&random, &limits, &second, &failure), PP_OK,
                 "%s", failure.text);
    for (size_t i = 0; i < second->nodes; i++) {
      const pp_node *node = &second->node[i];
      if (node->uid >= limits.first_uid) continue;
      const pp_node *known = first->node;
      while (known->uid != node->uid)
        known++;
      cr_expect_eq(node->dtype, known->dtype);
      cr_expect_arr_eq(node->dims, known->dims, sizeof node->dims);
      bool merge = node->intents == PP_MERGE;
      cr_expect(merge ? known == first->node : node->intents == known->intents);
      cr_expect(!node->has_span && !node->data);
      if (merge)
        merged++;
      else
        used++;
    }
    pp_routine_free(second);
    pp_routine_free(first);
  }
  cr_expect_eq(merged, RUNS / 10);
  cr_expect_gt(used, RUNS / 10);
}
