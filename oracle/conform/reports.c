#include "reports.h"

#include "output.h"
#include "wire_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

void pp_sheet_put(pp_sheet *sheet, const char *text) {
  pp_pen_put(&sheet->pen, text);
}

void pp_sheet_print(pp_sheet *sheet, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (!sheet->pen.failed && vfprintf(sheet->pen.out, format, arguments) < 0)
    sheet->pen.failed = true;
  va_end(arguments);
}

void pp_sheet_real(pp_sheet *sheet, double value) {
  pp_pen_real(&sheet->pen, value);
}

/* pp_printable takes all or cuts, so it gets a piece at a time. */
static void put_plain(pp_sheet *sheet, const char *text, size_t most) {
  enum { PIECE = 64 };
  char piece[PIECE + 1];
  char shown[4 * PIECE + 1];
  while (*text != '\0' && most > 0) {
    size_t n = strnlen(text, PIECE < most ? PIECE : most);
    memcpy(piece, text, n);
    piece[n] = '\0';
    pp_sheet_put(sheet, pp_printable(piece, shown, sizeof shown));
    text += n;
    most -= n;
  }
  if (*text != '\0') pp_sheet_put(sheet, "...");
}

/* Puts out what was grown, and gives it back. */
static void put_grown(pp_sheet *sheet, pp_text *text) {
  if (text->failed)
    pp_fail_memory(sheet->diag);
  else if (text->at)
    pp_sheet_put(sheet, text->at);
  pp_text_free(text);
}

void pp_sheet_text(pp_sheet *sheet, pp_form form, const char *text,
                   size_t most) {
  switch (form) {
  case PP_FORM_PLAIN:
    put_plain(sheet, text, most);
    break;
  case PP_FORM_XML:
    pp_pen_text(&sheet->pen, text, most);
    break;
  case PP_FORM_JSON:
    pp_sheet_put(sheet, text);
    break;
  }
}

void pp_sheet_number(pp_sheet *sheet, const char *before, uint64_t value) {
  pp_text grown = {0};
  pp_text_pair(&grown, before, value);
  put_grown(sheet, &grown);
}

void pp_sheet_string(pp_sheet *sheet, const char *before, const char *text) {
  pp_text grown = {0};
  pp_text_word(&grown, before);
  pp_text_string(&grown, text);
  put_grown(sheet, &grown);
}

void pp_sheet_time(pp_sheet *sheet, time_t now, bool zone) {
  struct tm time;
  char shown[64] = "1970-01-01T00:00:00";
  if (gmtime_r(&now, &time))
    (void)strftime(shown, sizeof shown, "%Y-%m-%dT%H:%M:%S", &time);
  pp_sheet_put(sheet, shown);
  if (zone) pp_sheet_put(sheet, "Z");
}

bool pp_finding_has(const pp_finding *finding, pp_part part) {
  if (finding->id[0] == '\0') return false;
  return part == PP_PART_REQUEST || finding->misdeed == PP_BEHAVED;
}

void pp_sheet_part(pp_sheet *sheet, pp_form form, const pp_finding *finding,
                   pp_part part, size_t most) {
  pp_text text = {0};
  if (part == PP_PART_REQUEST) pp_wire_canonical(&text, &finding->ask);
  if (part == PP_PART_SAID)
    pp_wire_expect(&text, &finding->ask, &finding->said);
  if (part == PP_PART_EXPECTED)
    pp_wire_expect(&text, &finding->ask, &finding->expected);
  if (text.failed)
    pp_fail_memory(sheet->diag);
  else if (text.at)
    pp_sheet_text(sheet, form, text.at, most);
  pp_text_free(&text);
}

void pp_sheet_json_part(pp_sheet *sheet, const char *before,
                        const pp_finding *finding, pp_part part) {
  if (!pp_finding_has(finding, part)) return;
  pp_sheet_put(sheet, before);
  pp_sheet_part(sheet, PP_FORM_JSON, finding, part, SIZE_MAX);
}

int pp_sheet_end(pp_sheet *sheet) {
  FILE *out = sheet->pen.out;
  if (sheet->diag->code != 0) return sheet->diag->code;
  if (sheet->pen.failed || fflush(out) != 0 || ferror(out) != 0)
    return pp_fail_write(out, sheet->diag);
  return 0;
}

bool pp_stale_line(const char **stale, char line[PP_STALE_LINE]) {
  const char *from = *stale ? *stale : "";
  size_t n = strcspn(from, "\n");
  (void)snprintf(line, PP_STALE_LINE, "%.*s", (int)n, from);
  *stale = from + n + (from[n] == '\n');
  return *from != '\0';
}
