/* What the tests of the mutator share. */
#ifndef PP_MUTATE_TEST_H
#define PP_MUTATE_TEST_H

#include "mutate.h"
#include "mutate_input.h"
#include "support.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The most bytes of an input here, and what a mutation may have. */
enum { MOST = 1 << 16, ROOM = 4096 };

#define PROBLEM                                                                \
  "{\"poolproof\":\"problem/1\",\"kind\":\"arena\",\"cap\":1000,"              \
  "\"spans\":\"closed\",\"items\":["                                           \
  "{\"id\":\"a\",\"size\":8,\"align\":1,\"class\":\"x\",\"span\":[10,13]},"    \
  "{\"id\":\"b\",\"size\":12,\"align\":1,\"class\":\"y\",\"span\":[15,19]},"   \
  "{\"id\":\"c\",\"size\":21,\"align\":1,\"class\":\"x\",\"span\":[30,39]},"   \
  "{\"id\":\"d\",\"size\":50,\"align\":1,\"class\":\"y\",\"span\":[50,57]}]}"

#define PROGRAM                                                                \
  "option alignment 16\nroutine r\nnode 1 x f32 [4] host\n"                    \
  "node 2 y f32 [4] observable\nfor i<4: y[i] = x[i] + 1\nend\n"               \
  "root a 0\nlink b a r\nupload b 1 7\nfault launch 1 backend_failed\nrun b\n" \
  "download b 2\nrelease b\nlink c a r no_reuse cap 999\nrun c\nfree c\n"

#define ROUTINE                                                                \
  "routine r\nnode 1 x f32 [6] host\nnode 2 w f32 [6] constant data fill 2\n"  \
  "node 3 y f32 [6] span 0 1\nnode 4 z f32 [6] observable\n"                   \
  "for i<6: y[i] = x[i] + 3\nfor i<6: z[i] = y[i] * w[i]\n"                    \
  "for i<6: z[i] += x[i]\nend\n"

/* A mutation of size bytes, in memory of just its room, to see overruns; its
 * size, its bytes in result. */
size_t pp_test_mutate(const uint8_t *bytes, size_t size, size_t max,
                      uint64_t seed, uint8_t *result);

#endif
