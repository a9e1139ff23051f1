/* poolproof: vectors, written.  SPDX-License-Identifier: MIT */
#include "vectors_parts.h"
#include "wire_parts.h"

#include <string.h>

static void put_list(pp_text *text, const char *list) {
  size_t size = 0;
  pp_text_word(text, "[");
  for (size_t k = 0;; k++) {
    const char *word = pp_list_word(list, k, &size);
    if (!word) break;
    char copy[PP_LIST_WORD];
    snprintf(copy, sizeof copy, "%.*s", (int)size, word);
    if (k > 0) pp_text_word(text, ", ");
    pp_text_string(text, copy);
  }
  pp_text_word(text, "]");
}

static void put_pair(pp_text *text, const char *before, const char *string) {
  pp_text_word(text, before);
  pp_text_string(text, string);
}

static void put_flags(pp_text *text, const pp_vector_set *set,
                      pp_ask_verb verb) {
  bool first = true;
  pp_text_word(text, "  \"flags\": {");
  for (size_t k = 0; k < set->flags; k++) {
    const pp_flag *flag = &set->flag[k];
    if (flag->verb != verb) continue;
    put_pair(text, first ? "\n    " : ",\n    ", flag->name);
    put_pair(text, ": {\n      \"about\": ", flag->about);
    if (flag->kind[0]) put_pair(text, ",\n      \"kind\": ", flag->kind);
    if (flag->seen[0]) {
      pp_text_word(text, ",\n      \"seen\": ");
      put_list(text, flag->seen);
    }
    pp_text_word(text, "\n    }");
    first = false;
  }
  pp_text_word(text, first ? "},\n" : "\n  },\n");
}

static void put_vector(pp_text *text, const pp_vector *vector) {
  put_pair(text, "    {\n      \"id\": ", vector->id);
  put_pair(text, ",\n      \"comment\": ", vector->comment);
  pp_text_word(text, ",\n      \"flags\": ");
  put_list(text, vector->flags);
  pp_text_word(text, ",\n      \"rules\": ");
  put_list(text, vector->rules);
  pp_text_word(text, ",\n      \"request\": ");
  pp_wire_canonical(text, &vector->ask);
  pp_text_word(text, ",\n      \"expect\": ");
  pp_wire_expect(text, &vector->ask, &vector->expect);
  pp_text_word(text, "\n    }");
}

void pp_vectors_put_file(pp_text *text, const pp_vector_set *set,
                         pp_ask_verb verb) {
  bool first = true;
  put_pair(text, "{\n  \"poolproof\": \"vectors/1\",\n  \"verb\": ",
           pp_ask_verb_name(verb));
  pp_text_word(text, ",\n");
  put_flags(text, set, verb);
  pp_text_word(text, "  \"vectors\": [");
  for (size_t i = 0; i < set->vectors.n; i++) {
    if (set->vectors.vector[i].ask.verb != verb) continue;
    pp_text_word(text, first ? "\n" : ",\n");
    put_vector(text, &set->vectors.vector[i]);
    first = false;
  }
  pp_text_word(text, first ? "]\n}\n" : "\n  ]\n}\n");
}

void pp_vectors_put_bundle(pp_text *text, const pp_vector_set *set) {
  bool first = true;
  pp_text_word(text, "{\"poolproof\": \"vectors/1\", \"files\": [\n");
  for (unsigned v = 0; v < PP_ASK_COUNT; v++) {
    if (!(set->verbs >> v & 1)) continue;
    if (!first) pp_text_word(text, ",\n");
    pp_vectors_put_file(text, set, (pp_ask_verb)v);
    first = false;
  }
  pp_text_word(text, "]}\n");
}
