/* poolproof: the offset matrix: kernels of every kind, and what each should
 * compute by a loop of its own. SPDX-License-Identifier: MIT */
#ifndef PP_MATRIX_KERNELS_H
#define PP_MATRIX_KERNELS_H

#include <poolproof/types.h>

/* text    a routine: @ stands for the dtype, $ for n
 * expect  does to the operands' values, of the dtypes that the text has, what
 *         the kernel should do; NULL for dtypes that have no such operation
 * same    its operands 0 to 2 have one size and may lie in one place */
typedef struct pp_matrix_kernel {
  const char *name;
  const char *text;
  void (*expect[PP_DTYPE_COUNT])(void *const *operand, size_t n);
  bool same;
} pp_matrix_kernel;

enum { PP_MATRIX_KERNELS = 10 };
extern const pp_matrix_kernel pp_matrix_kernels[PP_MATRIX_KERNELS];

#endif
