/* poolproof: instructions of PTX that are more than their operands: accesses,
 * conversions of integers, packed moves.  SPDX-License-Identifier: MIT */
#include "ptx_internal.h"

#include <string.h>

static unsigned log2_of(unsigned bytes) {
  return (unsigned)__builtin_ctz(bytes);
}

/* The next part of a dotted name; at moves on. */
static bool part(const char **at, const char *text) {
  const size_t length = strlen(text);
  if (**at != '.' || strncmp(*at + 1, text, length) != 0) return false;
  if ((*at)[1 + length] != '.' && (*at)[1 + length] != 0) return false;
  *at += 1 + length;
  return true;
}

static fake_type last_type(const char *at) {
  return *at == '.' ? fake_type_named(at + 1, strlen(at + 1)) : FAKE_TYPE_none;
}

/* Widens what is in a register from a narrower type, by its sign. */
static bool emit_widen(fake_parser *parser, fake_type type, uint16_t from,
                       uint16_t to, unsigned bits) {
  fake_op op = FAKE_OP_low_u64;
  const bool is_signed = fake_types[type].name[0] == 's';
  if (fake_types[type].bits == 8)
    op = is_signed ? FAKE_OP_low_s8 : FAKE_OP_low_u8;
  if (fake_types[type].bits == 16)
    op = is_signed ? FAKE_OP_low_s16 : FAKE_OP_low_u16;
  if (fake_types[type].bits == 32)
    op = is_signed ? FAKE_OP_low_s32 : FAKE_OP_low_u32;
  return fake_emit(parser,
                   (fake_instruction){.op = (uint16_t)op,
                                      .d = to,
                                      .a = from,
                                      .c = (uint16_t)log2_of(bits / 8)});
}

typedef struct fake_access {
  bool store;
  unsigned space; /* in the order of FAKE_ACCESSES */
  unsigned parts;
  fake_type type;
  uint16_t value[FAKE_VECTOR];
  unsigned bits[FAKE_VECTOR]; /* of the register */
  uint16_t address;
  int32_t offset;
} fake_access;

static bool access_values(fake_parser *parser, fake_access *access) {
  if (access->parts > 1 && !fake_expect(parser, "{")) return false;
  for (unsigned v = 0; v < access->parts; v++) {
    if (v > 0 && !fake_expect(parser, ",")) return false;
    if (access->store
            ? !fake_source(parser, access->type, FAKE_WIDER, &access->value[v])
            : !fake_destination(parser, access->type, FAKE_WIDER,
                                &access->value[v], &access->bits[v]))
      return false;
  }
  return access->parts == 1 || fake_expect(parser, "}");
}

/* One part after the other; the address is copied first, which a part may
 * overwrite. */
static bool emit_access(fake_parser *parser, fake_access *access) {
  const unsigned bytes = fake_types[access->type].bits / 8;
  const unsigned first =
      access->store ? FAKE_OP_st_generic_1 : FAKE_OP_ld_generic_1;
  fake_instruction one = {
      .op = (uint16_t)(first + 4 * access->space + log2_of(bytes)),
      .a = access->address,
      .immediate = access->offset};
  if (access->parts > 1) {
    const fake_instruction aligned = {.op = FAKE_OP_aligned,
                                      .a = access->address,
                                      .c = (uint16_t)(access->parts * bytes),
                                      .immediate = access->offset};
    if (!fake_new_slots(parser, 0, 1, &one.a) || !fake_emit(parser, aligned) ||
        !emit_widen(parser, FAKE_TYPE_u64, access->address, one.a, 64))
      return false;
  }
  for (unsigned v = 0; v < access->parts; v++) {
    one.d = access->value[v];
    if (!fake_emit(parser, one)) return false;
    if (!access->store && fake_types[access->type].name[0] == 's' &&
        access->bits[v] > 8 * bytes &&
        !emit_widen(parser, access->type, one.d, one.d, access->bits[v]))
      return false;
    if (__builtin_add_overflow(one.immediate, (int32_t)bytes, &one.immediate))
      return fake_refuse(parser, "the offset is too large");
  }
  return true;
}

bool fake_decode_access(fake_parser *parser, const char *name,
                        fake_token word) {
  static const char *const space[] = {NULL, "global", "local", "param"};
  fake_access access = {.store = name[0] == 's', .parts = 1};
  const char *at = name + 2;
  for (unsigned s = 1; s < 4; s++)
    if (access.space == 0 && part(&at, space[s])) access.space = s;
  if (!access.store && access.space == 1) (void)part(&at, "nc");
  if (part(&at, "v2"))
    access.parts = 2;
  else if (part(&at, "v4"))
    access.parts = 4;
  access.type = last_type(at);
  if (access.type == FAKE_TYPE_none || access.type == FAKE_TYPE_pred ||
      access.parts * fake_types[access.type].bits > 128)
    return fake_refuse_at(parser, word, "the instruction is not supported");
  if (access.store)
    return fake_address(parser, &access.address, &access.offset) &&
           fake_expect(parser, ",") && access_values(parser, &access) &&
           emit_access(parser, &access);
  return access_values(parser, &access) && fake_expect(parser, ",") &&
         fake_address(parser, &access.address, &access.offset) &&
         emit_access(parser, &access);
}

static bool is_int(fake_type type) {
  return type != FAKE_TYPE_none && fake_types[type].kind == FAKE_INT;
}

/* Of the value's low bits as the source's type; then, where the destination's
 * type is narrower than its register, of its low bits in turn. */
