/* poolproof reference: alignment (SEG-1). SPDX-License-Identifier: MIT */
#define PP_REF_ALIGN_VISIBLE
#include "align.h"

/*@ // The one axiom that align.h gives to other files.
  @ lemma zero_is_aligned: \forall integer align; Aligned(0, align);
  @
  @ lemma multiple: \forall integer k, a; 0 < a ==> (k * a) % a == 0;
  @
  @ lemma division: \forall integer x, a; 0 <= x && 0 < a ==>
  @   x == (x / a) * a + x % a && 0 <= x % a < a;
  @
  @ lemma next_factor: \forall integer k, q, a;
  @   0 < a && q * a < k * a ==> (q + 1) * a <= k * a;
  @
  @ lemma next_form: \forall integer x, a; 0 <= x && 0 < a ==>
  @   x - x % a + a == (x / a + 1) * a;
  @
  @ lemma next_is_multiple: \forall integer x, a; 0 <= x && 0 < a ==>
  @   (x - x % a + a) % a == 0;
  @
  @ lemma next_is_least: \forall integer x, a, m;
  @   0 <= x <= m && 0 < a && x % a != 0 && m % a == 0 ==>
  @   x - x % a + a <= m;
  @*/

uint64_t pp_ref_padding(uint64_t x, uint64_t align) {
  if (align <= 1) return 0;
  uint64_t rest = x % align;
  return rest == 0 ? 0 : align - rest;
}
