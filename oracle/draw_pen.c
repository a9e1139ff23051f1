/* poolproof: view.h, bytes out: numbers, escaped text, plain shapes. */
#include "draw_parts.h"

#include "number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BAD = 0xFFFD };

void *pp_draw_alloc(size_t count, size_t size) {
  if (count > SIZE_MAX / size) return NULL;
  return malloc(count > 0 ? count * size : size);
}

void pp_pen_put(pp_pen *pen, const char *text) {
  if (pen->failed) return;
  if (fputs(text, pen->out) == EOF) pen->failed = true;
}

static void digits(uint64_t value, char *out) {
  enum { MOST = 21 }; /* what 2^64 - 1 takes */
  (void)snprintf(out, MOST, "%" PRIu64, value);
}

void pp_pen_count(pp_pen *pen, uint64_t value) {
  char text[PP_NUMBER];
  digits(value, text);
  pp_pen_put(pen, text);
}

const char *pp_count_text(uint64_t value, char out[PP_NUMBER]) {
  return pp_grouped(value, out, PP_NUMBER);
}

/* Appends ".dd", without trailing zeros if short_form. */
static void append_decimals(char *out, uint64_t part, unsigned places,
                            bool short_form) {
  size_t n = strlen(out);
  out[n] = '.';
  for (unsigned i = places; i > 0; i--) {
    out[n + i] = (char)('0' + (int)(part % 10));
    part /= 10;
  }
  n += places;
  while (short_form && out[n] == '0')
    n--;
  if (out[n] == '.') n--;
  out[n + 1] = '\0';
}

void pp_pen_real(pp_pen *pen, double value) {
  char text[PP_NUMBER];
  if (!(value > -1e9 && value < 1e9)) value = 0;
  bool minus = value < 0;
  uint64_t parts = (uint64_t)((minus ? -value : value) * 100 + 0.5);
  if (minus && parts > 0) pp_pen_put(pen, "-");
  digits(parts / 100, text);
  append_decimals(text, parts % 100, 2, true);
  pp_pen_put(pen, text);
}

const char *pp_real_text(double value, unsigned decimals, char out[PP_NUMBER]) {
  uint64_t scale = 1;
  for (unsigned i = 0; i < decimals; i++)
    scale *= 10;
  bool minus = value < 0;
  double size = (minus ? -value : value) * (double)scale + 0.5;
  if (!(size < 1e15)) {
    (void)snprintf(out, PP_NUMBER, "\xE2\x80\x93");
    return out;
  }
  uint64_t parts = (uint64_t)size;
  out[0] = '-';
  digits(parts / scale, minus && parts > 0 ? out + 1 : out);
  append_decimals(out, parts % scale, decimals, false);
  return out;
}

static const char *const units[] = {" B",   " KiB", " MiB", " GiB",
                                    " TiB", " PiB", " EiB"};

const char *pp_bytes_in(double bytes, unsigned power, unsigned decimals,
                        char out[PP_NUMBER]) {
  (void)pp_real_text(bytes / (double)(UINT64_C(1) << (10 * power)), decimals,
                     out);
  size_t n = strlen(out);
  (void)snprintf(out + n, PP_NUMBER - n, "%s", units[power]);
  return out;
}

const char *pp_bytes_text(uint64_t bytes, char out[PP_NUMBER]) {
  unsigned k = 0;
  while (k < 6 && bytes >> (10 * k) >= 1024)
    k++;
  uint64_t whole = bytes >> (10 * k);
  uint64_t part = 0;
  if (k > 0) part = (bytes >> (10 * (k - 1))) & 1023;
  part = (part * 100 + 512) / 1024;
  digits(whole + part / 100, out);
  append_decimals(out, part % 100, 2, true);
  size_t n = strlen(out);
  (void)snprintf(out + n, PP_NUMBER - n, "%s", units[k]);
  return out;
}

/* True when code is worth showing; the rest is drawn as U+FFFD. */
static bool is_fit(uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return false;
  if (code >= 0xD800 && code < 0xE000) return false;
  if ((code & 0xFFFE) == 0xFFFE || code > 0x10FFFF) return false;
  if (code >= 0xFDD0 && code < 0xFDF0) return false;
  if (code >= 0x200B && code <= 0x200F) return false;
  if (code >= 0x2028 && code <= 0x202E) return false;
  return code != 0xFEFF && !(code >= 0x2066 && code <= 0x2069);
}

