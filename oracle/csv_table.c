#include "csv_table.h"

#include "foreign.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

/* A cell above this is no cell of a plan; it bounds what a row may cost. */
enum { PP_CELL_LIMIT = 1 << 20 };

static const struct {
  const char *name;
  pp_column column;
} spellings[] = {
    {"id", PP_COL_ID},           {"buffer", PP_COL_ID},
    {"buffer_id", PP_COL_ID},    {"index", PP_COL_ID},
    {"lower", PP_COL_LOWER},     {"start", PP_COL_LOWER},
    {"begin", PP_COL_LOWER},     {"upper", PP_COL_UPPER},
    {"end", PP_COL_END},         {"size", PP_COL_SIZE},
    {"alignment", PP_COL_ALIGN}, {"class", PP_COL_CLASS},
    {"hint", PP_COL_HINT},       {"gaps", PP_COL_GAPS},
    {"segment", PP_COL_SEGMENT}, {"offset", PP_COL_OFFSET},
};

#define EXPECTED                                                               \
  "a header such as id,lower,upper,size (upper exclusive; or end, inclusive) " \
  "with optional alignment,class,hint,gaps,segment,offset is wanted"

typedef struct pp_table {
  pp_source *source;
  const pp_table_user *user;
  pp_diag *diag;
  pp_header header;
  bool has_header;
  bool after_cr;           /* the last byte was a CR */
  size_t line;             /* that is read */
  size_t cells;            /* of the row so far */
  size_t ends[PP_COLUMNS]; /* where each cell ends in text, NUL excluded */
  char *text;              /* the cells of the row, each NUL-terminated */
  size_t used;
  size_t room;
} pp_table;

static int fail(pp_table *table, const char *what) {
  return pp_diag_fail(table->diag, PP_EXIT_INPUT, "%s: line %zu: %s",
                      table->source->name, table->line, what);
}

static bool keep(pp_table *table, const char *cell, size_t size) {
  size_t need = table->used + size + 1;
  if (need > table->room) {
    char *text = realloc(table->text, 2 * need);
    if (!text) return false;
    table->text = text;
    table->room = 2 * need;
  }
  memcpy(table->text + table->used, cell, size);
  table->text[table->used + size] = '\0';
  table->used = need;
  return true;
}

static void on_cell(void *cell, size_t size, void *state) {
  pp_table *table = state;
  if (table->diag->code != 0) return;
  if (table->cells == PP_COLUMNS)
    fail(table, "more cells than columns exist; " EXPECTED);
  else if (memchr(cell, '\0', size))
    fail(table, "a NUL byte");
  else if (!keep(table, cell, size))
    pp_fail_memory(table->diag);
  else
    table->ends[table->cells++] = table->used - 1;
}

static const char *cell_text(const pp_table *table, size_t k) {
  return table->text + (k == 0 ? 0 : table->ends[k - 1] + 1);
}

static int add_column(pp_table *table, const char *name) {
  const size_t count = sizeof spellings / sizeof *spellings;
  pp_header *header = &table->header;
  size_t s = 0;
  while (s < count && strcmp(spellings[s].name, name) != 0)
    s++;
  if (s == count)
    return pp_diag_fail(table->diag, PP_EXIT_INPUT,
                        "%s: line %zu: \"%.60s\" is no column; " EXPECTED,
                        table->source->name, table->line, name);
  for (size_t k = 0; k < header->columns; k++)
    if (header->column[k] == spellings[s].column)
      return pp_diag_fail(
          table->diag, PP_EXIT_INPUT,
          "%s: line %zu: columns \"%s\" and \"%s\" say the same",
          table->source->name, table->line, header->column_name[k], name);
  header->column[header->columns] = spellings[s].column;
  header->column_name[header->columns++] = spellings[s].name;
  return 0;
}

static int end_header(pp_table *table) {
  for (size_t k = 0; k < table->cells; k++)
    if (add_column(table, cell_text(table, k)) != 0) return table->diag->code;
  table->has_header = true;
  return table->user->header(table->user->state, &table->header,
                             table->source->name, table->diag);
}

