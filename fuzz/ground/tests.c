/* poolproof: counts the unit tests that begin, and sees the first that fails.
 * SPDX-License-Identifier: MIT */
#include "probe.h"

#include <criterion/criterion.h>
#include <criterion/hooks.h>

ReportHook(PRE_TEST)(struct criterion_test *test) {
  (void)test;
  pp_probe_case();
}

ReportHook(POST_TEST)(struct criterion_test_stats *stats) {
  (void)pp_probe_judged(stats->test_status == CR_STATUS_FAILED);
}
