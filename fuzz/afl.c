/* poolproof: mutation, crossover and trimming as AFL++ wants them of a custom
 * mutator: AFL_CUSTOM_MUTATOR_LIBRARY. SPDX-License-Identifier: MIT */
#include "mutate.h"
#include "trim.h"

#include "random.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = PP_TRIM_QUESTIONS };

/* out        the mutation, or a candidate, or a few bytes that nobody reads
 * trim       of the input that is trimmed now; candidate: to be tried next
 * step       how many were tried */
typedef struct pp_afl {
  pp_random random;
  uint8_t *out;
  size_t room;
  pp_trim *trim;
  const uint8_t *candidate;
  size_t size;
  int32_t step;
} pp_afl;

#define PP_HOOK __attribute__((visibility("default")))
PP_HOOK void *afl_custom_init(const void *afl, unsigned int seed);
PP_HOOK size_t afl_custom_fuzz(pp_afl *own, uint8_t *buf, size_t size,
                               uint8_t **out, const uint8_t *add, size_t added,
                               size_t max);
PP_HOOK int32_t afl_custom_init_trim(pp_afl *own, const uint8_t *buf,
                                     size_t size);
PP_HOOK size_t afl_custom_trim(pp_afl *own, uint8_t **out);
PP_HOOK int32_t afl_custom_post_trim(pp_afl *own, uint8_t success);
PP_HOOK void afl_custom_deinit(pp_afl *own);

/* NULL, without memory, ends the fuzzer. */
void *afl_custom_init(const void *afl, unsigned int seed) {
  (void)afl;
  pp_afl *own = calloc(1, sizeof *own);
  if (own) pp_random_start(&own->random, seed, 0);
  return own;
}

static bool make_room(pp_afl *own, size_t room) {
  if (room <= own->room) return true;
  uint8_t *grown = realloc(own->out, room);
  if (!grown) return false;
  own->out = grown;
  own->room = room;
  return true;
}

/* Without memory the input stays as it is, as far as it fits. */
size_t afl_custom_fuzz(pp_afl *own, uint8_t *buf, size_t size, uint8_t **out,
                       const uint8_t *add, size_t added, size_t max) {
  enum { CROSSOVERS = 4 };
  uint64_t seed = pp_random_next(&own->random);
  bool cross = add && pp_random_one_in(&own->random, CROSSOVERS);
  if (size > max) size = max;
  *out = buf;
  if (!make_room(own, max)) return size;
  *out = own->out;
  if (cross) return pp_crossover(buf, size, add, added, own->out, max, seed);
  memcpy(own->out, buf, size);
  return pp_mutate(own->out, size, max, seed);
}

/* The step that AFL++ should go on with: STEPS ends the trimming. */
static int32_t next_step(pp_afl *own) {
  own->size = own->step < STEPS ? pp_trim_next(own->trim, &own->candidate) : 0;
  if (own->size > 0) return own->step;
  pp_trim_free(own->trim);
  own->trim = NULL;
  return STEPS;
}

/* How many steps at most; 0: nothing can be made smaller. */
int32_t afl_custom_init_trim(pp_afl *own, const uint8_t *buf, size_t size) {
  pp_trim_free(own->trim);
  own->step = 0;
  own->trim = pp_trim_new(buf, size);
  return own->trim && next_step(own) < STEPS ? STEPS : 0;
}

/* AFL++ ends when there is no address, and passes over a size of 0. */
size_t afl_custom_trim(pp_afl *own, uint8_t **out) {
  static uint8_t nothing[1];
  *out = nothing;
  if (!make_room(own, own->size)) return 0;
  memcpy(own->out, own->candidate, own->size);
  *out = own->out;
  return own->size;
}

int32_t afl_custom_post_trim(pp_afl *own, uint8_t success) {
  pp_trim_tell(own->trim, success != 0);
  own->step++;
  return next_step(own);
}

void afl_custom_deinit(pp_afl *own) {
  pp_trim_free(own->trim);
  free(own->out);
  free(own);
}
