#include "csv_format.h"

#include "builder.h"
#include "csv_table.h"
#include "json.h"
#include "number.h"
#include "output.h"

#include <csv.h>
#include <inttypes.h>
#include <string.h>

static bool has_column(const pp_header *header, pp_column column) {
  for (size_t k = 0; k < header->columns; k++)
    if (header->column[k] == column) return true;
  return false;
}

static int need(const pp_header *header, const char *name, bool there,
                const char *column, const char *such, pp_diag *diag) {
  if (there) return 0;
  return pp_diag_fail(
      diag, PP_EXIT_INPUT,
      "%s: no column %s in the header (%zu columns); a header such "
      "as %s is wanted",
      name, column, header->columns, such);
}

static int cell_u64(const pp_row *row, const char *column, const char *cell,
                    uint64_t *value, pp_diag *diag) {
  const char *what = pp_parse_u64(cell, value);
  if (!what) return 0;
  return pp_diag_fail(
      diag, PP_EXIT_INPUT,
      "%s: %s: %s \"%.40s\" %s; whole numbers from 0 to 2^64 - 1 "
      "are wanted",
      row->name, row->where, column, cell, what);
}

static int cell_id(const pp_row *row, pp_diag *diag) {
  const char *id = row->cell[PP_COL_ID];
  const char *item_class = row->cell[PP_COL_CLASS];
  if (id[0] == '\0')
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s: the id is empty",
                        row->name, row->where);
  if (pp_json_can_carry(id, diag) &&
      (!item_class || pp_json_can_carry(item_class, diag)))
    return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s: id or class is not UTF-8",
                      row->name, row->where);
}

/* MiniMalloc's hints are only wishes, so they may be passed over, but gaps
 * change what conflicts. */
static int check_unused(const pp_row *row, pp_diag *diag) {
  const char *gaps = row->cell[PP_COL_GAPS];
  const char *hint = row->cell[PP_COL_HINT];
  uint64_t ignored = 0;
  if (hint && strcmp(hint, "-1") != 0 && hint[0] != '\0' &&
      cell_u64(row, "hint", hint, &ignored, diag) != 0)
    return diag->code;
  if (!gaps || gaps[0] == '\0') return 0;
  return pp_diag_fail(
      diag, PP_EXIT_INPUT,
      "%s: %s: gaps \"%.40s\": items with gaps in their life are "
      "not supported (ARN-1 knows one span)",
      row->name, row->where, gaps);
}

/* A problem that is read, and what the caller says of the ends of lives. */
typedef struct pp_csv_reader {
  pp_builder builder;
  pp_ends ends;
} pp_csv_reader;

static int empty_life(const pp_row *row, size_t index, pp_ends ends,
                      const char *lower, const char *upper, pp_diag *diag) {
  pp_bad_span(diag, index, PP_CAP_USUAL);
  return pp_diag_fail(
      diag, PP_EXIT_INPUT,
      "%s: %s: item %zu \"%.40s\": life %c%s, %s%c is empty: %s "
      "(ARN, BAD_SPAN)",
      row->name, row->where, index, row->cell[PP_COL_ID],
      ends == PP_ENDS_EXCLUSIVE ? '(' : '[', lower, upper,
      ends == PP_ENDS_CLOSED ? ']' : ')', pp_ends_rule(ends));
}

/* Both cells empty: always live. A file that says itself that its ends are
 * inclusive may hold empty lives: the planners answer those. */
static int cell_span(const pp_row *row, size_t index, pp_ends ends,
                     pp_item *item, pp_diag *diag) {
  const char *lower = row->cell[PP_COL_LOWER];
  bool half_open = row->cell[PP_COL_UPPER] != NULL;
  const char *upper = row->cell[half_open ? PP_COL_UPPER : PP_COL_END];
  if (lower[0] == '\0' && upper[0] == '\0') return 0;
  if (cell_u64(row, "lower", lower, &item->lo, diag) != 0 ||
      cell_u64(row, half_open ? "upper" : "end", upper, &item->hi, diag) != 0)
    return diag->code;
  item->has_span = true;
  if (ends == PP_ENDS_SAID && !half_open) return 0;
  if (ends == PP_ENDS_SAID) ends = PP_ENDS_HALF_OPEN;
  if (pp_ends_close(ends, &item->lo, &item->hi)) return 0;
  return empty_life(row, index, ends, lower, upper, diag);
}

