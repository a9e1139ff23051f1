/* poolproof: a text of PTX as a whole: directives, functions, their bodies.
 * SPDX-License-Identifier: MIT */
#include "ptx_internal.h"

#include <stdlib.h>
#include <string.h>

enum { SCOPES = 16 };

static fake_function *functions(const fake_ptx *ptx) {
  return (fake_function *)ptx->function.item;
}

size_t fake_find_function(const fake_parser *parser, fake_token name) {
  size_t f = 0;
  while (f < parser->ptx->function.count &&
         !fake_token_is(name, functions(parser->ptx)[f].name))
    f++;
  return f;
}

/* "6.0" as 60 */
static bool version(fake_parser *parser) {
  const fake_token now = parser->now;
  if (now.length != 3 || now.at[0] < '1' || now.at[0] > '9' ||
      now.at[1] != '.' || now.at[2] < '0' || now.at[2] > '9')
    return fake_refuse(parser, "the version is not understood");
  parser->ptx->version =
      (unsigned)(now.at[0] - '0') * 10 + (unsigned)(now.at[2] - '0');
  fake_next(parser);
  return true;
}

static bool target(fake_parser *parser) {
  const fake_token now = parser->now;
  if (now.length < 5 || now.length > 6 || strncmp(now.at, "sm_", 3) != 0)
    return fake_refuse(parser, "the target is not supported");
  for (size_t c = 3; c < now.length; c++) {
    if (now.at[c] < '0' || now.at[c] > '9')
      return fake_refuse(parser, "the target is not supported");
    parser->ptx->target =
        parser->ptx->target * 10 + (unsigned)(now.at[c] - '0');
  }
  fake_next(parser);
  return true;
}

/* A list of .param, the first parenthesis behind us. */
static bool parameters(fake_parser *parser, size_t *count) {
  *count = 0;
  if (fake_accept(parser, ")")) return true;
  do {
    fake_symbol symbol;
    if (!fake_expect(parser, ".param") ||
        !fake_declare_variable(parser, FAKE_PARAMETER, &symbol))
      return false;
    fake_place *place = fake_append(&parser->ptx->place, sizeof *place);
    if (place == NULL) return fake_no_memory(parser);
    *place = symbol.place;
    ++*count;
  } while (fake_accept(parser, ","));
  return fake_expect(parser, ")");
}

/* Is it what was declared before? */
static bool same_shape(const fake_parser *parser, const fake_function *a,
                       const fake_function *b) {
  const fake_place *place = (const fake_place *)parser->ptx->place.item;
  if (a->entry != b->entry || a->results != b->results ||
      a->parameters != b->parameters)
    return false;
  for (size_t p = 0; p < a->results + a->parameters; p++)
    if (place[a->first + p].bytes != place[b->first + p].bytes) return false;
  return true;
}

/* (results) name (parameters) */
static bool head(fake_parser *parser, fake_function *made) {
  made->first = parser->ptx->place.count;
  made->variables.at = (uint32_t)parser->ptx->shadow.count;
  if (fake_accept(parser, "(") && !parameters(parser, &made->results))
    return false;
  const fake_token name = parser->now;
  if (!fake_is_word(parser) || name.length >= sizeof made->name)
    return fake_refuse(parser, "the function's name is not supported");
  memcpy(made->name, name.at, name.length);
  fake_next(parser);
  if (fake_accept(parser, "(") && !parameters(parser, &made->parameters))
    return false;
  if (made->entry && made->results > 0)
    return fake_refuse_at(parser, name, "an entry has no result");
  parser->function = fake_find_function(parser, name);
  if (parser->function == parser->ptx->function.count) {
    fake_function *added = fake_append(&parser->ptx->function, sizeof *added);
    if (added == NULL) return fake_no_memory(parser);
    *added = *made;
    return true;
  }
  const fake_function *known = &functions(parser->ptx)[parser->function];
  if (known->defined || !same_shape(parser, known, made))
    return fake_refuse_at(parser, name, "the function is another one");
  return true;
}

static bool local(fake_parser *parser, fake_symbol_kind kind) {
  fake_symbol symbol;
  return fake_declare_variable(parser, kind, &symbol) &&
         fake_expect(parser, ";");
}

/* A label, or an instruction. */
static bool line(fake_parser *parser) {
  const fake_token first = parser->now;
  const fake_parser before = *parser;
  if (fake_is_word(parser)) {
    fake_next(parser);
    if (fake_accept(parser, ":")) {
      fake_label *label = fake_append(&parser->label, sizeof *label);
      if (label == NULL) return fake_no_memory(parser);
      *label = (fake_label){first, (uint32_t)parser->ptx->code.count};
      return true;
    }
    parser->at = before.at;
    parser->line = before.line;
    parser->now = before.now;
  }
  return fake_decode(parser);
}

static bool statement(fake_parser *parser) {
  if (fake_accept(parser, ".reg")) return fake_declare_registers(parser);
  if (fake_accept(parser, ".local")) return local(parser, FAKE_VARIABLE);
  if (fake_accept(parser, ".param")) return local(parser, FAKE_PARAMETER);
  if (fake_accept(parser, ".pragma")) {
    fake_next(parser);
    return fake_expect(parser, ";");
  }
  return line(parser);
}

