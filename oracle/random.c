#include "random.h"

#include <sys/random.h>
#include <time.h>

PP_WRAPS static uint64_t scramble(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

PP_WRAPS uint64_t pp_random_next(pp_random *random) {
  random->state += UINT64_C(0x9e3779b97f4a7c15);
  return scramble(random->state);
}

PP_WRAPS uint64_t pp_random_mix(uint64_t hash, uint64_t value) {
  return scramble((hash ^ value) + UINT64_C(0x9e3779b97f4a7c15));
}

void pp_random_start(pp_random *random, uint64_t seed, uint64_t stream) {
  random->state = pp_random_mix(pp_random_mix(0, seed), stream);
}

uint64_t pp_random_below(pp_random *random, uint64_t bound) {
  __extension__ typedef unsigned __int128 wide;
  return (uint64_t)(((wide)pp_random_next(random) * bound) >> 64);
}

bool pp_random_one_in(pp_random *random, uint64_t n) {
  return pp_random_below(random, n) == 0;
}

uint64_t pp_random_fresh_seed(void) {
  uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed) {
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    seed = pp_random_mix((uint64_t)now.tv_sec, (uint64_t)now.tv_nsec);
  }
  return seed & UINT32_MAX;
}
