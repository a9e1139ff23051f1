/* poolproof: where a function's body can be changed by one small edit.
 *
 *   points [--wide] FILE.c [COMPILER ARGUMENT...]
 *
 * --wide: more kinds of edits than a proof is asked to notice: operands and
 * fields dropped, else branches, break and continue, what is returned, every
 * compound assignment, ++ and --, constants of enumerations.
 *
 * Prints one edit a line, tab-separated: function, line, kind, first byte,
 * past the last byte, new text (it has no tab and no newline). The old text is
 * what stands there. Statements that only declare are left alone; ACSL is
 * comment to the compiler and never touched. SPDX-License-Identifier: MIT */
#include <clang-c/Index.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pp_points {
  CXTranslationUnit unit;
  const char *source; /* the file's bytes */
  char function[64];
  unsigned body_end; /* past the function's last statement */
  size_t count;
  bool wide;
} pp_points;

typedef struct pp_extent {
  unsigned begin;
  unsigned end;
  unsigned line;
} pp_extent;

static pp_extent extent_of(CXSourceRange range) {
  pp_extent extent = {0};
  clang_getFileLocation(clang_getRangeStart(range), NULL, &extent.line, NULL,
                        &extent.begin);
  clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL,
                        &extent.end);
  return extent;
}

/* One edit: what stands at where becomes text; or prefix, itself, suffix. */
static void put_text(pp_points *points, const char *kind, unsigned line,
                     pp_extent where, const char *text) {
  printf("%s\t%u\t%s\t%u\t%u\t%s\n", points->function, line, kind, where.begin,
         where.end, text);
  points->count++;
}

static void put_flat(const pp_points *points, pp_extent where) {
  for (unsigned at = where.begin; at < where.end; at++)
    putchar(points->source[at] == '\n' ? ' ' : points->source[at]);
}

static void put_wrapped(pp_points *points, const char *kind, pp_extent where,
                        const char *prefix, const char *suffix) {
  printf("%s\t%u\t%s\t%u\t%u\t%s", points->function, where.line, kind,
         where.begin, where.end, prefix);
  put_flat(points, where);
  printf("%s\n", suffix);
  points->count++;
}

typedef struct pp_children {
  CXCursor cursor[8];
  unsigned count;
} pp_children;

static enum CXChildVisitResult gather(CXCursor cursor, CXCursor parent,
                                      CXClientData data) {
  (void)parent;
  pp_children *children = data;
  if (children->count < 8) children->cursor[children->count] = cursor;
  children->count++;
  return CXChildVisit_Continue;
}

static pp_children children_of(CXCursor cursor) {
  pp_children children = {.count = 0};
  clang_visitChildren(cursor, gather, &children);
  if (children.count > 8) children.count = 8;
  return children;
}

/* Where the n-th child stands, from 0. */
static pp_extent extent_of_child(const pp_children *children, unsigned n) {
  return extent_of(clang_getCursorExtent(children->cursor[n]));
}

/* The operator token between two operands. */
static bool operator_between(const pp_points *points, pp_extent left,
                             pp_extent right, pp_extent *where, char text[4]) {
  unsigned at = left.end;
  while (at < right.begin && strchr(" \n()", points->source[at]))
    at++;
  unsigned end = at;
  while (end < right.begin && strchr("+-*/%<>=!&|^", points->source[end]))
    end++;
  if (end == at || end - at > 3) return false;
  *where = (pp_extent){at, end, left.line};
  memcpy(text, points->source + at, end - at);
  text[end - at] = '\0';
  return true;
}

/* a && b: a alone, and b alone. */
static void drop_operands(pp_points *points, CXCursor cursor,
                          const pp_children *operands) {
  pp_extent whole = extent_of(clang_getCursorExtent(cursor));
  for (unsigned n = 0; n < 2; n++) {
    pp_extent kept = extent_of_child(operands, n);
    printf("%s\t%u\toperand\t%u\t%u\t(", points->function, whole.line,
           whole.begin, whole.end);
    put_flat(points, kept);
    puts(")");
    points->count++;
  }
}

static void change_operator(pp_points *points, CXCursor cursor) {
  static const char *const swaps[][3] = {
      {"<", "<=", ">="},  {"<=", "<", ">"},   {">", ">=", "<="},
      {">=", ">", "<"},   {"==", "!=", NULL}, {"!=", "==", NULL},
      {"+", "-", NULL},   {"-", "+", NULL},   {"*", "+", NULL},
      {"%", "/", NULL},   {"/", "%", NULL},   {"&&", "||", NULL},
      {"||", "&&", NULL}, {"+=", "-=", NULL}, {"-=", "+=", NULL},
  };
  static const char *const wide[][2] = {
      {"*=", "/="}, {"/=", "*="}, {"|=", "&="}, {"&=", "|="},
      {"&", "|"},   {"|", "&"},   {"^", "|"},
  };
  pp_children operands = children_of(cursor);
  if (operands.count != 2) return;
  pp_extent where;
  char text[4];
  if (!operator_between(
          points, extent_of(clang_getCursorExtent(operands.cursor[0])),
          extent_of(clang_getCursorExtent(operands.cursor[1])), &where, text))
    return;
  for (size_t k = 0; k < sizeof swaps / sizeof swaps[0]; k++) {
    if (strcmp(swaps[k][0], text) != 0) continue;
    put_text(points, "operator", where.line, where, swaps[k][1]);
    if (swaps[k][2])
      put_text(points, "operator", where.line, where, swaps[k][2]);
  }
  if (!points->wide) return;
  for (size_t k = 0; k < sizeof wide / sizeof wide[0]; k++)
    if (strcmp(wide[k][0], text) == 0)
      put_text(points, "operator", where.line, where, wide[k][1]);
  if (strcmp(text, "&&") == 0 || strcmp(text, "||") == 0)
    drop_operands(points, cursor, &operands);
}