/* The first character of *text, which is moved past it; not at its end. */
static uint32_t next_code(const char **text) {
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  const unsigned char *p = (const unsigned char *)*text;
  unsigned more = 0;
  *text += 1;
  if (p[0] < 0x80) return is_fit(p[0]) ? p[0] : BAD;
  if (p[0] >= 0xC2 && p[0] < 0xE0) more = 1;
  if (p[0] >= 0xE0 && p[0] < 0xF0) more = 2;
  if (p[0] >= 0xF0 && p[0] < 0xF5) more = 3;
  if (more == 0) return BAD;
  uint32_t code = p[0] & (0x3FU >> more);
  for (unsigned i = 1; i <= more; i++) {
    if ((p[i] & 0xC0) != 0x80) return BAD;
    code = code << 6 | (p[i] & 0x3FU);
  }
  if (code < least[more]) return BAD;
  *text += more;
  return is_fit(code) ? code : BAD;
}

static void put_code(pp_pen *pen, uint32_t code) {
  char text[5] = {0};
  if (code == '&')
    pp_pen_put(pen, "&amp;");
  else if (code == '<')
    pp_pen_put(pen, "&lt;");
  else if (code == '>')
    pp_pen_put(pen, "&gt;");
  else if (code == '"')
    pp_pen_put(pen, "&quot;");
  else if (code == '\'')
    pp_pen_put(pen, "&#39;");
  else {
    unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char mark[] = {0, 0xC0, 0xE0, 0xF0};
    text[0] = (char)(mark[more] | code >> (6 * more));
    for (unsigned i = 1; i <= more; i++)
      text[i] = (char)(0x80 | ((code >> (6 * (more - i))) & 0x3F));
    pp_pen_put(pen, text);
  }
}

void pp_pen_text(pp_pen *pen, const char *text, size_t most) {
  if (text == NULL) return;
  size_t done = 0;
  while (*text != '\0' && done < most) {
    put_code(pen, next_code(&text));
    done++;
  }
  if (*text != '\0') pp_pen_put(pen, "\xE2\x80\xA6");
}

size_t pp_text_columns(const char *text, size_t most) {
  size_t columns = 0;
  while (text != NULL && *text != '\0' && columns <= most)
    columns += next_code(&text) >= 0x1100 ? 2 : 1;
  return columns;
}

size_t pp_text_prefix(const char *text, size_t most) {
  const char *p = text;
  for (size_t i = 0; i < most && *p != '\0'; i++)
    next_code(&p);
  return (size_t)(p - text);
}

void pp_pen_attr(pp_pen *pen, const char *name, double value) {
  pp_pen_put(pen, " ");
  pp_pen_put(pen, name);
  pp_pen_put(pen, "=\"");
  pp_pen_real(pen, value);
  pp_pen_put(pen, "\"");
}

void pp_pen_box(pp_pen *pen, double x, double y, double w, double h) {
  pp_pen_put(pen, "M");
  pp_pen_real(pen, x);
  pp_pen_put(pen, " ");
  pp_pen_real(pen, y);
  pp_pen_put(pen, "h");
  pp_pen_real(pen, w);
  pp_pen_put(pen, "v");
  pp_pen_real(pen, h);
  pp_pen_put(pen, "h");
  pp_pen_real(pen, -w);
  pp_pen_put(pen, "z");
}

static void open_shape(pp_pen *pen, const char *name, const char *style) {
  pp_pen_put(pen, name);
  pp_pen_put(pen, " class=\"");
  pp_pen_put(pen, style);
  pp_pen_put(pen, "\"");
}

void pp_pen_rect(pp_pen *pen, const char *style, double x, double y, double w,
                 double h) {
  open_shape(pen, "<rect", style);
  pp_pen_attr(pen, "x", x);
  pp_pen_attr(pen, "y", y);
  pp_pen_attr(pen, "width", w > 0 ? w : 0);
  pp_pen_attr(pen, "height", h > 0 ? h : 0);
  pp_pen_put(pen, "/>\n");
}

void pp_pen_line(pp_pen *pen, const char *style, double x1, double y1,
                 double x2, double y2) {
  open_shape(pen, "<line", style);
  pp_pen_attr(pen, "x1", x1);
  pp_pen_attr(pen, "y1", y1);
  pp_pen_attr(pen, "x2", x2);
  pp_pen_attr(pen, "y2", y2);
  pp_pen_put(pen, "/>\n");
}

void pp_pen_label(pp_pen *pen, const char *style, double x, double y,
                  const char *text) {
  open_shape(pen, "<text", style);
  pp_pen_attr(pen, "x", x);
  pp_pen_attr(pen, "y", y);
  pp_pen_put(pen, ">");
  pp_pen_text(pen, text, 200);
  pp_pen_put(pen, "</text>\n");
}
