/* poolproof: counts what the program's campaigns try, and sees what fails.
 * The linker puts each __wrap_ in place of what it is named after (--wrap).
 * SPDX-License-Identifier: MIT */
#include "probe.h"

#include "explore.h"
#include "replay.h"
#include "routine_check.h"

/* NOLINTBEGIN: the linker's names */
pp_outcome __real_pp_differ_run(pp_differ *differ, const pp_case *c,
                                unsigned flags);
pp_outcome __wrap_pp_differ_run(pp_differ *differ, const pp_case *c,
                                unsigned flags);
pp_outcome __real_pp_differ_check(pp_differ *differ, const pp_case *c,
                                  const pp_claim *claim, pp_status *status,
                                  pp_violation *violation);
pp_outcome __wrap_pp_differ_check(pp_differ *differ, const pp_case *c,
                                  const pp_claim *claim, pp_status *status,
                                  pp_violation *violation);
bool __real_pp_explore_chunk(pp_explorer *explorer, const pp_family *family,
                             const pp_letter *letters, size_t count,
                             uint64_t chunk);
bool __wrap_pp_explore_chunk(pp_explorer *explorer, const pp_family *family,
                             const pp_letter *letters, size_t count,
                             uint64_t chunk);
pp_verdict __real_pp_routine_check(pp_routine *const *source, size_t sources,
                                   uint64_t seed, const pp_routine_where *where,
                                   pp_routine_checked *checked);
pp_verdict __wrap_pp_routine_check(pp_routine *const *source, size_t sources,
                                   uint64_t seed, const pp_routine_where *where,
                                   pp_routine_checked *checked);
pp_verdict __real_pp_replay_run(const pp_program *program, pp_backend *inner,
                                FILE *log, pp_replay *replay);
pp_verdict __wrap_pp_replay_run(const pp_program *program, pp_backend *inner,
                                FILE *log, pp_replay *replay);

pp_outcome __wrap_pp_differ_run(pp_differ *differ, const pp_case *c,
                                unsigned flags) {
  pp_probe_case();
  pp_outcome outcome = __real_pp_differ_run(differ, c, flags);
  (void)pp_probe_judged(outcome == PP_DISAGREED);
  return outcome;
}

pp_outcome __wrap_pp_differ_check(pp_differ *differ, const pp_case *c,
                                  const pp_claim *claim, pp_status *status,
                                  pp_violation *violation) {
  pp_probe_case();
  pp_outcome outcome =
      __real_pp_differ_check(differ, c, claim, status, violation);
  (void)pp_probe_judged(outcome == PP_DISAGREED);
  return outcome;
}

/* Where brute force disagrees with the two. */
bool __wrap_pp_explore_chunk(pp_explorer *explorer, const pp_family *family,
                             const pp_letter *letters, size_t count,
                             uint64_t chunk) {
  return !pp_probe_judged(
      !__real_pp_explore_chunk(explorer, family, letters, count, chunk));
}

pp_verdict __wrap_pp_routine_check(pp_routine *const *source, size_t sources,
                                   uint64_t seed, const pp_routine_where *where,
                                   pp_routine_checked *checked) {
  pp_probe_case();
  pp_verdict verdict =
      __real_pp_routine_check(source, sources, seed, where, checked);
  (void)pp_probe_judged(verdict == PP_DISAGREE);
  return verdict;
}

pp_verdict __wrap_pp_replay_run(const pp_program *program, pp_backend *inner,
                                FILE *log, pp_replay *replay) {
  pp_probe_case();
  pp_verdict verdict = __real_pp_replay_run(program, inner, log, replay);
  (void)pp_probe_judged(verdict == PP_DISAGREE);
  return verdict;
}
/* NOLINTEND */
