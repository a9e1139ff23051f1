/* poolproof: the offset matrix: what the drivers that stand in for the vendors'
 * can tell and do. SPDX-License-Identifier: MIT */
#ifndef PP_MATRIX_DRIVERS_H
#define PP_MATRIX_DRIVERS_H

#include "common.h"

/* As pp_matrix_on has them; NULL: the backend has no such driver. */
uint64_t (*pp_driver_commands(pp_backend_id id))(void);
bool (*pp_driver_lose(pp_backend_id id))(void);

#endif
