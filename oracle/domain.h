/* poolproof: the small inputs that `poolproof exhaust` enumerates.
 * SPDX-License-Identifier: MIT */
#ifndef PP_DOMAIN_H
#define PP_DOMAIN_H

#include "case.h"

/* One of the things an item can be: the item in small numbers and, where a
 * claimed layout is checked, where it is said to be. */
typedef struct pp_letter {
  pp_item item;
  uint64_t offset;
  size_t segment;
} pp_letter;

enum { PP_LETTERS = 512, PP_NUMBERS = 8, PP_LIVES = 13 };

/* A set of words of n letters. What is not a list holds for all letters.
 * Everything is in units of `unit` bytes; an alignment below 2 is none and
 * stays as it is.
 *
 * Why units are exact: with all sizes and alignments multiples of the unit,
 * every offset that the rules choose is one too (each is 0, or an end rounded
 * up), so the big problem's answer is the small one's times the unit, as long
 * as nothing passes 2^64 - 1, which is the cap `unlimited` in small units. */
typedef struct pp_family {
  pp_kind kind;
  bool claims; /* claimed layouts to check, not problems to plan */
  size_t n;
  uint64_t unit;
  unsigned flags;       /* PP_DIFFER_ of each comparison */
  const pp_item *lives; /* has_span, lo, hi and class */
  size_t life_count;
  uint64_t sizes;       /* sizes 0 .. sizes, */
  uint64_t first_align; /* alignments first_align .. aligns, */
  uint64_t aligns;
  const uint64_t (*pairs)[2]; /* or, unless NULL, these sizes and alignments */
  size_t pair_count;
  uint64_t offsets; /* claims: offsets 0 .. offsets */
  size_t segments;  /* claims: segments named 0 .. segments */
} pp_family;

/* The families of problems with up to `items` items, small first. */
const pp_family *pp_domain(size_t *count);

/* Writes a family's letters, PP_LETTERS at most. Returns how many there are,
 * which is more than that only through a mistake in the domain. */
size_t pp_family_letters(const pp_family *family, pp_letter *letters);

/* Sets c, of the family's n items, to the word `letters`, in real bytes, and
 * small to the same in units. False: the word is left out, since renaming its
 * two classes gives another one of the family: ARN-1 compares classes for
 * equality alone, so both have one answer. Which of two class names is which
 * alternates with `number`, and what the rules do not look at is rubbish. */
bool pp_family_word(const pp_family *family, const pp_letter *const *word,
                    uint64_t number, pp_case *c, pp_item *small);

#endif
