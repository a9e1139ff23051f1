/* poolproof: what a routine's values must be after each step.
 * SPDX-License-Identifier: MIT */
#include "run_truth.h"

#include "random.h"
#include "ref/interp.h"
#include "routines.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool pp_truth_draws(const pp_node *node) {
  return (node->intents & (PP_HOST | PP_MERGE)) != 0 && node->data == NULL;
}

bool pp_truth_looks(const pp_node *node) {
  return (node->intents & (PP_OBSERVABLE | PP_HOST)) != 0;
}

static void draw(const pp_routine *source, uint64_t seed, pp_memory *memory) {
  for (size_t i = 0; i < source->nodes; i++) {
    const pp_node *node = &source->node[i];
    pp_random random;
    pp_random_start(&random, seed, node->uid);
    if (pp_truth_draws(node))
      pp_random_values(&random, node->dtype, false, memory->bytes[i],
                       pp_node_elements(node));
  }
}

static bool keep(const pp_memory *memory, size_t step, pp_truth *truth) {
  const pp_routine *source = truth->source;
  for (size_t i = 0; i < source->nodes; i++) {
    const pp_node *node = &source->node[i];
    uint64_t bytes = pp_node_bytes(node);
    if (!pp_truth_looks(node)) continue;
    unsigned char *copy = malloc(bytes > 0 ? bytes : 1);
    if (!copy) return false;
    if (bytes > 0) memcpy(copy, memory->bytes[i], bytes);
    truth->after[step * source->nodes + i] = copy;
  }
  return true;
}

static pp_status run(pp_truth *truth, uint64_t seed) {
  const pp_routine *source = truth->source;
  pp_memory memory = {0};
  pp_status status = pp_memory_new(source, &memory);
  if (status != PP_OK) return status;
  draw(source, seed, &memory);
  for (size_t s = 0; s < truth->steps && status == PP_OK; s++) {
    pp_ref_interp(source->node, source->statement, source->statements,
                  memory.bytes);
    if (!keep(&memory, s, truth)) status = PP_NO_MEMORY;
  }
  pp_memory_free(&memory);
  return status;
}

pp_status pp_truth_make(const pp_routine *source, size_t steps, uint64_t seed,
                        pp_truth *truth) {
  size_t values = 0;
  *truth = (pp_truth){.source = source, .steps = steps};
  if (__builtin_mul_overflow(steps, source->nodes, &values))
    return PP_NO_MEMORY;
  pp_status status = pp_memory_new(source, &truth->start);
  if (status != PP_OK) return status;
  draw(source, seed, &truth->start);
  truth->after = calloc(values + 1, sizeof(unsigned char *));
  status = truth->after ? run(truth, seed) : PP_NO_MEMORY;
  if (status != PP_OK) pp_truth_free(truth);
  return status;
}

void pp_truth_free(pp_truth *truth) {
  size_t values = truth->after ? truth->steps * truth->source->nodes : 0;
  for (size_t i = 0; i < values; i++)
    free(truth->after[i]);
  free((void *)truth->after);
  pp_memory_free(&truth->start);
  *truth = (pp_truth){0};
}

static void integer_text(int64_t value, char *text) {
  (void)snprintf(text, PP_VALUE_TEXT, "%" PRId64, value);
}

static void real_text(double value, int digits, char *text) {
  if (isnan(value))
    (void)snprintf(text, PP_VALUE_TEXT, "nan");
  else
    (void)snprintf(text, PP_VALUE_TEXT, "%.*g", digits, value);
}

#define TEXT_INT(x, text) integer_text((int64_t)(x), text)
#define TEXT_FLOAT(x, text)                                                    \
  real_text((double)(x), sizeof(x) == sizeof(float) ? 9 : 17, text)

const char *pp_value_text(pp_dtype dtype, const unsigned char *values,
                          uint64_t i, char text[PP_VALUE_TEXT]) {
  switch (dtype) {
#define PP_TEXT(NAME, name, type, kind)                                        \
  case PP_##NAME: {                                                            \
    type x;                                                                    \
    memcpy(&x, values + i * sizeof x, sizeof x);                               \
    TEXT_##kind(x, text);                                                      \
    break;                                                                     \
  }
    PP_DTYPES(PP_TEXT)
#undef PP_TEXT
  case PP_DTYPE_COUNT:
    break;
  }
  return text;
}
