/* poolproof: what a text of PTX declares: registers and variables.
 * SPDX-License-Identifier: MIT */
#include "ptx_internal.h"

#include <string.h>

enum { GAP = 16, MOST_PRIVATE = 1 << 20 };

const fake_type_facts fake_types[FAKE_TYPE_COUNT] = {
#define FAKE_TYPE_FACTS(name, type, bits, kind) {#name, bits, FAKE_##kind},
    FAKE_TYPES(FAKE_TYPE_FACTS)
#undef FAKE_TYPE_FACTS
};

/* r32 and r64 are names of our own. */
fake_type fake_type_named(const char *name, size_t length) {
  for (int t = FAKE_TYPE_pred; t < FAKE_TYPE_COUNT; t++)
    if (strlen(fake_types[t].name) == length && name[0] != 'r' &&
        strncmp(fake_types[t].name, name, length) == 0)
      return (fake_type)t;
  return FAKE_TYPE_none;
}

/* A word such as .b32. */
static bool type_word(fake_parser *parser, fake_type *type) {
  *type = FAKE_TYPE_none;
  if (parser->now.length > 1 && parser->now.at[0] == '.')
    *type = fake_type_named(parser->now.at + 1, parser->now.length - 1);
  if (*type == FAKE_TYPE_none) return fake_refuse(parser, "no type is that");
  fake_next(parser);
  return true;
}

static bool add_symbol(fake_parser *parser, fake_symbol symbol) {
  fake_symbol *added = NULL;
  const fake_symbol *known = (const fake_symbol *)parser->symbol.item;
  for (size_t s = 0; s < parser->symbol.count; s++)
    if (fake_same(known[s].name, symbol.name) && known[s].kind == FAKE_REGISTER)
      return fake_refuse_at(parser, symbol.name, "declared before");
  added = fake_append(&parser->symbol, sizeof *added);
  if (added == NULL) return fake_no_memory(parser);
  *added = symbol;
  return true;
}

bool fake_new_slots(fake_parser *parser, uint64_t value, size_t count,
                    uint16_t *slot) {
  fake_array *slots = &parser->ptx->slot;
  if (count > FAKE_SLOTS - slots->count)
    return fake_refuse(parser, "too many registers");
  *slot = (uint16_t)slots->count;
  for (size_t s = 0; s < count; s++) {
    uint64_t *added = fake_append(slots, sizeof *added);
    if (added == NULL) return fake_no_memory(parser);
    *added = value;
  }
  return true;
}

bool fake_constant_slot(fake_parser *parser, uint64_t value, uint16_t *slot) {
  fake_constant *constant = (fake_constant *)parser->constant.item;
  for (size_t c = 0; c < parser->constant.count; c++)
    if (constant[c].value == value) {
      *slot = constant[c].slot;
      return true;
    }
  if (!fake_new_slots(parser, value, 1, slot)) return false;
  constant = fake_append(&parser->constant, sizeof *constant);
  if (constant == NULL) return fake_no_memory(parser);
  *constant = (fake_constant){value, *slot};
  return true;
}

/* .reg is behind us: type, then names, each perhaps with <count>. */
bool fake_declare_registers(fake_parser *parser) {
  fake_symbol symbol = {.kind = FAKE_REGISTER};
  if (!type_word(parser, &symbol.type)) return false;
  if (fake_types[symbol.type].bits == 8)
    return fake_refuse(parser, "registers of 8 bits are not supported");
  do {
    uint64_t count = 1;
    uint16_t slot = 0;
    if (!fake_is_word(parser)) return fake_refuse(parser, "a name is missing");
    symbol.name = parser->now;
    fake_next(parser);
    symbol.numbered = fake_accept(parser, "<");
    if (symbol.numbered &&
        (!fake_number(parser, &count) || !fake_expect(parser, ">")))
      return false;
    if (!fake_new_slots(parser, 0, count, &slot)) return false;
    symbol.slot = slot;
    symbol.count = (uint32_t)count;
    if (!add_symbol(parser, symbol)) return false;
  } while (fake_accept(parser, ","));
  return fake_expect(parser, ";");
}

