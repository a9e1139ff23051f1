#include "reports.h"

#include "output.h"

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

/* The bytes of the character that text begins with; 0: it is no UTF-8. */
static size_t sound(const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  size_t n = pp_text_prefix(text, 1);
  if (p[0] < 0x80) return 1;
  if (n == 1 || (p[0] == 0xED && p[1] >= 0xA0)) return 0;
  if (p[0] == 0xF4 && p[1] >= 0x90) return 0;
  return n;
}

/* quoted: the inside of a JSON string; else JSON, where a control byte can
 * only be a blank. */
static void put_json(pp_sheet *sheet, const char *text, bool quoted) {
  char piece[8];
  while (*text != '\0') {
    size_t n = sound(text);
    unsigned char byte = (unsigned char)*text;
    memset(piece, 0, sizeof piece);
    if (n == 0)
      (void)snprintf(piece, sizeof piece, "\xEF\xBF\xBD");
    else if (quoted && (byte == '"' || byte == '\\'))
      (void)snprintf(piece, sizeof piece, "\\%c", byte);
    else if (byte < 0x20)
      (void)snprintf(piece, sizeof piece, quoted ? "\\u%04x" : " ", byte);
    else
      memcpy(piece, text, n);
    pp_sheet_put(sheet, piece);
    text += n > 0 ? n : 1;
  }
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
  case PP_FORM_STRING:
    pp_sheet_put(sheet, "\"");
    put_json(sheet, text, true);
    pp_sheet_put(sheet, "\"");
    break;
  case PP_FORM_JSON:
    put_json(sheet, text, false);
    break;
  }
}

void pp_sheet_number(pp_sheet *sheet, const char *before, uint64_t value) {
  const char *quote = value > UINT64_C(1) << 53 ? "\"" : "";
  pp_sheet_print(sheet, "%s%s%" PRIu64 "%s", before, quote, value, quote);
}

void pp_sheet_string(pp_sheet *sheet, const char *before, const char *text) {
  pp_sheet_put(sheet, before);
  pp_sheet_text(sheet, PP_FORM_STRING, text, SIZE_MAX);
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

int pp_sheet_end(pp_sheet *sheet) {
  FILE *out = sheet->pen.out;
  if (sheet->diag->code != 0) return sheet->diag->code;
  if (sheet->pen.failed || fflush(out) != 0 || ferror(out) != 0)
    return pp_fail_write(out, sheet->diag);
  return 0;
}
