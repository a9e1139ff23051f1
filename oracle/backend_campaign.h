/* poolproof: what the campaigns that run on backends are told.
 * SPDX-License-Identifier: MIT */
#ifndef PP_BACKEND_CAMPAIGN_H
#define PP_BACKEND_CAMPAIGN_H

#include <poolproof/backend.h>

/* All plain. Both limits 0: 10 seconds. */
typedef struct pp_backend_campaign {
  uint64_t seed;
  uint64_t first;       /* number of the first run */
  uint64_t runs;        /* 0: no limit */
  uint64_t seconds;     /* 0: no limit */
  pp_backend *backend;  /* NULL: what the campaign says */
  const char *find_dir; /* where a find is written; NULL: here */
  bool quiet;
} pp_backend_campaign;

#endif
