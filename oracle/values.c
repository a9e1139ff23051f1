#include "values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_nan(pp_dtype dtype, const unsigned char *at) {
  float single = 0;
  double wide = 0;
  if (dtype == PP_F32) memcpy(&single, at, sizeof single);
  if (dtype == PP_F64) memcpy(&wide, at, sizeof wide);
  return isnan(single) || isnan(wide);
}

pp_status pp_memory_new(const pp_routine *routine, pp_memory *memory) {
  memory->nodes = routine->nodes;
  memory->bytes = calloc(routine->nodes + 1, sizeof *memory->bytes);
  for (size_t i = 0; memory->bytes && i < routine->nodes; i++) {
    const pp_node *node = &routine->node[i];
    uint64_t bytes = pp_node_bytes(node);
    memory->bytes[i] = calloc(1, bytes > 0 ? bytes : 1);
    if (!memory->bytes[i]) {
      pp_memory_free(memory);
      break;
    }
    if (node->data && bytes > 0) memcpy(memory->bytes[i], node->data, bytes);
  }
  return memory->bytes ? PP_OK : PP_NO_MEMORY;
}

void pp_memory_free(pp_memory *memory) {
  for (size_t i = 0; memory->bytes && i < memory->nodes; i++)
    free(memory->bytes[i]);
  free((void *)memory->bytes);
  *memory = (pp_memory){0};
}

bool pp_same_values(pp_dtype dtype, const void *a, const void *b,
                    uint64_t elements, uint64_t *first) {
  size_t width = pp_dtype_bytes(dtype);
  const unsigned char *pa = a;
  const unsigned char *pb = b;
  for (uint64_t i = 0; i < elements; i++, pa += width, pb += width) {
    if (memcmp(pa, pb, width) == 0) continue;
    if (is_nan(dtype, pa) && is_nan(dtype, pb)) continue;
    if (first) *first = i;
    return false;
  }
  return true;
}

uint64_t pp_count_nans(pp_dtype dtype, const void *values, uint64_t elements) {
  size_t width = pp_dtype_bytes(dtype);
  const unsigned char *at = values;
  uint64_t count = 0;
  for (uint64_t i = 0; i < elements; i++, at += width)
    count += is_nan(dtype, at);
  return count;
}
