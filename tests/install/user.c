#include <poolproof/fault.h>
#include <poolproof/planner.h>
#include <poolproof/runtime.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "routine twice\n"
                           "node 1 x i32 [2] host data 3 4\n"
                           "node 2 y i32 [2] observable\n"
                           "for i<2: y[i] = 2 * x[i]\n"
                           "end\n";

/* y of the routine, summed; or -1. */
static int run(void) {
  pp_backend *cc = NULL;
  pp_context *root = NULL;
  pp_context *step = NULL;
  pp_routine *routine = NULL;
  pp_failure why;
  int32_t y[2] = {0, 0};
  if (pp_get_backend("cc", &cc, &why) != PP_OK ||
      pp_routine_parse(text, strlen(text), &routine, &why) != PP_OK ||
      pp_make_context(cc, 0, &root, &why) != PP_OK ||
      pp_link(root, routine, NULL, &step, &why) != PP_OK ||
      pp_run(step, &why) != PP_OK ||
      pp_download(step, 2, y, sizeof y, &why) != PP_OK ||
      pp_context_free(step, &why) != PP_OK ||
      pp_context_free(root, &why) != PP_OK || pp_teardown(cc, &why) != PP_OK)
    return -1;
  pp_routine_free(routine);
  return y[0] + y[1];
}

int main(void) {
  const pp_item items[] = {{8, 0, 0, 1, 0, true}, {4, 0, 1, 2, 0, true}};
  pp_plan_options options = {0};
  uint64_t offset[2];
  uint64_t total = 0;
  options.cap = PP_CAP_USUAL;
  if (pp_arena_plan(items, 2, &options, offset, &total, NULL) != PP_OK)
    return 1;
  printf("total %" PRIu64 ", sum %d\n", total, run());
  return 0;
}
