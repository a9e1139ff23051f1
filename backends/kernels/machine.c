/* poolproof: the machine on this processor: chooses its build.
 * SPDX-License-Identifier: MIT */
#include "kernels/machine_internal.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#if defined(__x86_64__)
/* What gcc's -march=x86-64-v3 may use, and what the system saves of it. */
static bool has_v3(void) {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  const unsigned basic =
      bit_FMA | bit_MOVBE | bit_F16C | bit_SSE4_2 | bit_POPCNT | bit_CMPXCHG16B;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") ||
      !__builtin_cpu_supports("bmi2"))
    return false;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & basic) != basic) return false;
  return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT) != 0;
}
#endif

bool pp_machine_available(pp_machine machine) {
#if defined(__x86_64__)
  if (machine == PP_MACHINE_V3) {
    enum { UNKNOWN, NO, YES };
    static _Atomic int known = UNKNOWN;
    if (known == UNKNOWN) known = has_v3() ? YES : NO;
    return known == YES;
  }
#endif
  return machine == PP_MACHINE_PORTABLE;
}

void pp_machine_run_on(pp_machine machine, const pp_code *code,
                       unsigned char *const *operand) {
  void (*run)(const pp_task *, unsigned char *const *) = pp_machine_portable;
#if defined(__x86_64__)
  if (machine == PP_MACHINE_V3) run = pp_machine_v3;
#else
  (void)machine;
#endif
  for (size_t s = 0; s < code->statements; s++) {
    pp_task task;
    if (pp_task_is_empty(&code->statement[s])) continue;
    pp_task_make(&task, &code->statement[s], false);
    run(&task, operand);
  }
}

void pp_machine_run(const pp_code *code, unsigned char *const *operand) {
  pp_machine best = PP_MACHINE_PORTABLE;
  for (unsigned m = 0; m < PP_MACHINE_COUNT; m++)
    if (pp_machine_available((pp_machine)m)) best = (pp_machine)m;
  pp_machine_run_on(best, code, operand);
}
