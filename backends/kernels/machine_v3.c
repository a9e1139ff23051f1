/* poolproof: the machine for x86-64-v3, which is how this file is compiled;
 * on other processors it is not. SPDX-License-Identifier: MIT */
#define PP_MACHINE_RUN pp_machine_v3
#include "kernels/machine_host.h"