static int end_row(pp_table *table) {
  pp_row row = {.name = table->source->name};
  snprintf(row.where, sizeof row.where, "line %zu", table->line);
  if (table->cells != table->header.columns)
    return pp_diag_fail(
        table->diag, PP_EXIT_INPUT,
        "%s: line %zu: %zu cells where the header has %zu columns",
        table->source->name, table->line, table->cells, table->header.columns);
  for (size_t k = 0; k < table->cells; k++)
    row.cell[table->header.column[k]] = cell_text(table, k);
  return table->user->row(table->user->state, &row, table->diag);
}

static void on_row(int terminator, void *state) {
  pp_table *table = state;
  (void)terminator;
  if (table->diag->code == 0) {
    if (table->has_header)
      end_row(table);
    else
      end_header(table);
  }
  table->cells = 0;
  table->used = 0;
}

/* How many of the buffered bytes a line takes, its end with it; lines end with
 * LF, CR LF or CR. */
static size_t line_size(const pp_source *source, bool *ended) {
  size_t size = 0;
  while (size < source->left && source->at[size] != '\n' &&
         source->at[size] != '\r')
    size++;
  *ended = size < source->left;
  if (!*ended) return size;
  bool pair = source->at[size] == '\r' && size + 1 < source->left &&
              source->at[size + 1] == '\n';
  return size + (pair ? 2 : 1);
}

/* Feeds what is buffered, a line at most, so that line numbers are right. */
static bool feed(pp_table *table, struct csv_parser *parser) {
  pp_source *source = table->source;
  bool ended = false;
  size_t size = line_size(source, &ended);
  const char *at = source->at;
  source->at += size;
  source->left -= size;
  /* The LF of a CR LF that the buffer's end has parted ends no line. */
  bool parted = table->after_cr && size == 1 && at[0] == '\n';
  table->after_cr = ended && at[size - 1] == '\r';
  table->line = source->line;
  if (ended && !parted) source->line++;
  if (csv_parse(parser, at, size, on_cell, on_row, table) != size) {
    if (csv_error(parser) == CSV_EPARSE)
      fail(table, "a quote inside a cell, or text behind a closing quote");
    else
      pp_fail_memory(table->diag);
  } else if (csv_get_buffer_size(parser) > PP_CELL_LIMIT) {
    fail(table, "a cell of more than 1 MiB");
  }
  return table->diag->code == 0;
}

static int read_all(pp_table *table, struct csv_parser *parser) {
  pp_source_peek(table->source);
  while (pp_source_fill(table->source))
    if (!feed(table, parser)) return table->diag->code;
  if (pp_source_status(table->source, table->diag) != 0)
    return table->diag->code;
  if (csv_fini(parser, on_cell, on_row, table) != 0)
    return csv_error(parser) == CSV_EPARSE
               ? fail(table, "a quoted cell is never closed")
               : pp_fail_memory(table->diag);
  if (table->diag->code == 0 && !table->has_header)
    return pp_diag_fail(table->diag, PP_EXIT_INPUT, "%s: no header; " EXPECTED,
                        table->source->name);
  return table->diag->code;
}

/* libcsv takes less where it cannot have more; here that is a failure. */
static _Thread_local bool out_of_memory;

static void *marked_realloc(void *memory, size_t size) {
  void *moved = realloc(memory, size);
  if (!moved) out_of_memory = true;
  return pp_foreign(moved, size);
}

int pp_table_read(pp_source *source, const pp_table_user *user, pp_diag *diag) {
  pp_table table = {.source = source, .user = user, .diag = diag};
  struct csv_parser parser;
  if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
    return pp_fail_memory(diag);
  csv_set_blk_size(&parser, 1 << 12);
  csv_set_realloc_func(&parser, marked_realloc);
  out_of_memory = false;
  int status = read_all(&table, &parser);
  if (out_of_memory) status = pp_fail_memory(diag);
  csv_free(&parser);
  free(table.text);
  return status;
}
