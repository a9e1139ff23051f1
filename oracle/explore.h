/* poolproof: three parties on each input of a family.
 * SPDX-License-Identifier: MIT */
#ifndef PP_EXPLORE_H
#define PP_EXPLORE_H

#include "brute.h"
#include "differ.h"
#include "domain.h"

#include <stdatomic.h>

/* One thread's part. Counts are read by others while it works. */
typedef struct pp_explorer {
  pp_differ differ;
  pp_case c;
  pp_item small[PP_BRUTE_ITEMS];
  const pp_letter *word[PP_BRUTE_ITEMS];
  uint64_t number; /* of the word */
  size_t segment[PP_BRUTE_ITEMS];
  uint64_t offset[PP_BRUTE_ITEMS];
  uint64_t size[PP_BRUTE_ITEMS];
  uint64_t claim_offset[PP_BRUTE_ITEMS];
  uint64_t claim_size[PP_BRUTE_ITEMS];
  _Atomic uint64_t count[PP_OUTCOMES]; /* problems, by outcome */
  _Atomic uint64_t layouts;            /* claimed layouts checked */
  pp_outcome failed;                   /* once something did */
  char sentence[480];
} pp_explorer;

/* Room for everything; false without memory. */
bool pp_explorer_open(pp_explorer *explorer);
void pp_explorer_close(pp_explorer *explorer);

/* Words are cut into chunks by their first letters: how many there are. */
uint64_t pp_family_chunks(const pp_family *family, size_t letters);

/* Compares all words of a chunk. False: explorer->failed, c and sentence say
 * what about. */
bool pp_explore_chunk(pp_explorer *explorer, const pp_family *family,
                      const pp_letter *letters, size_t count, uint64_t chunk);

#endif
