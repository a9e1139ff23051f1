#include "diag.h"

#include <stdarg.h>
#include <stdio.h>

int pp_diag_fail(pp_diag *diag, int code, const char *format, ...) {
  if (diag->code != PP_EXIT_FINE) return diag->code;
  char text[2 * sizeof diag->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  pp_printable(text, diag->text, sizeof diag->text);
  diag->code = code;
  return code;
}

int pp_fail_memory(pp_diag *diag) {
  return pp_diag_fail(diag, PP_EXIT_RESOURCE, "out of memory");
}

void pp_bad_span(pp_diag *diag, size_t index, uint64_t cap) {
  diag->bad_span = true;
  diag->index = index;
  diag->cap = cap;
}

/* Writes one byte of text, escaped if need be; returns the length. */
static size_t escape(unsigned char byte, char out[5]) {
  static const char hex[] = "0123456789abcdef";
  if (byte >= 0x20 && byte < 0x7f) {
    out[0] = (char)byte;
    return 1;
  }
  out[0] = '\\';
  out[1] = 'x';
  out[2] = hex[byte >> 4];
  out[3] = hex[byte & 15];
  return 4;
}

const char *pp_printable(const char *text, char *out, size_t size) {
  static const char cut[] = "...";
  size_t length = 0;
  size_t last = 0; /* the longest prefix that leaves room for the cut */
  for (; *text; text++) {
    char piece[5];
    size_t n = escape((unsigned char)*text, piece);
    if (length + n + 1 > size) {
      for (size_t i = 0; i < sizeof cut && last + i < size; i++)
        out[last + i] = cut[i];
      return out;
    }
    for (size_t i = 0; i < n; i++)
      out[length + i] = piece[i];
    length += n;
    if (length + sizeof cut <= size) last = length;
  }
  out[length] = '\0';
  return out;
}
