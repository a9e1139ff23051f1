/* What the unit tests share: tables of items, and LeakSanitizer's word. */
#ifndef PP_SUPPORT_H
#define PP_SUPPORT_H

#include <criterion/criterion.h>
#include <poolproof/planner.h>

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define PP_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PP_ASAN 1
#endif
#endif

#ifdef PP_ASAN
int __lsan_do_recoverable_leak_check(void);
#define pp_expect_no_leak()                                                    \
  cr_expect(__lsan_do_recoverable_leak_check() == 0, "leaked")
#else
#define pp_expect_no_leak() (void)0
#endif

/* An item with a span, one that is always live, one for SEG. */
#define LIVE(s, a, c, l, h)                                                    \
  {                                                                            \
    .size = (s), .align = (a), .item_class = (c), .lo = (l), .hi = (h),        \
    .has_span = true                                                           \
  }
#define ALWAYS(s, a)                                                           \
  { .size = (s), .align = (a) }

#define KIB UINT64_C(1024)
#define GIB (KIB * KIB * KIB)

#endif
