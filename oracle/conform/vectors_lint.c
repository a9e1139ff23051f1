/* poolproof: vectors held to what is wanted of them.
 * SPDX-License-Identifier: MIT */
#include "vectors_parts.h"

#include "source.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void pp_lint_say(pp_vectors_lint *lint, const char *where, const char *format,
                 ...) {
  va_list arguments;
  lint->found++;
  fprintf(lint->out, "%s: ", where);
  va_start(arguments, format);
  vfprintf(lint->out, format, arguments);
  va_end(arguments);
  fputs("\n", lint->out);
}

/* The sides that the question is not too much for. */
static bool can(pp_answerer side, const pp_ask *ask) {
  return (pp_ask_needs(ask) & ~pp_answerer_can(side)) == 0 &&
         pp_ask_size(ask) <= pp_answerer_most(side);
}

int pp_vector_answer(const pp_ask *ask, pp_reply *expect,
                     bool said[PP_ANSWERER_COUNT], char *sentence, size_t size,
                     pp_diag *diag) {
  sentence[0] = '\0';
  for (int k = 0; k < PP_ANSWERER_COUNT; k++) {
    pp_answerer side = (pp_answerer)k;
    pp_reply reply = {.kind = PP_REPLY_RESULT};
    said[k] = false;
    if (!can(side, ask)) continue;
    if (!pp_answer(side, ask, &reply)) {
      pp_reply_free(expect);
      return pp_fail_memory(diag);
    }
    said[k] = reply.kind == PP_REPLY_RESULT || reply.kind == PP_REPLY_REJECT;
    if (side == PP_ANSWERER_REF) {
      *expect = reply;
      continue;
    }
    if (said[k] && sentence[0] == '\0' && !pp_reply_equal(ask, expect, &reply))
      snprintf(sentence, size, "%s and %s do not agree on the answer",
               pp_answerer_name(PP_ANSWERER_REF), pp_answerer_name(side));
    pp_reply_free(&reply);
  }
  if (!said[PP_ANSWERER_REF] && sentence[0] == '\0')
    snprintf(sentence, size,
             "it is too large for the reference: %zu, %zu at "
             "most",
             pp_ask_size(ask), pp_answerer_most(PP_ANSWERER_REF));
  return 0;
}

/* The expectation is what every side that can answers. */
static int hold_answer(pp_vectors_lint *lint, const pp_vector *vector,
                       pp_diag *diag) {
  pp_reply expect = {.kind = PP_REPLY_RESULT};
  bool said[PP_ANSWERER_COUNT] = {false};
  char sentence[200];
  if (pp_vector_answer(&vector->ask, &expect, said, sentence, sizeof sentence,
                       diag) != 0)
    return diag->code;
  if (sentence[0]) {
    pp_lint_say(lint, vector->id, "%s", sentence);
  } else if (!pp_reply_equal(&vector->ask, &expect, &vector->expect)) {
    pp_text rules = {0};
    pp_wire_expect(&rules, &vector->ask, &expect);
    pp_lint_say(lint, vector->id, "\"expect\" is wrong; the rules give %s",
                rules.failed ? "another answer" : rules.at);
    pp_text_free(&rules);
  } else {
    for (int k = 0; k < PP_ANSWERER_COUNT; k++)
      if (said[k]) lint->answered[vector->ask.verb][k]++;
  }
  pp_reply_free(&expect);
  return 0;
}

static bool rule_known(const char *rule, size_t size) {
  for (size_t k = 0; k < pp_shown_rule_count; k++)
    if (strlen(pp_shown_rules[k].id) == size && !pp_shown_rules[k].not_shown &&
        strncmp(pp_shown_rules[k].id, rule, size) == 0)
      return true;
  return false;
}

static void hold_words(pp_vectors_lint *lint, const pp_vector_set *set,
                       const pp_vector *vector) {
  size_t size = 0;
  const char *word = NULL;
  if (vector->flags[0] == '\0') pp_lint_say(lint, vector->id, "has no flag");
  for (size_t k = 0; (word = pp_list_word(vector->flags, k, &size)); k++)
    if (!pp_flag_find(set, vector->ask.verb, word, size))
      pp_lint_say(lint, vector->id,
                  "flag \"%.*s\" is not explained in its file", (int)size,
                  word);
  for (size_t k = 0; (word = pp_list_word(vector->rules, k, &size)); k++)
    if (!rule_known(word, size))
      pp_lint_say(lint, vector->id,
                  "\"%.*s\" is no rule that a vector can show", (int)size,
                  word);
}

