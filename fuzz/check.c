/* poolproof fuzz target: a CSV with an offset column, taken as a problem and
 * as a layout of it, to both checkers (VAL).
 * SPDX-License-Identifier: MIT */
#include "target.h"

#include "differ.h"

#include <stdlib.h>
#include <string.h>

enum { SPOILED = 4 }; /* the layout as it is, and spoiled so often */

static void check_claim(pp_differ *differ, const pp_case *c,
                        const pp_claim *claim) {
  pp_status status = PP_OK;
  pp_violation violation;
  if (pp_differ_check(differ, c, claim, &status, &violation) == PP_DISAGREED)
    pp_target_fail("%s", differ->sentence);
  pp_target_compare();
}

/* A claim with room for what pp_spoil may add; false: no memory. */
static bool copy_layout(const pp_layout *layout, uint64_t cap,
                        pp_claim *claim) {
  size_t sizes = (layout->segments > layout->n ? layout->segments : layout->n);
  *claim = (pp_claim){.cap = cap, .segments = layout->segments};
  claim->segment = calloc(layout->n + 1, sizeof *claim->segment);
  claim->offset = calloc(layout->n + 1, sizeof *claim->offset);
  claim->size = calloc(sizes + 1, sizeof *claim->size);
  if (!claim->segment || !claim->offset || !claim->size) return false;
  for (size_t i = 0; i < layout->n; i++) {
    claim->segment[i] = layout->segment[i];
    claim->offset[i] = layout->offset[i];
  }
  for (size_t k = 0; k < layout->segments; k++)
    claim->size[k] = layout->size[k];
  return true;
}

static void free_claim(pp_claim *claim) {
  free(claim->segment);
  free(claim->offset);
  free(claim->size);
}

static void check_layout(const pp_case *c, const pp_layout *layout) {
  pp_differ differ;
  pp_differ_open(&differ);
  for (uint64_t number = 0; number <= SPOILED; number++) {
    pp_claim claim;
    if (copy_layout(layout, c->cap, &claim)) {
      if (number > 0) pp_spoil(c, &claim, number);
      check_claim(&differ, c, &claim);
    }
    free_claim(&claim);
  }
  pp_differ_close(&differ);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_target_begin();
  pp_problem problem;
  pp_layout layout;
  pp_diag diag = {0};
  if (!pp_target_problem(data, size, &problem)) return 0;
  if (pp_layout_parse("input", data, size, &problem, &layout, &diag) != 0) {
    pp_problem_free(&problem);
    return 0;
  }
  pp_case c = {0};
  if (layout.status == PP_OK &&
      pp_case_from_problem(&c, &problem, &diag) == 0) {
    check_layout(&c, &layout);
    c.kind = c.kind == PP_ARENA ? PP_SEGMENTS : PP_ARENA;
    check_layout(&c, &layout);
  }
  pp_case_free(&c);
  pp_layout_free(&layout);
  pp_problem_free(&problem);
  return 0;
}
