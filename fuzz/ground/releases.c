/* poolproof: counts the releases that exhaust_release asks of the reference.
 * SPDX-License-Identifier: MIT */
#include "probe.h"

#include "ref/release.h"

/* NOLINTBEGIN: the linker's names */
pp_status __real_pp_ref_release(const pp_location *at,
                                const pp_location *parent_at,
                                const bool *in_parent, size_t n,
                                const pp_location *constant, size_t m,
                                pp_ref_progress *progress);
pp_status __wrap_pp_ref_release(const pp_location *at,
                                const pp_location *parent_at,
                                const bool *in_parent, size_t n,
                                const pp_location *constant, size_t m,
                                pp_ref_progress *progress);

pp_status __wrap_pp_ref_release(const pp_location *at,
                                const pp_location *parent_at,
                                const bool *in_parent, size_t n,
                                const pp_location *constant, size_t m,
                                pp_ref_progress *progress) {
  pp_probe_case();
  return __real_pp_ref_release(at, parent_at, in_parent, n, constant, m,
                               progress);
}
/* NOLINTEND */