static int problem_header(void *state, const pp_header *header,
                          const char *name, pp_diag *diag) {
  const pp_csv_reader *reader = state;
  pp_problem *problem = reader->builder.problem;
  bool upper = has_column(header, PP_COL_UPPER);
  bool end = has_column(header, PP_COL_END);
  if (upper && end)
    return pp_diag_fail(
        diag, PP_EXIT_INPUT,
        "%s: both \"upper\" (exclusive) and \"end\" (inclusive) in "
        "the header",
        name);
  if (end && reader->ends != PP_ENDS_SAID && reader->ends != PP_ENDS_CLOSED)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: a column end is inclusive, and other ends are "
                        "asked for",
                        name);
  static const char such[] = "id,lower,upper,size";
  if (need(header, name, has_column(header, PP_COL_ID), "id", such, diag) ||
      need(header, name, has_column(header, PP_COL_LOWER), "lower", such,
           diag) ||
      need(header, name, upper || end, "upper (or end)", such, diag) ||
      need(header, name, has_column(header, PP_COL_SIZE), "size", such, diag))
    return diag->code;
  problem->half_open = upper;
  problem->columns = header->columns;
  memcpy(problem->column, header->column, sizeof header->column);
  memcpy(problem->column_name, header->column_name, sizeof header->column_name);
  return 0;
}

static int problem_row(void *state, const pp_row *row, pp_diag *diag) {
  pp_csv_reader *reader = state;
  pp_builder *builder = &reader->builder;
  pp_item item = {0};
  const char *align = row->cell[PP_COL_ALIGN];
  const char *item_class = row->cell[PP_COL_CLASS];
  if (cell_id(row, diag) != 0 || check_unused(row, diag) != 0 ||
      cell_span(row, builder->problem->n, reader->ends, &item, diag) != 0 ||
      cell_u64(row, "size", row->cell[PP_COL_SIZE], &item.size, diag) != 0 ||
      (align && align[0] != '\0' &&
       cell_u64(row, "alignment", align, &item.align, diag) != 0))
    return diag->code;
  return pp_builder_add(builder, row->name, row->where, row->cell[PP_COL_ID],
                        item_class ? item_class : PP_DEFAULT_CLASS, item, diag);
}

int pp_csv_problem_ends(pp_source *source, pp_ends ends, pp_problem *problem,
                        pp_diag *diag) {
  pp_csv_reader reader = {{.problem = problem}, ends};
  *problem =
      (pp_problem){.format = PP_CSV, .kind = PP_ARENA, .cap = PP_CAP_USUAL};
  const pp_table_user user = {problem_header, problem_row, &reader};
  return pp_builder_end(&reader.builder, pp_table_read(source, &user, diag));
}

int pp_csv_problem(pp_source *source, pp_problem *problem, pp_diag *diag) {
  return pp_csv_problem_ends(source, PP_ENDS_SAID, problem, diag);
}

static int layout_header(void *state, const pp_header *header, const char *name,
                         pp_diag *diag) {
  (void)state;
  static const char such[] = "id,offset";
  if (need(header, name, has_column(header, PP_COL_ID), "id", such, diag) != 0)
    return diag->code;
  return need(header, name, has_column(header, PP_COL_OFFSET), "offset", such,
              diag);
}

static int layout_row(void *state, const pp_row *row, pp_diag *diag) {
  uint64_t segment = 0;
  uint64_t offset = 0;
  if (cell_u64(row, "offset", row->cell[PP_COL_OFFSET], &offset, diag) != 0 ||
      (row->cell[PP_COL_SEGMENT] &&
       cell_u64(row, "segment", row->cell[PP_COL_SEGMENT], &segment, diag) !=
           0))
    return diag->code;
  return pp_placer_add(state, row->name, row->where, row->cell[PP_COL_ID],
                       segment, offset, diag);
}