static bool convert_int(fake_parser *parser, fake_type to, fake_type from) {
  uint16_t d = 0;
  uint16_t a = 0;
  unsigned bits = 0;
  if (!fake_destination(parser, to, FAKE_WIDER, &d, &bits) ||
      !fake_expect(parser, ",") || !fake_source(parser, from, FAKE_WIDER, &a) ||
      !emit_widen(parser, from, a, d, bits))
    return false;
  return bits == fake_types[to].bits || emit_widen(parser, to, d, d, bits);
}

/* The operation gives a value of the type's own width. */
static bool convert_float(fake_parser *parser, const fake_entry *entry) {
  fake_instruction one = {.op = (uint16_t)entry->op};
  unsigned bits = 0;
  if (!fake_destination(parser, entry->type[0], FAKE_WIDER, &one.d, &bits) ||
      !fake_expect(parser, ",") ||
      !fake_source(parser, entry->type[1], FAKE_EXACT, &one.a) ||
      !fake_emit(parser, one))
    return false;
  return bits == fake_types[entry->type[0]].bits ||
         emit_widen(parser, entry->type[0], one.d, one.d, bits);
}

bool fake_decode_convert(fake_parser *parser, const char *name,
                         fake_token word) {
  const fake_entry *entry = fake_find_entry(name);
  const char *dot = strchr(name + 4, '.');
  if (entry != NULL) return convert_float(parser, entry);
  if (dot != NULL) {
    const fake_type to = fake_type_named(name + 4, (size_t)(dot - name - 4));
    const fake_type from = last_type(dot);
    if (is_int(to) && is_int(from)) return convert_int(parser, to, from);
  }
  return fake_refuse_at(parser, word, "the instruction is not supported");
}

/* mov.b64 {low, high}, x */
static bool unpack(fake_parser *parser, bool wide) {
  const fake_type half = wide ? FAKE_TYPE_b32 : FAKE_TYPE_b16;
  uint16_t d[2] = {0};
  uint16_t a = 0;
  for (unsigned k = 0; k < 2; k++)
    if (!fake_expect(parser, k == 0 ? "{" : ",") ||
        !fake_destination(parser, half, FAKE_EXACT, &d[k], NULL))
      return false;
  return fake_expect(parser, "}") && fake_expect(parser, ",") &&
         fake_source(parser, wide ? FAKE_TYPE_b64 : FAKE_TYPE_b32, FAKE_EXACT,
                     &a) &&
         emit_widen(parser, wide ? FAKE_TYPE_u32 : FAKE_TYPE_u16, a, d[0],
                    wide ? 32 : 16) &&
         fake_emit(parser, (fake_instruction){.op = wide ? FAKE_OP_high_32
                                                         : FAKE_OP_high_16,
                                              .d = d[1],
                                              .a = a});
}

/* Behind "mov.b64 d,": a variable's address, or {low, high}. */
static bool move_into(fake_parser *parser, fake_type type, uint16_t d) {
  const bool wide = fake_types[type].bits == 64;
  const fake_type half = wide ? FAKE_TYPE_b32 : FAKE_TYPE_b16;
  fake_instruction one = {.op = wide ? FAKE_OP_pack_32 : FAKE_OP_pack_16,
                          .d = d};
  if (fake_accept(parser, "{"))
    return fake_source(parser, half, FAKE_EXACT, &one.a) &&
           fake_expect(parser, ",") &&
           fake_source(parser, half, FAKE_EXACT, &one.b) &&
           fake_expect(parser, "}") && fake_emit(parser, one);
  const fake_symbol *symbol = fake_find_variable(parser, parser->now);
  if (symbol == NULL || !wide)
    return fake_source(parser, type, FAKE_EXACT, &one.a) &&
           emit_widen(parser, FAKE_TYPE_u64, one.a, d, 64);
  if (!fake_constant_slot(parser, FAKE_PRIVATE + symbol->place.at, &one.a))
    return false;
  fake_next(parser);
  return emit_widen(parser, FAKE_TYPE_u64, one.a, d, 64);
}

static bool move_address(fake_parser *parser, fake_op op) {
  fake_instruction one = {.op = (uint16_t)op, .c = 3};
  return fake_destination(parser, FAKE_TYPE_u64, FAKE_EXACT, &one.d, NULL) &&
         fake_expect(parser, ",") &&
         fake_source(parser, FAKE_TYPE_u64, FAKE_EXACT, &one.a) &&
         fake_emit(parser, one);
}

/* Global addresses are generic ones. done: it was one of these. */
bool fake_decode_move(fake_parser *parser, const char *name, bool *done) {
  uint16_t d = 0;
  *done = true;
  if (strcmp(name, "cvta.local.u64") == 0)
    return move_address(parser, FAKE_OP_to_window);
  if (strcmp(name, "cvta.to.local.u64") == 0)
    return move_address(parser, FAKE_OP_from_window);
  if (strcmp(name, "cvta.global.u64") == 0 ||
      strcmp(name, "cvta.to.global.u64") == 0)
    return move_address(parser, FAKE_OP_low_u64);
  const fake_type type = last_type(name + 3);
  *done = type == FAKE_TYPE_b32 || type == FAKE_TYPE_b64 ||
          type == FAKE_TYPE_u64 || type == FAKE_TYPE_s64;
  if (!*done) return true;
  if (fake_is(parser, "{")) return unpack(parser, fake_types[type].bits == 64);
  return fake_destination(parser, type, FAKE_EXACT, &d, NULL) &&
         fake_expect(parser, ",") && move_into(parser, type, d);
}
