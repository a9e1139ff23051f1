/* poolproof: vectors: questions with the answers that the rules give.
 *
 * corpus/vectors/VERB.json, one file a verb (oracle/schema/vectors-1); the
 * program carries them. SPDX-License-Identifier: MIT */
#ifndef PP_VECTORS_H
#define PP_VECTORS_H

#include "ask.h"
#include "wire.h"

#include <stdio.h>

/* comment  for people, owned
 * flags    comma-separated names of the file's flags, owned; each flag says
 *          in the file what it is and which kind of fault it shows
 * rules    comma-separated rule IDs, owned */
typedef struct pp_vector {
  char id[PP_ASK_ID];
  char *comment;
  char *flags;
  char *rules;
  pp_ask ask;
  pp_reply expect;
} pp_vector;

typedef struct pp_vectors {
  size_t n;
  pp_vector *vector;
} pp_vectors;

/* The vectors that the program carries, or those of a folder or file. */
int pp_vectors_embedded(pp_vectors *vectors, pp_diag *diag);
int pp_vectors_read(const char *path, pp_vectors *vectors, pp_diag *diag);

void pp_vectors_free(pp_vectors *vectors);

#endif
