/* poolproof: the machine as C for this processor. A file that includes it has
 * defined PP_MACHINE_RUN, the function's name.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MACHINE_HOST_H
#define PP_MACHINE_HOST_H

#include "kernels/machine_internal.h"

/* More lanes read each operand in bursts that outrun the prefetching of memory,
 * fewer do not pay for the work that each tile is. */
enum { PP_TILE = 256 };
#define PP_TILE_ALIGN _Alignas(64)
#define PP_GLOBAL
#define PP_TASK
#if defined(__clang__)
#define PP_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow")))
#else
#define PP_WRAPS
#endif

#define PP_WIDE f64
typedef double pp_wide;
#define PP_DIV(type, x, y) ((type)((x) / (y)))
/* Rounding the root of a float twice gives what rounding it once gives. */
#define PP_SQRT(type, x) ((type)__builtin_sqrt((double)(x)))

#define PP_HOST_ACCESS(NAME, name, type, kind)                                 \
  static inline type pp_read_##name(const unsigned char *from) {               \
    type value;                                                                \
    __builtin_memcpy(&value, from, sizeof value);                              \
    return value;                                                              \
  }                                                                            \
  static inline void pp_write_##name(unsigned char *to, type value) {          \
    __builtin_memcpy(to, &value, sizeof value);                                \
  }
PP_DTYPES(PP_HOST_ACCESS)
#undef PP_HOST_ACCESS

#include "kernels/machine_body.h"

void PP_MACHINE_RUN(const pp_task *task, unsigned char *const *operand) {
  pp_workspace space;
  pp_cursor cursor;
  for (uint32_t k = 0; k < task->accesses; k++)
    cursor.start[k] = operand[task->access[k].operand];
  if (!task->along) {
    for (uint64_t first = 0; first < task->points; first += cursor.n)
      pp_across_tile(task, &cursor, &space, first);
    return;
  }
  pp_rewind(task, &cursor);
  do {
    pp_along_tiles(task, &cursor, &space);
  } while (pp_turn(task, &cursor, 0, task->loops));
}

#endif
