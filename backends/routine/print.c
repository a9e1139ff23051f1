#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text that grows; failed: no memory, once and for all. */
typedef struct pp_page {
  char *text;
  size_t used, room;
  bool failed;
} pp_page;

static void put(pp_page *page, const char *text, size_t length) {
  while (!page->failed && length >= page->room - page->used) {
    size_t room = page->room < 256 ? 256 : page->room;
    char *grown = NULL;
    if (!__builtin_mul_overflow(room, 2, &room))
      grown = realloc(page->text, room);
    page->failed = !grown;
    if (!grown) return;
    page->text = grown;
    page->room = room;
  }
  if (page->failed) return;
  memcpy(page->text + page->used, text, length);
  page->used += length;
  page->text[page->used] = '\0';
}

static void put_text(pp_page *page, const char *text) {
  put(page, text, strlen(text));
}

static void put_number(pp_page *page, const char *before, uint64_t value) {
  char text[24];
  (void)snprintf(text, sizeof text, "%" PRIu64, value);
  put_text(page, before);
  put_text(page, text);
}

static void put_literal(pp_page *page, pp_dtype dtype, uint64_t bits) {
  char text[PP_LITERAL];
  pp_literal_write(dtype, bits, text);
  put_text(page, text);
}

/* Is every element the same, bit for bit? */
static bool all_same(const pp_node *node, size_t bytes) {
  size_t one = pp_dtype_bytes(node->dtype);
  const char *data = node->data;
  return bytes > one && memcmp(data, data + one, bytes - one) == 0;
}

static void print_data(pp_page *page, const pp_node *node,
                       uint64_t *fill_left) {
  size_t bytes = (size_t)pp_node_bytes(node);
  uint64_t elements = pp_node_elements(node);
  put_text(page, " data");
  if (bytes <= *fill_left && all_same(node, bytes)) {
    *fill_left -= bytes;
    put_text(page, " fill");
    elements = 1;
  }
  for (uint64_t i = 0; i < elements && !page->failed; i++) {
    put_text(page, " ");
    put_literal(page, node->dtype, pp_element_bits(node->data, node->dtype, i));
  }
}

static void print_node(pp_page *page, const pp_node *node,
                       uint64_t *fill_left) {
  static const char *const intents[] = PP_INTENT_NAMES;
  put_number(page, "node ", node->uid);
  put_text(page, " ");
  put_text(page, node->label);
  put_text(page, " ");
  put_text(page, pp_dtype_name(node->dtype));
  put_text(page, " [");
  for (unsigned d = 0; d < node->rank; d++)
    put_number(page, d > 0 ? ", " : "", node->dims[d]);
  put_text(page, "]");
  for (unsigned k = 0; k < sizeof intents / sizeof intents[0]; k++)
    if ((node->intents & (1U << k)) != 0) {
      put_text(page, " ");
      put_text(page, intents[k]);
    }
  if (node->has_span) {
    put_number(page, " span ", node->lo);
    put_number(page, " ", node->hi);
  }
  if (node->data) print_data(page, node, fill_left);
  put_text(page, "\n");
}

static const char *axis_name(unsigned axis) {
  static const char *const names[PP_AXES] = {"i", "j", "k", "l", "m", "n"};
  return names[axis];
}

/* One term of an index, unless it is 0: `- 3*j`. */
static void print_term(pp_page *page, int64_t scale, const char *axis,
                       bool *first) {
  uint64_t size = scale < 0 ? (uint64_t) - (scale + 1) + 1 : (uint64_t)scale;
  if (scale == 0) return;
  if (*first)
    put_text(page, scale < 0 ? "-" : "");
  else
    put_text(page, scale < 0 ? " - " : " + ");
  *first = false;
  if (size != 1 || !axis) put_number(page, "", size);
  if (size != 1 && axis) put_text(page, "*");
  if (axis) put_text(page, axis);
}

/* Axes in their order, then the base; but `3 - i`, not `-i + 3`. */
static void print_index(pp_page *page, const pp_index *index) {
  unsigned axis = 0;
  while (axis < PP_AXES - 1 && index->scale[axis] == 0)
    axis++;
  bool base_first = index->base > 0 && index->scale[axis] < 0;
  bool first = true;
  if (base_first) print_term(page, index->base, NULL, &first);
  for (; axis < PP_AXES; axis++)
    print_term(page, index->scale[axis], axis_name(axis), &first);
  if (!base_first) print_term(page, index->base, NULL, &first);
  if (first) put_text(page, "0");
}

static void print_access(pp_page *page, const pp_routine *routine,
                         const pp_access *access) {
  const pp_node *node = &routine->node[access->node];
  put_text(page, node->label);
  put_text(page, "[");
  for (unsigned d = 0; d < node->rank; d++) {
    if (d > 0) put_text(page, ", ");
    print_index(page, &access->index[d]);
  }
  put_text(page, "]");
}

/* An expression while it is printed. first[k] is the first step of the value
 * that step k leaves. */
typedef struct pp_writing {
  pp_page *page;
  const pp_routine *routine;
  const pp_statement *statement;
  unsigned first[PP_STEPS];
} pp_writing;

/* How tight an operation binds. A literal with a minus stands wherever a
 * minus may, but behind another minus it would not be the same. */
enum { SUM = 1, PRODUCT, MINUS, PRIMARY };

static int binding(pp_op op) {
  switch (op) {
  case PP_OP_ADD:
  case PP_OP_SUB:
    return SUM;
  case PP_OP_MUL:
  case PP_OP_DIV:
    return PRODUCT;
  case PP_OP_NEG:
  case PP_OP_LIT:
    return MINUS;
  default:
    return PRIMARY;
  }
}

