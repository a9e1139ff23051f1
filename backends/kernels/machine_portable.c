/* poolproof: the machine for any processor. SPDX-License-Identifier: MIT */
#define PP_MACHINE_RUN pp_machine_portable
#include "kernels/machine_host.h"
