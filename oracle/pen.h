/* poolproof: bytes out for pages and pictures: numbers, escaped text, plain
 * shapes.
 *
 * Coordinates are SVG user units. Functions that take a pen never fail by
 * themselves: a failed write is kept in the pen and looked at once, at the
 * end. SPDX-License-Identifier: MIT */
#ifndef PP_PEN_H
#define PP_PEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PP_NUMBER = 40 }; /* bytes that any number in words fits into */

typedef struct pp_pen {
  FILE *out;
  bool failed;
} pp_pen;

/* Text that needs no escaping. */
void pp_pen_put(pp_pen *pen, const char *text);
/* A number with at most two decimals, whatever the locale. */
void pp_pen_real(pp_pen *pen, double value);
void pp_pen_count(pp_pen *pen, uint64_t value);
/* User text, escaped for XML and HTML: at most `most` characters, "..." when
 * cut; invalid UTF-8, controls and direction marks become U+FFFD. NULL is
 * empty. */
void pp_pen_text(pp_pen *pen, const char *text, size_t most);
/* ` name="value"` */
void pp_pen_attr(pp_pen *pen, const char *name, double value);
/* "Mx yhwvhh-wz": a rectangle as path data. */
void pp_pen_box(pp_pen *pen, double x, double y, double w, double h);
void pp_pen_rect(pp_pen *pen, const char *style, double x, double y, double w,
                 double h);
void pp_pen_line(pp_pen *pen, const char *style, double x1, double y1,
                 double x2, double y2);
/* One line of text, escaped, of at most 200 characters. */
void pp_pen_label(pp_pen *pen, const char *style, double x, double y,
                  const char *text);

/* How wide user text is, in characters; wide ones count twice. Stops soon
 * after `most`. */
size_t pp_text_columns(const char *text, size_t most);
/* The length in bytes of the first `most` characters. */
size_t pp_text_prefix(const char *text, size_t most);
/* 1,433,600 */
const char *pp_count_text(uint64_t value, char out[PP_NUMBER]);
/* 1.37 MiB: rounded, in the largest unit that is not above the value. */
const char *pp_bytes_text(uint64_t bytes, char out[PP_NUMBER]);
/* 1.50 MiB: in units of 1024^power bytes, with `decimals` decimals. */
const char *pp_bytes_in(double bytes, unsigned power, unsigned decimals,
                        char out[PP_NUMBER]);
/* value with `decimals` (0 to 3) decimals; "-" when it is no sane number. */
const char *pp_real_text(double value, unsigned decimals, char out[PP_NUMBER]);

#endif
