/* poolproof: the vectors, as texts that the build embeds: corpus/vectors/
 * VERB.json by cmake/embed.cmake.  SPDX-License-Identifier: MIT */
#ifndef PP_VECTORS_TEXTS_H
#define PP_VECTORS_TEXTS_H

#include "ask.h"

#define PP_VECTOR_TEXT(NAME, name, rules)                                      \
  extern const char pp_text_##name##_json[];
PP_ASK_VERBS(PP_VECTOR_TEXT)
#undef PP_VECTOR_TEXT

#endif
