/* poolproof: disagreements that are known, for now.
 * SPDX-License-Identifier: MIT */
#ifndef PP_WAIVERS_H
#define PP_WAIVERS_H

#include "ask.h"
#include "wire.h"

#include <time.h>

/* {"poolproof": "waivers/1", "waivers": [{"id": "arena-0123456789abcdef",
 *  "issue": "https://...", "expires": "2027-01-31", "reason": "..."}]}
 * id       of the question, exactly: a waiver never covers another one
 * expires  a date; it still holds on that day (UTC) */
typedef struct pp_waiver {
  char id[PP_ASK_ID];
  char url[400];
  time_t until; /* the first second after it */
  bool used;
} pp_waiver;

typedef struct pp_waivers {
  size_t n;
  pp_waiver *waiver;
} pp_waivers;

/* Strict: a waiver without an http(s) URL or a date, an id twice, unknown keys
 * are refused. Returns 0 or diag's. */
int pp_waivers_read(const char *path, pp_waivers *waivers, pp_diag *diag);

/* The waiver of this id that holds at `now`, marked used, or NULL. */
const pp_waiver *pp_waivers_find(pp_waivers *waivers, const char *id,
                                 time_t now);

/* One line for each that expired or was not used; owned by the caller, NULL
 * without memory. */
char *pp_waivers_stale(const pp_waivers *waivers, time_t now);

void pp_waivers_free(pp_waivers *waivers);

#endif
