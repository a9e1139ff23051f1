/* poolproof: what went wrong, in one sentence, and the exit status it means. */
#ifndef PP_DIAG_H
#define PP_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses of the program. */
enum {
  PP_EXIT_FINE = 0,
  PP_EXIT_FOUND = 1,   /* a violation, a disagreement, a plan that fails */
  PP_EXIT_INPUT = 2,   /* bad usage or bad input */
  PP_EXIT_RESOURCE = 3 /* out of memory, a failed write, an internal fault */
};

/* code is PP_EXIT_INPUT or PP_EXIT_RESOURCE once something failed; the first
 * failure stays. bad_span: the input holds a span that is empty (lo > hi), at
 * item index under this cap, so that `plan --json` can answer BAD_SPAN. */
typedef struct pp_diag {
  int code;
  bool bad_span;
  size_t index;
  uint64_t cap;
  char text[600];
} pp_diag;

/* Sets the sentence unless one is set. User bytes inside are made printable
 * and cut. Returns code, so that `return pp_diag_fail(...)` reads well. */
int pp_diag_fail(pp_diag *diag, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* PP_EXIT_RESOURCE with "out of memory". */
int pp_fail_memory(pp_diag *diag);

/* Marks the failure that comes next as BAD_SPAN of this item. */
void pp_bad_span(pp_diag *diag, size_t index, uint64_t cap);

/* Copies text into out (size bytes, terminated), control and non-ASCII bytes
 * as \xNN, cut with "..." when it does not fit. Returns out. */
const char *pp_printable(const char *text, char *out, size_t size);

#endif
