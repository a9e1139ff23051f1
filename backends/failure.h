/* poolproof: why a call of the runtime, a routine or a backend failed.
 * SPDX-License-Identifier: MIT */
#ifndef PP_FAILURE_H
#define PP_FAILURE_H

#include <poolproof/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PP_FAILURE_TEXT = 240 };

/* The first error of a call (CTX-3). Plain data: nothing to give back.
 * status  never PP_OK after an error
 * uid     the node it is about, when has_uid
 * text    one sentence, always terminated, cut when too long */
typedef struct pp_failure {
  pp_status status;
  uint64_t uid;
  bool has_uid;
  char text[PP_FAILURE_TEXT];
} pp_failure;

/* Fills *failure (NULL: nothing to fill) and returns status, so that a caller
 * may write `return pp_fail(...)`. Thread-safe. */
pp_status pp_fail(pp_failure *failure, pp_status status, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));

/* The same, about the node uid. */
pp_status pp_fail_node(pp_failure *failure, pp_status status, uint64_t uid,
                       const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A status in a few words, for any value of the enumeration; static. */
const char *pp_status_text(pp_status status);

#ifdef __cplusplus
}
#endif

#endif