/* Behind a gap, so that no access reaches two variables. */
bool fake_place_variable(fake_parser *parser, fake_symbol *symbol,
                         uint64_t align) {
  fake_array *shadow = &parser->ptx->shadow;
  const size_t at = (shadow->count + GAP + align - 1) / align * align;
  const unsigned char state =
      symbol->kind == FAKE_PARAMETER ? FAKE_PARAM : FAKE_LOCAL;
  if (symbol->place.bytes > MOST_PRIVATE - at)
    return fake_refuse(parser, "too many variables");
  symbol->place.at = (uint32_t)at;
  while (shadow->count < at + symbol->place.bytes + GAP) {
    unsigned char *byte = fake_append(shadow, 1);
    const size_t index = shadow->count - 1;
    if (byte == NULL) return fake_no_memory(parser);
    *byte = index >= at && index < at + symbol->place.bytes ? state : 0;
  }
  return true;
}

/* What newer compilers say of a pointer; nothing follows from it. */
static bool skip_pointer(fake_parser *parser) {
  static const char *const space[] = {".global", ".local", ".const", ".shared"};
  uint64_t align = 0;
  if (!fake_accept(parser, ".ptr")) return true;
  for (size_t s = 0; s < sizeof space / sizeof space[0]; s++)
    (void)fake_accept(parser, space[s]);
  return !fake_accept(parser, ".align") || fake_number(parser, &align);
}

/* .param or .local is behind us. */
bool fake_declare_variable(fake_parser *parser, fake_symbol_kind kind,
                           fake_symbol *symbol) {
  uint64_t align = 0;
  uint64_t count = 1;
  *symbol = (fake_symbol){.kind = kind};
  if (fake_accept(parser, ".align") && !fake_number(parser, &align))
    return false;
  if (!type_word(parser, &symbol->type)) return false;
  const uint64_t bytes = fake_types[symbol->type].bits / 8;
  if (bytes == 0) return fake_refuse(parser, "no such variable");
  if (align == 0) align = bytes;
  if (align < bytes || align > 256 || (align & (align - 1)) != 0)
    return fake_refuse(parser, "the alignment is not supported");
  if (!skip_pointer(parser)) return false;
  if (!fake_is_word(parser)) return fake_refuse(parser, "a name is missing");
  symbol->name = parser->now;
  fake_next(parser);
  if (fake_accept(parser, "[") &&
      (!fake_number(parser, &count) || !fake_expect(parser, "]")))
    return false;
  if (count == 0 || count > MOST_PRIVATE)
    return fake_refuse(parser, "the variable's size is not supported");
  symbol->place.bytes = (uint32_t)(count * bytes);
  return fake_place_variable(parser, symbol, align) &&
         add_symbol(parser, *symbol);
}

const fake_symbol *fake_find_variable(const fake_parser *parser,
                                      fake_token name) {
  const fake_symbol *symbol = (const fake_symbol *)parser->symbol.item;
  for (size_t s = parser->symbol.count; s > 0; s--)
    if (symbol[s - 1].kind != FAKE_REGISTER &&
        fake_same(symbol[s - 1].name, name))
      return &symbol[s - 1];
  return NULL;
}

/* The number behind the name's first `length`; false when there is none. */
static bool numbered(fake_token name, size_t length, uint32_t count,
                     uint32_t *number) {
  uint64_t value = 0;
  if (length >= name.length || name.length - length > 9) return false;
  if (name.at[length] == '0' && name.length - length > 1) return false;
  for (size_t c = length; c < name.length; c++) {
    if (name.at[c] < '0' || name.at[c] > '9') return false;
    value = value * 10 + (unsigned)(name.at[c] - '0');
  }
  *number = (uint32_t)value;
  return value < count;
}

bool fake_find_register(const fake_parser *parser, fake_token name,
                        uint16_t *slot, fake_type *type) {
  const fake_symbol *symbol = (const fake_symbol *)parser->symbol.item;
  for (size_t s = 0; s < parser->symbol.count; s++, symbol++) {
    const size_t length = symbol->name.length;
    uint32_t number = 0;
    if (symbol->kind != FAKE_REGISTER || length > name.length ||
        strncmp(symbol->name.at, name.at, length) != 0)
      continue;
    if (symbol->numbered ? !numbered(name, length, symbol->count, &number)
                         : length != name.length)
      continue;
    *slot = (uint16_t)(symbol->slot + number);
    *type = symbol->type;
    return true;
  }
  return false;
}