static int hold_vector(pp_vectors_lint *lint, const pp_vector_set *set,
                       const pp_vector *vector, pp_diag *diag) {
  char id[PP_ASK_ID];
  if (!pp_wire_id(&vector->ask, id)) return pp_fail_memory(diag);
  if (strcmp(id, vector->id) != 0)
    pp_lint_say(lint, vector->id, "the id of its request is %s", id);
  hold_words(lint, set, vector);
  return hold_answer(lint, vector, diag);
}

static bool kind_known(const char *kind) {
  for (size_t k = 0; k < pp_fault_kind_count; k++)
    if (strcmp(pp_fault_kinds[k].kind, kind) == 0) return true;
  return false;
}

/* Every flag is used, and its kind is one of the list. */
static void hold_flag(pp_vectors_lint *lint, const pp_vector_set *set,
                      const pp_flag *flag) {
  bool used = false;
  for (size_t i = 0; i < set->vectors.n && !used; i++)
    used = set->vectors.vector[i].ask.verb == flag->verb &&
           pp_list_has(set->vectors.vector[i].flags, flag->name);
  if (!used)
    pp_lint_say(lint, set->named[flag->verb], "flag \"%s\" is not used",
                flag->name);
  if (flag->kind[0] && !kind_known(flag->kind))
    pp_lint_say(lint, set->named[flag->verb],
                "flag \"%s\": \"%s\" is no kind of fault", flag->name,
                flag->kind);
}

static void hold_cover(pp_vectors_lint *lint, const pp_vector_set *set) {
  for (unsigned v = 0; v < PP_ASK_COUNT; v++)
    if (!(set->verbs >> v & 1))
      pp_lint_say(lint, pp_ask_verb_name((pp_ask_verb)v), "has no vectors");
  for (size_t k = 0; k < pp_shown_rule_count; k++) {
    const pp_shown_rule *rule = &pp_shown_rules[k];
    size_t n = pp_vectors_of_rule(set, rule->id);
    if (!rule->not_shown && n < PP_VECTORS_A_RULE)
      pp_lint_say(lint, rule->id,
                  "is shown by %zu vectors, at least %d are "
                  "wanted",
                  n, (int)PP_VECTORS_A_RULE);
  }
  for (size_t k = 0; k < pp_fault_kind_count; k++) {
    const pp_fault_kind *kind = &pp_fault_kinds[k];
    if (!kind->not_shown && pp_vectors_of_kind(set, kind->kind) == 0)
      pp_lint_say(lint, kind->kind, "no vector shows it");
  }
}

int pp_vectors_hold(pp_vectors_lint *lint, const pp_vector_set *set,
                    pp_diag *diag) {
  for (size_t i = 0; i < set->vectors.n; i++)
    if (hold_vector(lint, set, &set->vectors.vector[i], diag) != 0)
      return diag->code;
  for (size_t k = 0; k < set->flags; k++)
    hold_flag(lint, set, &set->flag[k]);
  hold_cover(lint, set);
  return 0;
}

int pp_vectors_hold_form(pp_vectors_lint *lint, const pp_vector_set *set,
                         const char *dir, pp_diag *diag) {
  enum { MOST = 64 << 20 };
  for (unsigned v = 0; v < PP_ASK_COUNT; v++) {
    pp_text text = {0};
    char name[40];
    size_t size = 0;
    if (!(set->verbs >> v & 1)) continue;
    snprintf(name, sizeof name, "%s.json", pp_ask_verb_name((pp_ask_verb)v));
    char *path = pp_vectors_path(dir, name, diag);
    char *there = path ? pp_source_text(path, MOST, &size, diag) : NULL;
    pp_vectors_put_file(&text, set, (pp_ask_verb)v);
    if (there && text.failed) (void)pp_fail_memory(diag);
    if (there && !text.failed &&
        (size != text.size || memcmp(there, text.at, size) != 0))
      pp_lint_say(lint, path, "is not written as `vectors add` writes it");
    pp_text_free(&text);
    free(there);
    free(path);
    if (diag->code != 0) return diag->code;
  }
  return 0;
}
