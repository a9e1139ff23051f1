/* poolproof: the singleton that each backend of the list exports.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MODULES_H
#define PP_MODULES_H

#include <poolproof/backend.h>

#define PP_BACKEND_MODULE(NAME, name, alias, about)                            \
  extern pp_backend pp_backend_##name;
PP_BACKENDS(PP_BACKEND_MODULE)
#undef PP_BACKEND_MODULE

#endif
