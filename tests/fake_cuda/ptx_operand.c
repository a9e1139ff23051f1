/* poolproof: operands of PTX: registers, numbers, addresses.
 * SPDX-License-Identifier: MIT */
#include "ptx_internal.h"

#include <stdio.h>
#include <string.h>

/* May a register declared so hold an operand of that type? Bits go with
 * everything, integers and floats not with each other. */
static bool fits(fake_type declared, fake_type wanted, fake_width width) {
  const fake_type_facts *have = &fake_types[declared];
  const fake_type_facts *want = &fake_types[wanted];
  if ((have->kind == FAKE_PREDICATE) != (want->kind == FAKE_PREDICATE))
    return false;
  if (have->kind == FAKE_FLOAT && want->kind == FAKE_INT) return false;
  if (have->kind == FAKE_INT && want->kind == FAKE_FLOAT) return false;
  if (have->bits == want->bits) return true;
  return width == FAKE_WIDER && have->bits > want->bits &&
         have->kind != FAKE_FLOAT && want->kind != FAKE_FLOAT;
}

static bool misfit(fake_parser *parser, fake_type type) {
  char what[FAKE_NAME];
  const bool moved = type == FAKE_TYPE_r32 || type == FAKE_TYPE_r64;
  (void)snprintf(what, sizeof what, "the operand is no %s%s",
                 moved ? "f" : fake_types[type].name,
                 moved ? fake_types[type].name + 1 : "");
  return fake_refuse(parser, what);
}

bool fake_destination(fake_parser *parser, fake_type type, fake_width width,
                      uint16_t *slot, unsigned *bits) {
  fake_type declared = FAKE_TYPE_none;
  if (!fake_find_register(parser, parser->now, slot, &declared))
    return fake_refuse(parser, "no register has that name");
  if (!fits(declared, type, width)) return misfit(parser, type);
  if (bits != NULL) *bits = fake_types[declared].bits;
  fake_next(parser);
  return true;
}

/* %tid.x and so on. */
static bool special(fake_parser *parser, fake_type type, uint16_t *slot) {
  static const char *const name[4] = {"%tid.", "%ntid.", "%ctaid.", "%nctaid."};
  const fake_token now = parser->now;
  for (size_t s = 0; s < 4; s++) {
    const size_t length = strlen(name[s]);
    if (now.length != length + 1 || strncmp(now.at, name[s], length) != 0 ||
        now.at[length] < 'x' || now.at[length] > 'z')
      continue;
    if (!fits(FAKE_TYPE_u32, type, FAKE_EXACT)) return misfit(parser, type);
    *slot = parser->ptx->special[s][now.at[length] - 'x'];
    fake_next(parser);
    return true;
  }
  return fake_refuse(parser, "no register has that name");
}

/* 0f or 0d, and as many digits as the type has. */
static bool float_number(fake_parser *parser, fake_type type, uint64_t *value) {
  const fake_token now = parser->now;
  const size_t digits = fake_types[type].bits / 4;
  if (now.length != 2 + digits || (now.at[1] == 'f') != (digits == 8))
    return misfit(parser, type);
  *value = 0;
  for (size_t c = 2; c < now.length; c++) {
    const char *digit = strchr("0123456789ABCDEFabcdef", now.at[c]);
    if (digit == NULL) return fake_refuse(parser, "no number that is known");
    const unsigned low = (unsigned char)now.at[c] & 0xfu;
    *value = *value << 4 | (low + (now.at[c] > '9' ? 9u : 0u));
  }
  fake_next(parser);
  return true;
}

static bool in_range(uint64_t value, bool negative, unsigned bits) {
  if (bits == 64) return !negative || value <= 1ull << 63;
  return negative ? value <= 1ull << (bits - 1) : value < 1ull << bits;
}

static bool immediate(fake_parser *parser, fake_type type, uint16_t *slot) {
  const fake_type_facts *facts = &fake_types[type];
  uint64_t value = 0;
  const bool negative = fake_accept(parser, "-");
  const fake_token now = parser->now;
  const bool is_float = now.length > 2 && now.at[0] == '0' &&
                        (now.at[1] == 'f' || now.at[1] == 'd');
  if (is_float) {
    if (facts->kind != FAKE_FLOAT || negative) return misfit(parser, type);
    if (!float_number(parser, type, &value)) return false;
    return fake_constant_slot(parser, value, slot);
  }
  if (facts->kind == FAKE_FLOAT) return misfit(parser, type);
  if (!fake_number(parser, &value)) return false;
  if (facts->kind == FAKE_PREDICATE)
    return fake_constant_slot(parser, value != 0, slot);
  if (!in_range(value, negative, facts->bits))
    return fake_refuse_at(parser, now, "the number is too large for the type");
  if (negative && value > 0) value = ~value + 1;
  if (facts->bits < 64) value &= (1ull << facts->bits) - 1;
  return fake_constant_slot(parser, value, slot);
}

bool fake_source(fake_parser *parser, fake_type type, fake_width width,
                 uint16_t *slot) {
  fake_type declared = FAKE_TYPE_none;
  const unsigned first =
      parser->now.length > 0 ? (unsigned char)*parser->now.at : 0;
  if (first == '-' || (first >= '0' && first <= '9'))
    return immediate(parser, type, slot);
  if (!fake_find_register(parser, parser->now, slot, &declared))
    return special(parser, type, slot);
  if (!fits(declared, type, width)) return misfit(parser, type);
  fake_next(parser);
  return true;
}

/* Behind the register's or the variable's name. */
static bool offset_behind(fake_parser *parser, int32_t *offset) {
  uint64_t value = 0;
  bool negative = false;
  *offset = 0;
  if (fake_accept(parser, "]")) return true;
  if (fake_accept(parser, "+"))
    negative = fake_accept(parser, "-");
  else if (fake_accept(parser, "-"))
    negative = true;
  else
    return fake_refuse(parser, "the address is not understood");
  if (!fake_number(parser, &value)) return false;
  if (value > INT32_MAX) return fake_refuse(parser, "the offset is too large");
  *offset = negative ? -(int32_t)value : (int32_t)value;
  return fake_expect(parser, "]");
}

bool fake_address(fake_parser *parser, uint16_t *slot, int32_t *offset) {
  fake_type type = FAKE_TYPE_none;
  if (!fake_expect(parser, "[")) return false;
  if (fake_find_register(parser, parser->now, slot, &type)) {
    if (!fits(type, FAKE_TYPE_u64, FAKE_EXACT))
      return misfit(parser, FAKE_TYPE_u64);
  } else {
    const fake_symbol *symbol = fake_find_variable(parser, parser->now);
    if (symbol == NULL) return fake_refuse(parser, "nothing has that name");
    if (!fake_constant_slot(parser, FAKE_PRIVATE + symbol->place.at, slot))
      return false;
  }
  fake_next(parser);
  return offset_behind(parser, offset);
}