static void print_value(const pp_writing *writing, unsigned at, int least);

static void print_loops(pp_page *page, const pp_statement *statement,
                        unsigned axis, unsigned axes) {
  for (unsigned k = 0; k < axes; k++) {
    put_text(page, k > 0 ? ", " : "for ");
    put_text(page, axis_name(axis + k));
    put_number(page, "<", statement->extent[axis + k]);
  }
  if (axes > 0) put_text(page, ": ");
}

/* The loop that ends with step `at`. */
static void print_loop(const pp_writing *writing, unsigned at) {
  static const char *const names[PP_FOLD_COUNT] = PP_LOOP_NAMES;
  const pp_step *step = writing->statement->step;
  unsigned loop = writing->first[at - 1] - 1;
  put_text(writing->page, names[step[at].fold]);
  put_text(writing->page, "(");
  print_value(writing, loop - 1, SUM);
  put_text(writing->page, " ");
  print_loops(writing->page, writing->statement, step[loop].axis,
              step[loop].axes);
  print_value(writing, at - 1, SUM);
  put_text(writing->page, ")");
}

static void print_slot(const pp_writing *writing, unsigned at) {
  const pp_step *step = &writing->statement->step[at];
  put_text(writing->page, pp_op_name(step->op));
  put_number(writing->page, "(", step->slot);
  if (step->op == PP_OP_KEEP) {
    put_text(writing->page, ", ");
    print_value(writing, at - 1, SUM);
  }
  put_text(writing->page, ")");
}

static void print_call(const pp_writing *writing, unsigned at) {
  pp_op op = writing->statement->step[at].op;
  unsigned argument[3] = {0};
  int arity = pp_op_arity(op);
  unsigned last = at;
  for (int k = arity; k-- > 0; last = writing->first[last - 1])
    argument[k] = last - 1;
  put_text(writing->page, pp_op_name(op));
  for (int k = 0; k < arity; k++) {
    put_text(writing->page, k > 0 ? ", " : "(");
    print_value(writing, argument[k], SUM);
  }
  put_text(writing->page, ")");
}

static void print_infix(const pp_writing *writing, unsigned at,
                        const char *sign, int level) {
  print_value(writing, writing->first[at - 1] - 1, level);
  put_text(writing->page, sign);
  print_value(writing, at - 1, level + 1);
}

static void print_operation(const pp_writing *writing, unsigned at) {
  const pp_step *step = &writing->statement->step[at];
  switch (step->op) {
  case PP_OP_LOAD:
    print_access(writing->page, writing->routine,
                 &writing->statement->read[step->read]);
    return;
  case PP_OP_LIT:
    put_literal(writing->page,
                writing->routine->node[writing->statement->target.node].dtype,
                step->bits);
    return;
  case PP_OP_ADD:
    print_infix(writing, at, " + ", SUM);
    return;
  case PP_OP_SUB:
    print_infix(writing, at, " - ", SUM);
    return;
  case PP_OP_MUL:
    print_infix(writing, at, " * ", PRODUCT);
    return;
  case PP_OP_DIV:
    print_infix(writing, at, " / ", PRODUCT);
    return;
  case PP_OP_NEG:
    put_text(writing->page, "-");
    print_value(writing, at - 1, PRIMARY);
    return;
  case PP_OP_KEEP:
  case PP_OP_AGAIN:
    print_slot(writing, at);
    return;
  case PP_OP_NEXT:
    print_loop(writing, at);
    return;
  default:
    print_call(writing, at);
    return;
  }
}

/* The value that step `at` leaves, in parentheses unless it binds as tight as
 * `least`. */
static void print_value(const pp_writing *writing, unsigned at, int least) {
  bool enclosed = binding(writing->statement->step[at].op) < least;
  if (enclosed) put_text(writing->page, "(");
  print_operation(writing, at);
  if (enclosed) put_text(writing->page, ")");
}

static void print_expression(pp_page *page, const pp_routine *routine,
                             const pp_statement *statement) {
  pp_writing writing = {.page = page, .routine = routine};
  writing.statement = statement;
  for (unsigned k = 0; k < statement->steps; k++) {
    unsigned first = k;
    for (int taken = pp_op_arity(statement->step[k].op); taken > 0; taken--)
      first = writing.first[first - 1];
    writing.first[k] = first;
  }
  print_value(&writing, statement->steps - 1, SUM);
}

static void print_statement(pp_page *page, const pp_routine *routine,
                            const pp_statement *statement) {
  static const char *const folds[] = {
#define PP_FOLD_TEXT(NAME, name, sign) " " sign " ",
      PP_FOLDS(PP_FOLD_TEXT)
#undef PP_FOLD_TEXT
  };
  if (statement->kind == PP_BARRIER) {
    put_text(page, "barrier\n");
    return;
  }
  if (statement->kind == PP_OPAQUE) put_text(page, "opaque ");
  if (statement->joins) put_text(page, "also ");
  print_loops(page, statement, 0, statement->axes);
  print_access(page, routine, &statement->target);
  put_text(page, folds[statement->fold]);
  print_expression(page, routine, statement);
  put_text(page, "\n");
}

char *pp_routine_print(const pp_routine *routine) {
  pp_page page = {0};
  uint64_t fill_left = PP_FILL;
  if (!routine->code) return NULL;
  put_text(&page, "routine ");
  put_text(&page, routine->name);
  put_text(&page, "\n");
  for (size_t i = 0; i < routine->nodes; i++)
    print_node(&page, &routine->node[i], &fill_left);
  for (size_t k = 0; k < routine->statements; k++)
    print_statement(&page, routine, &routine->statement[k]);
  put_text(&page, "end\n");
  if (!page.failed) return page.text;
  free(page.text);
  return NULL;
}
