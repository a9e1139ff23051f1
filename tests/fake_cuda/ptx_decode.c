/* poolproof: instructions of PTX, decoded.  SPDX-License-Identifier: MIT */
#include "ptx_internal.h"

#include <stdlib.h>
#include <string.h>

enum { HASHED = 4096, WORD = 64 };

static const fake_entry entries[] = {
#define FAKE_ENTRY(id, name, d, a, b, c, e)                                    \
  {name,                                                                       \
   FAKE_OP_##id,                                                               \
   {FAKE_TYPE_##d, FAKE_TYPE_##a, FAKE_TYPE_##b, FAKE_TYPE_##c}},
    FAKE_OPS(FAKE_ENTRY)
#undef FAKE_ENTRY
#define FAKE_ENTRY(id, name, d, a, b, c, e)                                    \
  {name,                                                                       \
   FAKE_OP_setp_##id,                                                          \
   {FAKE_TYPE_##d, FAKE_TYPE_##a, FAKE_TYPE_##b, FAKE_TYPE_##c}},
        FAKE_COMPARISONS(FAKE_ENTRY)
#undef FAKE_ENTRY
};

static unsigned hash_of(const char *name) {
  uint32_t hash = 2166136261u;
  for (; *name != 0; name++)
    hash = (uint32_t)(16777619ull * (hash ^ (unsigned char)*name));
  return hash % HASHED;
}

/* The caller holds the driver's lock. */
const fake_entry *fake_find_entry(const char *name) {
  static const fake_entry *table[HASHED];
  static bool filled = false;
  if (!filled) {
    for (size_t e = 0; e < sizeof entries / sizeof entries[0]; e++) {
      unsigned at = hash_of(entries[e].name);
      while (table[at] != NULL)
        at = (at + 1) % HASHED;
      table[at] = &entries[e];
    }
    filled = true;
  }
  if (name[0] == 0) return NULL;
  for (unsigned at = hash_of(name); table[at] != NULL; at = (at + 1) % HASHED)
    if (strcmp(table[at]->name, name) == 0) return table[at];
  return NULL;
}

bool fake_emit(fake_parser *parser, fake_instruction instruction) {
  fake_instruction *added = fake_append(&parser->ptx->code, sizeof instruction);
  if (added == NULL) return fake_no_memory(parser);
  *added = instruction;
  if (parser->ptx->code.count > INT32_MAX)
    return fake_refuse(parser, "too many instructions");
  return true;
}

static bool decode_entry(fake_parser *parser, const fake_entry *entry) {
  uint16_t slot[FAKE_VECTOR] = {0};
  for (size_t o = 0; o < FAKE_VECTOR; o++) {
    /* Conversions alone take registers that are wider. */
    const fake_width width =
        strncmp(entry->name, "cvt.", 4) == 0 ? FAKE_WIDER : FAKE_EXACT;
    if (entry->type[o] == FAKE_TYPE_none) break;
    if (o > 0 && !fake_expect(parser, ",")) return false;
    if (o > 0) {
      if (!fake_source(parser, entry->type[o], width, &slot[o])) return false;
    } else if (!fake_destination(parser, entry->type[0], FAKE_EXACT, &slot[0],
                                 NULL))
      return false;
  }
  return fake_emit(parser, (fake_instruction){.op = (uint16_t)entry->op,
                                              .d = slot[0],
                                              .a = slot[1],
                                              .b = slot[2],
                                              .c = slot[3]});
}

/* @p or @!p */
static bool decode_guard(fake_parser *parser, bool *guarded, uint16_t *guard,
                         unsigned *sense) {
  *guarded = fake_accept(parser, "@");
  if (!*guarded) return true;
  *sense = fake_accept(parser, "!") ? 0 : 1;
  return fake_source(parser, FAKE_TYPE_pred, FAKE_EXACT, guard);
}

static bool starts(const char *word, const char *with) {
  return strncmp(word, with, strlen(with)) == 0;
}

static bool decode_named(fake_parser *parser, const char *name,
                         fake_token word) {
  bool done = false;
  if (starts(name, "ld.") || starts(name, "st."))
    return fake_decode_access(parser, name, word);
  if (starts(name, "mov.") || starts(name, "cvta.")) {
    if (!fake_decode_move(parser, name, &done)) return false;
    if (done) return true;
  }
  const fake_entry *entry = fake_find_entry(name);
  const bool to_int =
      entry == NULL || fake_types[entry->type[0]].kind == FAKE_INT;
  if (starts(name, "cvt.") && to_int)
    return fake_decode_convert(parser, name, word);
  if (entry != NULL) return decode_entry(parser, entry);
  return fake_refuse_at(parser, word, "the instruction is not supported");
}

/* What is guarded and no branch is jumped over. */
bool fake_decode(fake_parser *parser) {
  bool guarded = false;
  bool done = false;
  uint16_t guard = 0;
  unsigned sense = 1;
  char name[WORD] = "";
  const size_t over = parser->ptx->code.count;
  if (!decode_guard(parser, &guarded, &guard, &sense)) return false;
  const fake_token word = parser->now;
  if (!fake_is_word(parser) || word.length >= sizeof name)
    return fake_refuse(parser, "the instruction is not supported");
  memcpy(name, word.at, word.length);
  fake_next(parser);
  if (starts(name, "bra"))
    return fake_decode_jump(parser, name, guard, guarded ? sense : 2, &done) &&
           (done || fake_refuse_at(parser, word, "not supported")) &&
           fake_expect(parser, ";");
  if (guarded && !fake_emit(parser, (fake_instruction){
                                        .op = sense == 1 ? FAKE_OP_bra_unless
                                                         : FAKE_OP_bra_if,
                                        .a = guard,
                                        .c = (uint16_t)(1 - sense)}))
    return false;
  if (!fake_decode_jump(parser, name, guard, 2, &done) ||
      (!done && !decode_named(parser, name, word)) || !fake_expect(parser, ";"))
    return false;
  if (guarded) {
    fake_instruction *code = (fake_instruction *)parser->ptx->code.item;
    code[over].immediate = (int32_t)parser->ptx->code.count;
  }
  return true;
}
