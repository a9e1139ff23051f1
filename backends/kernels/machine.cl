/* poolproof: the machine as a kernel of OpenCL C 1.2, which is also what the
 * PTX is made of. A work item does one tile of a statement's target after the
 * other. Whoever builds it defines PP_TILE, the lanes of a tile, and, where the
 * device has no doubles, PP_NO_F64. SPDX-License-Identifier: MIT */
#pragma OPENCL FP_CONTRACT OFF
#ifndef PP_NO_F64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#include "types.h"

#define PP_TILE_ALIGN
#define PP_GLOBAL __global
#define PP_TASK __global
#define PP_WRAPS

#if defined(__NVPTX__)
#define PP_ITEM                                                                \
  (__nvvm_read_ptx_sreg_ctaid_x() * (uint64_t)__nvvm_read_ptx_sreg_ntid_x() +  \
   __nvvm_read_ptx_sreg_tid_x())
#define PP_ITEMS                                                               \
  (__nvvm_read_ptx_sreg_nctaid_x() * (uint64_t)__nvvm_read_ptx_sreg_ntid_x())
#define PP_ROOT(x) __builtin_sqrt(x)
#else
#define PP_ITEM get_global_id(0)
#define PP_ITEMS get_global_size(0)
#define PP_ROOT(x) sqrt(x)
#endif

#ifdef PP_NO_F64
/* Built so that these are rounded correctly. */
#undef PP_DTYPES
#define PP_DTYPES(X)                                                           \
  X(U8, u8, uint8_t, INT)                                                      \
  X(I32, i32, int32_t, INT)                                                    \
  X(I64, i64, int64_t, INT)                                                    \
  X(F32, f32, float, FLOAT)
#define PP_WIDE f32
typedef float pp_wide;
#else
/* Those of doubles are rounded correctly on every device, and rounding them to
 * floats gives what rounding once gives. */
#define PP_WIDE f64
typedef double pp_wide;
#endif
#define PP_DIV(type, x, y) ((type)((pp_wide)(x) / (pp_wide)(y)))
#define PP_SQRT(type, x) ((type)PP_ROOT((pp_wide)(x)))

/* Offsets are any, so an element may lie at an odd address. */
#define PP_DEVICE_ACCESS(NAME, name, type, kind)                               \
  static type pp_read_##name(const __global uint8_t *from) {                   \
    union {                                                                    \
      type value;                                                              \
      uint8_t byte[sizeof(type)];                                              \
    } pun;                                                                     \
    if (((uint64_t)from & (sizeof(type) - 1)) == 0)                            \
      return *(const __global type *)from;                                     \
    for (uint32_t i = 0; i < sizeof(type); i++)                                \
      pun.byte[i] = from[i];                                                   \
    return pun.value;                                                          \
  }                                                                            \
  static void pp_write_##name(__global uint8_t *to, type value) {              \
    union {                                                                    \
      type value;                                                              \
      uint8_t byte[sizeof(type)];                                              \
    } pun = {value};                                                           \
    if (((uint64_t)to & (sizeof(type) - 1)) == 0) {                            \
      *(__global type *)to = value;                                            \
      return;                                                                  \
    }                                                                          \
    for (uint32_t i = 0; i < sizeof(type); i++)                                \
      to[i] = pun.byte[i];                                                     \
  }
PP_DTYPES(PP_DEVICE_ACCESS)
#undef PP_DEVICE_ACCESS

#include "machine_body.h"

/* Else a tile might end with its row, before the next one begins. */
typedef char pp_tiles_are_short[PP_TILE <= PP_LONG_ROW ? 1 : -1];

/* Runs one of the tasks. Buffers are one for each access that the task has,
 * any for the others. */
__kernel void pp_run(const __global pp_task *tasks, uint64_t which,
                     pp_places place, __global uint8_t *buffer0,
                     __global uint8_t *buffer1, __global uint8_t *buffer2,
                     __global uint8_t *buffer3, __global uint8_t *buffer4,
                     __global uint8_t *buffer5, __global uint8_t *buffer6,
                     __global uint8_t *buffer7, __global uint8_t *buffer8) {
  __global uint8_t *const buffer[PP_ACCESSES] = {buffer0, buffer1, buffer2,
                                                 buffer3, buffer4, buffer5,
                                                 buffer6, buffer7, buffer8};
  const __global pp_task *task = tasks + which;
  const uint64_t tiles = (task->points - 1) / PP_TILE + 1;
  pp_workspace space;
  pp_cursor cursor;
  for (uint32_t k = 0; k < task->accesses; k++)
    cursor.start[k] = buffer[k] + place.offset[k];
  for (uint64_t tile = PP_ITEM; tile < tiles; tile += PP_ITEMS)
    pp_across_tile(task, &cursor, &space, tile * PP_TILE);
}
