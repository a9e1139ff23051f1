#include "budget.h"

/*@ predicate Divided(integer a, integer b, integer quotient, integer rest) =
  @   a == quotient * b + rest && 0 <= rest < b;
  @
  @ lemma division: \forall integer a, b; 0 <= a && 0 < b ==>
  @   Divided(a, b, a / b, a % b);
  @
  @ lemma product: \forall integer x, y; 0 <= x && 0 <= y ==> 0 <= x * y;
  @
  @ lemma product_above: \forall integer x, y; 0 < x && 0 < y ==> 0 < x * y;
  @*/

typedef struct division {
  uint64_t quotient;
  uint64_t rest;
} division;

/*@ requires 0 < b;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures fpt_4_divided: Divided(a, b, \result.quotient, \result.rest);
  @*/
static division divide(uint64_t a, uint64_t b) {
  return (division){a / b, a % b};
}

/* a / b against c / d. With equal quotients and the rests r and s it is r / b
 * against s / d, so d / s against b / r. */
/*@ requires 0 < b && 0 < d;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures fpt_4_exact: \result == RatioOrder(a, b, c, d);
  @*/
static int compare(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  division p = divide(a, b), q = divide(c, d);
  /*@ loop invariant 0 < b && 0 < d;
    @ loop invariant fpt_4_value:
    @   a * d - c * b == \at(a * d - c * b, Pre);
    @ loop invariant fpt_4_p: Divided(a, b, p.quotient, p.rest);
    @ loop invariant fpt_4_q: Divided(c, d, q.quotient, q.rest);
    @ loop assigns a, b, c, d, p, q;
    @ loop variant b + d;
    @*/
  while (p.quotient == q.quotient && p.rest > 0 && q.rest > 0) {
    //@ assert fpt_4_a: a == p.quotient * b + p.rest;
    //@ assert fpt_4_c: c == p.quotient * d + q.rest;
    //@ assert fpt_4_rests: a * d - c * b == p.rest * d - q.rest * b;
    a = d;
    c = b;
    b = q.rest;
    d = p.rest;
    p = divide(a, b);
    q = divide(c, d);
  }
  /*@ assert fpt_4_parts: a * d - c * b ==
    @   (p.quotient - q.quotient) * (b * d) + p.rest * d - q.rest * b;
    @*/
  /*@ assert fpt_4_more: a * d - c * b ==
    @   (p.quotient - q.quotient - 1) * (b * d) + p.rest * d +
    @   (d - q.rest) * b;
    @*/
  /*@ assert fpt_4_less: c * b - a * d ==
    @   (q.quotient - p.quotient - 1) * (b * d) + q.rest * b +
    @   (b - p.rest) * d;
    @*/
  //@ assert 0 < (b - p.rest) * d && 0 < (d - q.rest) * b;
  //@ assert 0 <= p.rest * d && 0 <= q.rest * b;
  /*@ assert p.quotient < q.quotient ==>
    @   0 <= (q.quotient - p.quotient - 1) * (b * d);
    @*/
  /*@ assert q.quotient < p.quotient ==>
    @   0 <= (p.quotient - q.quotient - 1) * (b * d);
    @*/
  if (p.quotient != q.quotient) return p.quotient < q.quotient ? -1 : 1;
  return (p.rest > 0) - (q.rest > 0);
}

int pp_ref_compare_ratio(pp_ref_relief a, uint64_t a_cost, pp_ref_relief b,
                         uint64_t b_cost) {
  bool a_less = a.negative && a.bytes > 0;
  bool b_less = b.negative && b.bytes > 0;
  if (a_less != b_less) return a_less ? -1 : 1;
  int order = compare(a.bytes, a_cost, b.bytes, b_cost);
  return a_less ? -order : order;
}

bool pp_ref_ranks_before(const pp_ref_rank *a, const pp_ref_rank *b) {
  int ratio = pp_ref_compare_ratio(a->relief, a->cost, b->relief, b->cost);
  if (ratio != 0) return ratio > 0;
  int bytes = pp_ref_compare_ratio(a->relief, 1, b->relief, 1);
  if (bytes != 0) return bytes > 0;
  return a->uid < b->uid;
}
