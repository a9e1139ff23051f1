/* poolproof: the side of the protocol that answers.
 * SPDX-License-Identifier: MIT */
#ifndef PP_SERVE_H
#define PP_SERVE_H

#include "wire.h"

#include <stdio.h>

enum { PP_SERVE_LINE = 64 << 20 }; /* the longest line that is read, bytes */

/* Answers a question that has nothing wrong with it; reply is zeroed. False:
 * out of memory. */
typedef bool pp_serve_answer(void *state, const pp_ask *ask, pp_reply *reply);

/* Answers the requests that come in, a line each, until bye or the end of the
 * input. hello is what this side says of itself.
 *
 * hello must come first. What cannot be answered is an `error` with the id of
 * its request (0 where it has none), and serving goes on: a line that is no
 * request, a question with something wrong with it (pp_ask_wrong) or larger
 * than hello's items, no memory. What needs a capability that hello has not is
 * `unsupported`. Writes when no more input is waiting, or much is to be
 * written. Reads in's descriptor: nothing of in may have been read before.
 *
 * Returns 0, or diag's when in or out failed. */
int pp_serve(FILE *in, FILE *out, const pp_hello *hello,
             pp_serve_answer *answer, void *state, pp_diag *diag);

#endif