int pp_csv_layout(pp_source *source, const pp_problem *problem,
                  pp_layout *layout, pp_diag *diag) {
  pp_placer placer = {0};
  const pp_table_user user = {layout_header, layout_row, &placer};
  int status = pp_placer_begin(&placer, problem, layout, diag);
  if (status == 0) status = pp_table_read(source, &user, diag);
  return pp_placer_end(&placer, status, diag);
}

/* Quotes only where the reader would otherwise read something else. */
static bool put_text(FILE *out, const char *text) {
  size_t n = strlen(text);
  bool plain = n > 0 && strcspn(text, ",\"\r\n") == n && text[0] != ' ' &&
               text[0] != '\t' && text[n - 1] != ' ' && text[n - 1] != '\t';
  if (plain) return fputs(text, out) >= 0;
  return csv_fwrite(out, text, n) == 0;
}

static bool put_span_end(FILE *out, const pp_item *item, bool first,
                         bool half_open) {
  if (!item->has_span) return true;
  uint64_t step = first ? item->lo : item->hi + (half_open ? 1 : 0);
  return fprintf(out, "%" PRIu64, step) > 0;
}

static bool put_cell(FILE *out, const pp_problem *problem, size_t i,
                     pp_column column) {
  const pp_item *item = &problem->items[i];
  switch (column) {
  case PP_COL_ID:
    return put_text(out, problem->ids[i]);
  case PP_COL_LOWER:
    return put_span_end(out, item, true, false);
  case PP_COL_UPPER:
  case PP_COL_END:
    return put_span_end(out, item, false, column == PP_COL_UPPER);
  case PP_COL_SIZE:
    return fprintf(out, "%" PRIu64, item->size) > 0;
  case PP_COL_ALIGN:
    return fprintf(out, "%" PRIu64, item->align) > 0;
  case PP_COL_CLASS:
    return put_text(out, problem->class_names[item->item_class]);
  case PP_COL_HINT:
  case PP_COL_GAPS:
  case PP_COL_SEGMENT:
  case PP_COL_OFFSET:
  case PP_COLUMNS:
    break;
  }
  return true;
}

/* A layout's own columns are written by whoever has the layout; hints are not
 * kept. */
static bool is_problem_column(pp_column column) {
  return column != PP_COL_SEGMENT && column != PP_COL_OFFSET &&
         column != PP_COL_HINT;
}

static bool put_header(FILE *out, const pp_problem *problem) {
  bool good = true;
  bool first = true;
  for (size_t k = 0; good && k < problem->columns; k++) {
    if (!is_problem_column(problem->column[k])) continue;
    good = fprintf(out, "%s%s", first ? "" : ",", problem->column_name[k]) > 0;
    first = false;
  }
  return good;
}

static bool put_row(FILE *out, const pp_problem *problem, size_t i) {
  bool good = true;
  bool first = true;
  for (size_t k = 0; good && k < problem->columns; k++) {
    if (!is_problem_column(problem->column[k])) continue;
    good = (first || fputc(',', out) != EOF) &&
           put_cell(out, problem, i, problem->column[k]);
    first = false;
  }
  return good;
}

int pp_csv_problem_write(FILE *out, const pp_problem *problem, pp_diag *diag) {
  bool good = put_header(out, problem) && fputc('\n', out) != EOF;
  for (size_t i = 0; good && i < problem->n; i++)
    good = put_row(out, problem, i) && fputc('\n', out) != EOF;
  return good ? 0 : pp_fail_write(out, diag);
}

int pp_layout_write_csv(FILE *out, const pp_problem *problem,
                        const pp_layout *layout, pp_diag *diag) {
  bool many = layout->segments > 1;
  bool good = put_header(out, problem) &&
              fputs(many ? ",segment,offset\n" : ",offset\n", out) >= 0;
  for (size_t i = 0; good && i < problem->n; i++)
    good = put_row(out, problem, i) &&
           (!many || fprintf(out, ",%zu", layout->segment[i]) > 0) &&
           fprintf(out, ",%" PRIu64 "\n", layout->offset[i]) > 0;
  return good ? 0 : pp_fail_write(out, diag);
}
