/* poolproof-backend: none */
#include "ref/spans.h"

#include <criterion/criterion.h>

enum { MOST = 5 };

#define READ(v, p)                                                             \
  { (v), (p), PP_REF_READ }
#define WRITE(v, p)                                                            \
  { (v), (p), PP_REF_WRITE }
#define FILL(v, p)                                                             \
  { (v), (p), PP_REF_FILL }
#define SPAN(lo, hi)                                                           \
  { true, (lo), (hi) }
#define NONE                                                                   \
  { false, 0, 0 }

/* Expected values are worked out by hand from RTN-6. */
static const struct {
  const char *rule;
  size_t n;
  pp_ref_event event[MOST];
  size_t nodes;
  bool working[2];
  bool opaque;
  pp_ref_life life[2];
} cases[] = {
    {"no node", 1, {READ(0, 0)}, 0, {false}, false, {NONE}},
    {"no access", 0, {NONE}, 1, {true}, false, {NONE}},
    {"first to last access",
     4,
     {FILL(0, 2), READ(0, 3), WRITE(0, 5), READ(1, 9)},
     2,
     {true, true},
     false,
     {SPAN(2, 5), NONE}},
    {"filled and read at one position",
     2,
     {FILL(0, 7), READ(0, 7)},
     1,
     {true},
     false,
     {SPAN(7, 7)}},
    {"positions in any order, both ends of 64 bits",
     4,
     {FILL(0, 6), READ(0, UINT64_MAX), WRITE(0, 0), READ(0, 8)},
     1,
     {true},
     false,
     {SPAN(0, UINT64_MAX)}},
    {"two nodes, one among the other's accesses",
     5,
     {FILL(1, 1), FILL(0, 2), READ(1, 2), READ(0, 4), WRITE(1, 3)},
     2,
     {true, true},
     false,
     {SPAN(2, 4), SPAN(1, 3)}},
    {"read first",
     3,
     {READ(0, 0), FILL(0, 1), READ(0, 2)},
     1,
     {true},
     false,
     {NONE}},
    {"written in part first",
     3,
     {WRITE(0, 0), FILL(0, 1), READ(0, 2)},
     1,
     {true},
     false,
     {NONE}},
    {"filled at a lesser position, but later",
     3,
     {READ(0, 5), FILL(0, 1), READ(0, 6)},
     1,
     {true},
     false,
     {NONE}},
    {"read by nobody",
     3,
     {FILL(0, 0), WRITE(0, 1), READ(1, 2)},
     1,
     {true},
     false,
     {NONE}},
    {"a node that does not work",
     4,
     {FILL(0, 0), READ(0, 1), FILL(1, 0), READ(1, 1)},
     2,
     {false, true},
     false,
     {NONE, SPAN(0, 1)}},
    {"opaque code",
     4,
     {FILL(0, 0), READ(0, 1), FILL(1, 0), READ(1, 1)},
     2,
     {true, true},
     true,
     {NONE, NONE}},
};

Test(ref_spans, cases) {
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    pp_ref_life life[2] = {{true, 8, 3}, {true, 8, 3}};
    pp_ref_spans(cases[c].event, cases[c].n, cases[c].working, cases[c].nodes,
                 cases[c].opaque, life);
    for (size_t i = 0; i < cases[c].nodes; i++) {
      cr_expect_eq(life[i].has_span, cases[c].life[i].has_span, "%s: node %zu",
                   cases[c].rule, i);
      cr_expect_eq(life[i].lo, cases[c].life[i].lo, "%s: node %zu from %llu",
                   cases[c].rule, i, (unsigned long long)life[i].lo);
      cr_expect_eq(life[i].hi, cases[c].life[i].hi, "%s: node %zu to %llu",
                   cases[c].rule, i, (unsigned long long)life[i].hi);
    }
    for (size_t i = cases[c].nodes; i < 2; i++)
      cr_expect_eq(life[i].lo, 8, "%s: written past the end", cases[c].rule);
  }
}
