/* poolproof: where a function's body can be changed by one small edit.
 *
 *   points FILE.c [COMPILER ARGUMENT...]
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
  size_t count;
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

static void put_wrapped(pp_points *points, const char *kind, pp_extent where,
                        const char *prefix, const char *suffix) {
  printf("%s\t%u\t%s\t%u\t%u\t%s", points->function, where.line, kind,
         where.begin, where.end, prefix);
  for (unsigned at = where.begin; at < where.end; at++)
    putchar(points->source[at] == '\n' ? ' ' : points->source[at]);
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

/* The operator token between two operands. */
static bool operator_between(const pp_points *points, pp_extent left,
                             pp_extent right, pp_extent *where, char text[4]) {
  unsigned at = left.end;
  while (at < right.begin && strchr(" \n()", points->source[at]))
    at++;
  unsigned end = at;
  while (end < right.begin && strchr("+-*/%<>=!&|", points->source[end]))
    end++;
  if (end == at || end - at > 3) return false;
  *where = (pp_extent){at, end, left.line};
  memcpy(text, points->source + at, end - at);
  text[end - at] = '\0';
  return true;
}

static void change_operator(pp_points *points, CXCursor cursor) {
  static const char *const swaps[][3] = {
      {"<", "<=", ">="},  {"<=", "<", ">"},   {">", ">=", "<="},
      {">=", ">", "<"},   {"==", "!=", NULL}, {"!=", "==", NULL},
      {"+", "-", NULL},   {"-", "+", NULL},   {"*", "+", NULL},
      {"%", "/", NULL},   {"/", "%", NULL},   {"&&", "||", NULL},
      {"||", "&&", NULL}, {"+=", "-=", NULL}, {"-=", "+=", NULL},
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
    printf("%s\t%u\targuments\t%u\t%u\t%.*s, %.*s\n", points->function,
           first.line, first.begin, second.end,
           (int)(second.end - second.begin), points->source + second.begin,
           (int)(first.end - first.begin), points->source + first.begin);
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
  bool statement = kind == CXCursor_BinaryOperator ||
                   kind == CXCursor_CallExpr ||
                   kind == CXCursor_CompoundAssignOperator ||
                   kind == CXCursor_UnaryOperator || kind == CXCursor_IfStmt ||
                   kind == CXCursor_ReturnStmt || kind == CXCursor_ForStmt ||
                   kind == CXCursor_WhileStmt;
  bool in_block = above == CXCursor_CompoundStmt;
  pp_children siblings = children_of(parent);
  bool last = in_block && siblings.count > 0 &&
              clang_equalCursors(siblings.cursor[siblings.count - 1], cursor);
  if (!statement || !in_block || (kind == CXCursor_ReturnStmt && last)) return;
  put_text(points, "deletion", extent_of(clang_getCursorExtent(cursor)).line,
           extent_of(clang_getCursorExtent(cursor)), "(void)0");
}

static void change_return(pp_points *points, CXCursor cursor) {
  pp_children children = children_of(cursor);
  if (children.count != 1) return;
  pp_extent where = extent_of(clang_getCursorExtent(children.cursor[0]));
  const char *text = points->source + where.begin;
  if (strncmp(text, "true", 4) == 0)
    put_text(points, "constant", where.line, where, "false");
  else if (strncmp(text, "false", 5) == 0)
    put_text(points, "constant", where.line, where, "true");
  else if (strncmp(text, "PP_OK", 5) == 0)
    put_text(points, "constant", where.line, where, "PP_OVER_CAP");
  else if (strncmp(text, "PP_", 3) == 0)
    put_text(points, "constant", where.line, where, "PP_OK");
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
  default:
    break;
  }
  return CXChildVisit_Recurse;
}

static enum CXChildVisitResult function(CXCursor cursor, CXCursor parent,
                                        CXClientData data) {
  (void)parent;
  pp_points *points = data;
  if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl ||
      !clang_isCursorDefinition(cursor) ||
      !clang_Location_isFromMainFile(clang_getCursorLocation(cursor)))
    return CXChildVisit_Continue;
  CXString name = clang_getCursorSpelling(cursor);
  (void)snprintf(points->function, sizeof points->function, "%s",
                 clang_getCString(name));
  clang_disposeString(name);
  clang_visitChildren(cursor, visit, points);
  return CXChildVisit_Continue;
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
  if (argc < 2) {
    fputs("usage: points FILE.c [COMPILER ARGUMENT...]\n", stderr);
    return 2;
  }
  char *source = load(argv[1]);
  CXIndex index = clang_createIndex(0, 1);
  pp_points points = {.source = source};
  enum CXErrorCode error = clang_parseTranslationUnit2(
      index, argv[1], (const char *const *)argv + 2, argc - 2, NULL, 0,
      CXTranslationUnit_None, &points.unit);
  if (!source || error != CXError_Success) {
    fprintf(stderr, "points: %s cannot be read\n", argv[1]);
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
