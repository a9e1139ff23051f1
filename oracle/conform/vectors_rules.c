/* poolproof: the rules and the kinds of fault that vectors are held to.
 * SPDX-License-Identifier: MIT */
#include "vectors_parts.h"

#include <inttypes.h>
#include <string.h>

const pp_shown_rule pp_shown_rules[] = {
    {"SEG-1", NULL},
    {"SEG-2", NULL},
    {"SEG-3", NULL},
    {"SEG-4", NULL},
    {"SEG-5", NULL},
    {"SEG-6", NULL},
    {"SEG-7", NULL},
    {"ARN-1", NULL},
    {"ARN-2", NULL},
    {"ARN-3", NULL},
    {"ARN-4", NULL},
    {"ARN-5", NULL},
    {"ARN-6", NULL},
    {"VAL-1", NULL},
    {"VAL-2", NULL},
    {"VAL-3", "speaks of those who compare layouts"},
    {"RTN-6", NULL},
    {"FPT-1", NULL},
    {"FPT-2", NULL},
    {"FPT-3", NULL},
    {"REL-1", NULL},
    {"REL-2", NULL},
    {"REL-3", NULL},
    {"REL-4", NULL},
    {"REL-5", "needs threads: tests/runtime/threads.c"},
    {"REL-6", NULL},
    {"REL-7", "needs a million releases: tests/runtime/soak.c"},
};

const size_t pp_shown_rule_count =
    sizeof pp_shown_rules / sizeof pp_shown_rules[0];

const pp_fault_kind pp_fault_kinds[] = {
    {"closed spans compared as half-open", NULL, NULL},
    {"last read one early; an output that nobody reads has no end", NULL, NULL},
    {"view, cast, reshape: source's life not extended",
     "needs code that is lowered", "fuzz/faults/routine.py"},
    {"in place with another reader, or at a shifted offset",
     "needs code that is lowered and run", "fuzz/faults/routine.py"},
    {"fit tested before alignment", NULL, NULL},
    {"mask rounding for non powers of two; align 0", NULL, NULL},
    {"offset aligned, base not; written length rounded up past the end",
     "needs a backend's memory", "tests/devices/matrix.c"},
    {"cap compare `>=`; tested before alignment", NULL, NULL},
    {"offset + size wraps at 2^32 / 2^64", NULL, NULL},
    {"over-cap: partial plan returned", NULL, NULL},
    {"ties broken by hash, address or an unstable sort", NULL, NULL},
    {"class ignored; bits for bytes; packed dtypes", NULL, NULL},
    {"constant, output, exported or merge buffer made eligible", NULL, NULL},
    {"read before write made eligible; recycled memory assumed zero", NULL,
     NULL},
    {"plan assumes serial order, the executor overlaps", NULL, NULL},
    {"score, plan and allocation disagree", NULL, NULL},
    {"freed set wrong: parent, constant, twice, never", NULL, NULL},
    {"bookkeeping dropped before the free succeeded", NULL, NULL},
    {"one call ignores the byte offset; async copy from freed host memory; "
     "wrong device",
     "needs a backend's calls", "tests/devices/mutants"},
    {"base alignment in bits taken as bytes; least cap over devices not taken",
     "needs a backend's limits", "tests/unit/fault_calls.c"},
    {"sticky error after a successful retry; partial create leaks", NULL, NULL},
};

const size_t pp_fault_kind_count =
    sizeof pp_fault_kinds / sizeof pp_fault_kinds[0];

size_t pp_vectors_of_rule(const pp_vector_set *set, const char *rule) {
  size_t n = 0;
  for (size_t i = 0; i < set->vectors.n; i++)
    if (pp_list_has(set->vectors.vector[i].rules, rule)) n++;
  return n;
}

static bool shows(const pp_vector_set *set, const pp_vector *vector,
                  const char *kind) {
  size_t size = 0;
  for (size_t k = 0;; k++) {
    const char *word = pp_list_word(vector->flags, k, &size);
    if (!word) return false;
    const pp_flag *flag = pp_flag_find(set, vector->ask.verb, word, size);
    if (flag && strcmp(flag->kind, kind) == 0) return true;
  }
}

size_t pp_vectors_of_kind(const pp_vector_set *set, const char *kind) {
  size_t n = 0;
  for (size_t i = 0; i < set->vectors.n; i++)
    if (shows(set, &set->vectors.vector[i], kind)) n++;
  return n;
}

static size_t of_verb(const pp_vector_set *set, pp_ask_verb verb) {
  size_t n = 0;
  for (size_t i = 0; i < set->vectors.n; i++)
    if (set->vectors.vector[i].ask.verb == verb) n++;
  return n;
}

bool pp_vectors_table(FILE *out, const pp_vector_set *set) {
  bool good = fputs("| verb | vectors |\n|---|---|\n", out) >= 0;
  for (unsigned v = 0; good && v < PP_ASK_COUNT; v++)
    good = fprintf(out, "| `%s` | %zu |\n", pp_ask_verb_name((pp_ask_verb)v),
                   of_verb(set, (pp_ask_verb)v)) > 0;
  good = good && fputs("\n| rule | vectors |\n|---|---|\n", out) >= 0;
  for (size_t k = 0; good && k < pp_shown_rule_count; k++) {
    const pp_shown_rule *rule = &pp_shown_rules[k];
    if (rule->not_shown)
      good = fprintf(out, "| %s | none: %s |\n", rule->id, rule->not_shown) > 0;
    else
      good = fprintf(out, "| %s | %zu |\n", rule->id,
                     pp_vectors_of_rule(set, rule->id)) > 0;
  }
  good = good && fputs("\n| kind of fault | vectors |\n|---|---|\n", out) >= 0;
  for (size_t k = 0; good && k < pp_fault_kind_count; k++) {
    const pp_fault_kind *kind = &pp_fault_kinds[k];
    if (kind->not_shown)
      good = fprintf(out, "| %s | none: %s (`%s`) |\n", kind->kind,
                     kind->not_shown, kind->test) > 0;
    else
      good = fprintf(out, "| %s | %zu |\n", kind->kind,
                     pp_vectors_of_kind(set, kind->kind)) > 0;
  }
  return good;
}
