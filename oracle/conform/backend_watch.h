/* poolproof: a backend around another one, which says from outside the process
 * which call is under way. SPDX-License-Identifier: MIT */
#ifndef PP_BACKEND_WATCH_H
#define PP_BACKEND_WATCH_H

#include "apart.h"

#include <poolproof/backend.h>

/* backend  goes wherever a backend goes; it counts as driven by a driver
 * inner    what its calls call */
typedef struct pp_backend_watch {
  pp_backend backend;
  pp_backend *inner;
  pp_apart *apart;
} pp_backend_watch;

/* Every call of the inner table must be there, or pp_die. */
void pp_backend_watch_open(pp_backend_watch *watch, pp_backend *inner,
                           pp_apart *apart);

#endif
