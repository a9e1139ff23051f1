/* poolproof: the machine for devices, as texts that the build embeds.
 * SPDX-License-Identifier: MIT */
#ifndef PP_TEXTS_H
#define PP_TEXTS_H

/* OpenCL C 1.2, preprocessed; to be built with -DPP_TILE=..., at most 64. The
 * second needs no doubles, and wants division and root of floats rounded
 * correctly (-cl-fp32-correctly-rounded-divide-sqrt). */
extern const char pp_text_machine_cl[];
extern const char pp_text_machine_no_f64_cl[];

/* PTX for sm_60 and later. */
enum { PP_PTX_TILE = 1 }; /* lanes */
extern const char pp_text_machine_ptx[];

#endif