/* The first brace is behind us. What a scope declares ends with it. */
static bool body(fake_parser *parser) {
  size_t scope[SCOPES];
  size_t depth = 1;
  scope[0] = 0;
  while (depth > 0) {
    if (parser->now.length == 0) return fake_refuse(parser, "the text ends");
    if (fake_accept(parser, "{")) {
      if (depth == SCOPES) return fake_refuse(parser, "too many scopes");
      scope[depth++] = parser->symbol.count;
    } else if (fake_accept(parser, "}")) {
      parser->symbol.count = scope[--depth];
    } else if (!statement(parser)) {
      return false;
    }
  }
  return fake_resolve_jumps(parser);
}

/* A comparison, and the branch behind it that its result decides. */
static void fuse(fake_ptx *ptx, size_t from) {
  fake_instruction *code = (fake_instruction *)ptx->code.item;
  const unsigned first = FAKE_OP_setp_eq_u16;
  const unsigned fused = FAKE_OP_bra_eq_u16;
  for (size_t i = from; i + 1 < ptx->code.count; i++)
    if (code[i].op >= first && code[i].op < fused &&
        (code[i + 1].op == FAKE_OP_bra_if ||
         code[i + 1].op == FAKE_OP_bra_unless) &&
        code[i + 1].a == code[i].d)
      code[i].op = (uint16_t)(code[i].op - first + fused);
}

static bool function(fake_parser *parser, bool entry) {
  fake_function made = {.entry = entry};
  parser->symbol.count = 0;
  made.start = (uint32_t)parser->ptx->code.count;
  if (!head(parser, &made)) return false;
  if (fake_accept(parser, ";")) return true;
  if (!fake_expect(parser, "{") || !body(parser) ||
      !fake_emit(parser, (fake_instruction){.op = FAKE_OP_ret}))
    return false;
  fuse(parser->ptx, made.start);
  made.defined = true;
  made.variables.bytes =
      (uint32_t)parser->ptx->shadow.count - made.variables.at;
  functions(parser->ptx)[parser->function] = made;
  return true;
}

static bool directive(fake_parser *parser) {
  uint64_t bits = 0;
  if (fake_accept(parser, ".version")) return version(parser);
  if (fake_accept(parser, ".target")) return target(parser);
  if (fake_accept(parser, ".address_size"))
    return fake_number(parser, &bits) &&
           (bits == 64 || fake_refuse(parser, "addresses have 64 bits"));
  if (parser->ptx->version == 0 || parser->ptx->target == 0)
    return fake_refuse(parser, "version and target come first");
  if (!fake_accept(parser, ".visible")) (void)fake_accept(parser, ".weak");
  if (fake_accept(parser, ".entry")) return function(parser, true);
  if (fake_accept(parser, ".func")) return function(parser, false);
  return fake_refuse(parser, "the directive is not supported");
}

static bool finish(fake_parser *parser) {
  fake_ptx *ptx = parser->ptx;
  if (ptx->function.count == 0) return fake_refuse(parser, "no function");
  if (!fake_resolve_calls(parser)) return false;
  ptx->bytes = calloc(ptx->shadow.count + 1, 1);
  ptx->state = calloc(ptx->shadow.count + 1, 1);
  return ptx->bytes != NULL && ptx->state != NULL;
}

static bool special_slots(fake_parser *parser) {
  for (size_t s = 0; s < 4; s++)
    for (size_t axis = 0; axis < 3; axis++)
      if (!fake_new_slots(parser, 0, 1, &parser->ptx->special[s][axis]))
        return false;
  return true;
}

/* Arrays that may stay empty are never NULL, for what adds to them. */
static bool make_arrays(fake_ptx *ptx) {
  if (fake_append(&ptx->place, sizeof(fake_place)) == NULL ||
      fake_append(&ptx->copy, sizeof(fake_copy)) == NULL ||
      fake_append(&ptx->call, sizeof(fake_call)) == NULL ||
      fake_append(&ptx->shadow, 1) == NULL)
    return false;
  ptx->place.count = ptx->copy.count = ptx->call.count = ptx->shadow.count = 0;
  return true;
}

fake_ptx *fake_ptx_load(const char *text, char *log, size_t bytes) {
  fake_ptx *ptx = calloc(1, sizeof *ptx);
  fake_parser parser = {.ptx = ptx,
                        .text = text,
                        .at = text,
                        .line = 1,
                        .log = log,
                        .log_bytes = bytes};
  log[0] = 0;
  if (ptx == NULL) return NULL;
  fake_next(&parser);
  bool good = make_arrays(ptx) && special_slots(&parser);
  while (good && parser.now.length > 0)
    good = directive(&parser);
  good = good && finish(&parser);
  free(parser.symbol.item);
  free(parser.label.item);
  free(parser.jump.item);
  free(parser.constant.item);
  if (good) return ptx;
  fake_ptx_free(ptx);
  return NULL;
}

void fake_ptx_free(fake_ptx *ptx) {
  if (ptx == NULL) return;
  free(ptx->code.item);
  free(ptx->slot.item);
  free(ptx->shadow.item);
  free(ptx->function.item);
  free(ptx->place.item);
  free(ptx->call.item);
  free(ptx->copy.item);
  free(ptx->bytes);
  free(ptx->state);
  free(ptx);
}
