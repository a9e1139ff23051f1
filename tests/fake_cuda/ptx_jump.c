/* poolproof: branches and calls of PTX.  SPDX-License-Identifier: MIT */
#include "ptx_internal.h"

#include <stdlib.h>
#include <string.h>

static bool branch(fake_parser *parser, uint16_t guard, unsigned sense) {
  const fake_op op = sense == 2   ? FAKE_OP_bra
                     : sense == 1 ? FAKE_OP_bra_if
                                  : FAKE_OP_bra_unless;
  fake_label *use = fake_append(&parser->jump, sizeof *use);
  if (use == NULL) return fake_no_memory(parser);
  *use = (fake_label){parser->now, (uint32_t)parser->ptx->code.count};
  if (!fake_is_word(parser)) return fake_refuse(parser, "a label is missing");
  fake_next(parser);
  return fake_emit(
      parser,
      (fake_instruction){.op = (uint16_t)op, .a = guard, .c = (uint16_t)sense});
}

/* One of a call's parentheses: places of parameters. */
static bool call_list(fake_parser *parser, size_t *count) {
  *count = 0;
  do {
    const fake_symbol *symbol = fake_find_variable(parser, parser->now);
    if (symbol == NULL || symbol->kind != FAKE_PARAMETER)
      return fake_refuse(parser, "no parameter has that name");
    fake_copy *copy = fake_append(&parser->ptx->copy, sizeof *copy);
    if (copy == NULL) return fake_no_memory(parser);
    *copy = (fake_copy){0, symbol->place.at, symbol->place.bytes};
    ++*count;
    fake_next(parser);
  } while (fake_accept(parser, ","));
  return fake_expect(parser, ")");
}

/* call (result), name, (argument, ...); all copies are of the caller's, the
 * callee's places are known at the end. Results come first. */
static bool call(fake_parser *parser) {
  fake_ptx *ptx = parser->ptx;
  fake_call made = {.caller = parser->function, .first = ptx->copy.count};
  const uint16_t index = (uint16_t)ptx->call.count;
  if (ptx->call.count > UINT16_MAX) return fake_refuse(parser, "many calls");
  if (fake_accept(parser, "(") &&
      (!call_list(parser, &made.results) || !fake_expect(parser, ",")))
    return false;
  made.callee = fake_find_function(parser, parser->now);
  if (made.callee == ptx->function.count)
    return fake_refuse(parser, "no function has that name");
  fake_next(parser);
  if (fake_accept(parser, ",") &&
      (!fake_expect(parser, "(") || !call_list(parser, &made.copies)))
    return false;
  const fake_function *callee =
      (const fake_function *)ptx->function.item + made.callee;
  if (callee->entry || callee->results != made.results ||
      callee->parameters != made.copies)
    return fake_refuse(parser, "the call does not fit the function");
  fake_call *added = fake_append(&ptx->call, sizeof *added);
  if (added == NULL) return fake_no_memory(parser);
  *added = made;
  return fake_emit(parser,
                   (fake_instruction){.op = FAKE_OP_call, .c = index}) &&
         (made.results == 0 ||
          fake_emit(parser,
                    (fake_instruction){.op = FAKE_OP_back, .c = index}));
}

bool fake_decode_jump(fake_parser *parser, const char *name, uint16_t guard,
                      unsigned sense, bool *done) {
  *done = true;
  if (strcmp(name, "bra") == 0 || strcmp(name, "bra.uni") == 0)
    return branch(parser, guard, sense);
  if (strcmp(name, "call") == 0 || strcmp(name, "call.uni") == 0)
    return call(parser);
  if (strcmp(name, "ret") == 0 || strcmp(name, "ret.uni") == 0)
    return fake_emit(parser, (fake_instruction){.op = FAKE_OP_ret});
  if (strcmp(name, "exit") == 0)
    return fake_emit(parser, (fake_instruction){.op = FAKE_OP_exit});
  if (strcmp(name, "trap") == 0)
    return fake_emit(parser, (fake_instruction){.op = FAKE_OP_trap});
  *done = false;
  return true;
}

static int compare_labels(const void *a, const void *b) {
  const fake_label *x = a;
  const fake_label *y = b;
  const size_t shorter =
      x->name.length < y->name.length ? x->name.length : y->name.length;
  const int order = strncmp(x->name.at, y->name.at, shorter);
  if (order != 0) return order;
  return (x->name.length > y->name.length) - (x->name.length < y->name.length);
}

bool fake_resolve_jumps(fake_parser *parser) {
  fake_label *label = (fake_label *)parser->label.item;
  const fake_label *use = (const fake_label *)parser->jump.item;
  fake_instruction *code = (fake_instruction *)parser->ptx->code.item;
  const size_t labels = parser->label.count;
  if (labels > 0) qsort(label, labels, sizeof *label, compare_labels);
  for (size_t l = 1; l < labels; l++)
    if (compare_labels(&label[l - 1], &label[l]) == 0)
      return fake_refuse_at(parser, label[l].name, "the label is there twice");
  for (size_t u = 0; u < parser->jump.count; u++) {
    const fake_label *found =
        labels == 0
            ? NULL
            : bsearch(&use[u], label, labels, sizeof *label, compare_labels);
    if (found == NULL)
      return fake_refuse_at(parser, use[u].name, "there is no such label");
    code[use[u].at].immediate = (int32_t)found->at;
  }
  parser->label.count = 0;
  parser->jump.count = 0;
  return true;
}

/* Does the function reach itself? mark: 1 on the way down, 2 after it. */
static bool recursive(fake_ptx *ptx, size_t function) {
  fake_function *known = (fake_function *)ptx->function.item;
  const fake_call *made = (const fake_call *)ptx->call.item;
  if (known[function].mark == 1) return true;
  if (known[function].mark == 2) return false;
  known[function].mark = 1;
  for (size_t c = 0; c < ptx->call.count; c++)
    if (made[c].caller == function && recursive(ptx, made[c].callee))
      return true;
  known[function].mark = 2;
  return false;
}

static bool resolve_call(fake_parser *parser, const fake_call *made) {
  const fake_function *callee =
      (const fake_function *)parser->ptx->function.item + made->callee;
  const fake_place *place =
      (const fake_place *)parser->ptx->place.item + callee->first;
  fake_copy *copy = (fake_copy *)parser->ptx->copy.item + made->first;
  if (!callee->defined) return fake_refuse(parser, "a function is not defined");
  for (size_t c = 0; c < made->results + made->copies; c++) {
    if (copy[c].bytes != place[c].bytes)
      return fake_refuse(parser, "an argument's size is not the parameter's");
    copy[c].to = place[c].at;
  }
  return true;
}

bool fake_resolve_calls(fake_parser *parser) {
  fake_ptx *ptx = parser->ptx;
  const fake_call *made = (const fake_call *)ptx->call.item;
  for (size_t c = 0; c < ptx->call.count; c++)
    if (!resolve_call(parser, &made[c])) return false;
  for (size_t f = 0; f < ptx->function.count; f++)
    if (recursive(ptx, f))
      return fake_refuse(parser, "functions that call themselves");
  return true;
}