static void change_literal(pp_points *points, pp_extent where) {
  /* What true and false stand for is changed where they are returned. */
  if (strchr("tf", points->source[where.begin])) return;
  unsigned long value = strtoul(points->source + where.begin, NULL, 0);
  char text[24];
  (void)snprintf(text, sizeof text, "%lu", value + 1);
  put_text(points, "constant", where.line, where, text);
  if (value == 0) return;
  (void)snprintf(text, sizeof text, "%lu", value - 1);
  put_text(points, "constant", where.line, where, text);
}

static void change_unary(pp_points *points, pp_extent where) {
  const char *text = points->source + where.begin;
  if (text[0] == '!')
    put_text(points, "condition", where.line,
             (pp_extent){where.begin, where.begin + 1, 0}, "");
  pp_extent tail = {where.end - 2, where.end, where.line};
  if (strncmp(points->source + tail.begin, "++", 2) == 0)
    put_text(points, "operator", where.line, tail, "--");
  if (!points->wide) return;
  if (strncmp(points->source + tail.begin, "--", 2) == 0)
    put_text(points, "operator", where.line, tail, "++");
  pp_extent head = {where.begin, where.begin + 2, where.line};
  if (strncmp(text, "++", 2) == 0)
    put_text(points, "operator", where.line, head, "--");
  else if (strncmp(text, "--", 2) == 0)
    put_text(points, "operator", where.line, head, "++");
  else if (text[0] == '~' || text[0] == '-')
    put_text(points, "operator", where.line,
             (pp_extent){where.begin, where.begin + 1, 0}, "");
}

/* Arguments of one type that stand side by side, exchanged. */
static void swap_arguments(pp_points *points, CXCursor call) {
  int count = clang_Cursor_getNumArguments(call);
  for (int k = 0; k + 1 < count; k++) {
    CXCursor a = clang_Cursor_getArgument(call, (unsigned)k);
    CXCursor b = clang_Cursor_getArgument(call, (unsigned)k + 1);
    if (!clang_equalTypes(clang_getCursorType(a), clang_getCursorType(b)))
      continue;
    pp_extent first = extent_of(clang_getCursorExtent(a));
    pp_extent second = extent_of(clang_getCursorExtent(b));
    printf("%s\t%u\targuments\t%u\t%u\t", points->function, first.line,
           first.begin, second.end);
    put_flat(points, second);
    printf(", ");
    put_flat(points, first);
    putchar('\n');
    points->count++;
  }
}

static void negate_first_child(pp_points *points, CXCursor cursor) {
  pp_children children = children_of(cursor);
  if (children.count == 0) return;
  put_wrapped(points, "condition",
              extent_of(clang_getCursorExtent(children.cursor[0])), "!(", ")");
}

/* A statement of a block that does something, made to do nothing. */
static void delete_statement(pp_points *points, CXCursor cursor,
                             CXCursor parent) {
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  enum CXCursorKind above = clang_getCursorKind(parent);
  bool statement =
      kind == CXCursor_BinaryOperator || kind == CXCursor_CallExpr ||
      kind == CXCursor_CompoundAssignOperator ||
      kind == CXCursor_UnaryOperator || kind == CXCursor_IfStmt ||
      kind == CXCursor_ReturnStmt || kind == CXCursor_ForStmt ||
      kind == CXCursor_WhileStmt ||
      (points->wide &&
       (kind == CXCursor_BreakStmt || kind == CXCursor_ContinueStmt));
  bool in_block = above == CXCursor_CompoundStmt;
  pp_children siblings = children_of(parent);
  pp_extent where = extent_of(clang_getCursorExtent(cursor));
  /* One of two branches; of an only one the whole statement is deleted. */
  if (points->wide && above == CXCursor_IfStmt && siblings.count == 3 &&
      where.begin != extent_of_child(&siblings, 0).begin)
    in_block = true;
  /* Without it a value would be left to chance, perhaps the same one. */
  bool value_lost = points->wide && kind == CXCursor_ReturnStmt &&
                    where.end == points->body_end;
  if (!statement || !in_block || value_lost) return;
  put_text(points, "deletion", where.line, where, "(void)0");
}

