/* poolproof: a thread's latest note.  SPDX-License-Identifier: MIT */
#include "note.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char latest[PP_NOTE];

void pp_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  memcpy(latest, ": ", 3);
  (void)vsnprintf(latest + 2, sizeof latest - 2, format, arguments);
  va_end(arguments);
}

const char *pp_note_take(char *text) {
  memcpy(text, latest, sizeof latest);
  latest[0] = '\0';
  return text;
}
