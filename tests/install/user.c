#include <poolproof/planner.h>

#include <inttypes.h>
#include <stdio.h>

int main(void) {
  const pp_item items[] = {{8, 0, 0, 1, 0, true}, {4, 0, 1, 2, 0, true}};
  pp_plan_options options = {0};
  uint64_t offset[2];
  uint64_t total = 0;
  options.cap = PP_CAP_USUAL;
  if (pp_arena_plan(items, 2, &options, offset, &total, NULL) != PP_OK)
    return 1;
  printf("total %" PRIu64 "\n", total);
  return 0;
}