/* What was worked out and is returned: nothing instead, or true. */
static void forget_return(pp_points *points, CXCursor value, pp_extent where) {
  CXType type = clang_getCanonicalType(clang_getCursorType(value));
  if (type.kind == CXType_Record) return;
  put_text(points, "return", where.line, where, "0");
  if (type.kind == CXType_Bool)
    put_text(points, "return", where.line, where, "1");
}

static void change_return(pp_points *points, CXCursor cursor) {
  pp_children children = children_of(cursor);
  if (children.count != 1) return;
  pp_extent where = extent_of_child(&children, 0);
  const char *text = points->source + where.begin;
  if (strncmp(text, "true", 4) == 0)
    put_text(points, "constant", where.line, where, "false");
  else if (strncmp(text, "false", 5) == 0)
    put_text(points, "constant", where.line, where, "true");
  else if (strncmp(text, "PP_OK", 5) == 0)
    put_text(points, "constant", where.line, where, "PP_OVER_CAP");
  else if (strncmp(text, "PP_", 3) == 0)
    put_text(points, "constant", where.line, where, "PP_OK");
  else if (points->wide && strncmp(text, "NULL", 4) != 0)
    forget_return(points, children.cursor[0], where);
}

/* .field = value: as if it were not there. */
static void drop_fields(pp_points *points, CXCursor list) {
  pp_children fields = children_of(list);
  for (unsigned n = 0; n < fields.count; n++) {
    pp_children parts = children_of(fields.cursor[n]);
    if (parts.count != 2 ||
        clang_getCursorKind(parts.cursor[0]) != CXCursor_MemberRef)
      continue;
    pp_extent value = extent_of_child(&parts, 1);
    put_text(points, "field", value.line, value, "{0}");
  }
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent,
                                     CXClientData data) {
  pp_points *points = data;
  pp_extent where = extent_of(clang_getCursorExtent(cursor));
  delete_statement(points, cursor, parent);
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_BinaryOperator:
  case CXCursor_CompoundAssignOperator:
    change_operator(points, cursor);
    break;
  case CXCursor_IntegerLiteral:
    change_literal(points, where);
    break;
  case CXCursor_UnaryOperator:
    change_unary(points, where);
    break;
  case CXCursor_CallExpr:
    swap_arguments(points, cursor);
    break;
  case CXCursor_IfStmt:
  case CXCursor_WhileStmt:
  case CXCursor_ConditionalOperator:
    negate_first_child(points, cursor);
    break;
  case CXCursor_ReturnStmt:
    change_return(points, cursor);
    break;
  case CXCursor_InitListExpr:
    if (points->wide) drop_fields(points, cursor);
    break;
  default:
    break;
  }
  return CXChildVisit_Recurse;
}

static enum CXChildVisitResult function(CXCursor cursor, CXCursor parent,
                                        CXClientData data) {
  (void)parent;
  pp_points *points = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  bool body = kind == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor);
  bool constants = kind == CXCursor_EnumDecl || kind == CXCursor_VarDecl;
  if (!(body || (points->wide && constants)) ||
      !clang_Location_isFromMainFile(clang_getCursorLocation(cursor)))
    return CXChildVisit_Continue;
  CXString name = clang_getCursorSpelling(cursor);
  (void)snprintf(points->function, sizeof points->function, "%s",
                 clang_getCString(name));
  clang_disposeString(name);
  points->body_end = extent_of(clang_getCursorExtent(cursor)).end - 1;
  while (body && strchr(" \n;", points->source[points->body_end - 1]))
    points->body_end--;
  clang_visitChildren(cursor, visit, points);
  return CXChildVisit_Continue;
}

static bool parse(pp_points *points, CXIndex index, char **argument,
                  int arguments) {
  return clang_parseTranslationUnit2(
             index, argument[0], (const char *const *)argument + 1,
             arguments - 1, NULL, 0, CXTranslationUnit_None,
             &points->unit) == CXError_Success;
}

static char *load(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in) return NULL;
  char *text = calloc(1, 1 << 20);
  if (text && fread(text, 1, (1 << 20) - 1, in) == 0) {
    free(text);
    text = NULL;
  }
  (void)fclose(in);
  return text;
}

int main(int argc, char **argv) {
  pp_points points = {.wide = argc > 1 && strcmp(argv[1], "--wide") == 0};
  int first = points.wide ? 2 : 1;
  if (argc <= first) {
    fputs("usage: points [--wide] FILE.c [COMPILER ARGUMENT...]\n", stderr);
    return 2;
  }
  char *source = load(argv[first]);
  CXIndex index = clang_createIndex(0, 1);
  points.source = source;
  if (!source || !parse(&points, index, argv + first, argc - first)) {
    fprintf(stderr, "points: %s cannot be read\n", argv[first]);
    free(source);
    clang_disposeIndex(index);
    return 2;
  }
  clang_visitChildren(clang_getTranslationUnitCursor(points.unit), function,
                      &points);
  clang_disposeTranslationUnit(points.unit);
  clang_disposeIndex(index);
  free(source);
  return points.count > 0 ? 0 : 1;
}
