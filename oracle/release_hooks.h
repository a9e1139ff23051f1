/* poolproof: who answers the calls that the reference's release makes.
 * SPDX-License-Identifier: MIT */
#ifndef PP_RELEASE_HOOKS_H
#define PP_RELEASE_HOOKS_H

#include "ref/types.h"

/* What pp_ref_await and pp_ref_free_pool (ref/release.h) do: each calls its
 * hook with state. */
typedef struct pp_release_hooks {
  pp_status (*await)(void *state);
  pp_status (*free_pool)(void *state, uint64_t pool);
  void *state;
} pp_release_hooks;

/* From now on the calls of this thread go to these hooks. To be said before
 * each pp_ref_release. */
void pp_release_hook(pp_release_hooks hooks);

#endif
