/* poolproof: the bytes of an input, read once, front to back. */
#ifndef PP_SOURCE_H
#define PP_SOURCE_H

#include "diag.h"

#include <sys/types.h>

typedef struct pp_source {
  const char *name; /* for sentences */
  int fd;           /* -1: memory */
  char *buffer;     /* owned when fd >= 0 */
  const char *at;   /* unread bytes */
  size_t left;
  size_t line; /* of the next unread byte, counted by pp_source_peek */
  int failure; /* errno of a failed read, or 0 */
} pp_source;

/* What to call an input in sentences: its path, or "standard input". */
const char *pp_input_name(const char *path);

/* Opens a file, or standard input when path is "-". */
int pp_source_open(pp_source *source, const char *path, pp_diag *diag);

/* Reads from memory that outlives the source. */
void pp_source_memory(pp_source *source, const char *name, const void *bytes,
                      size_t size);

void pp_source_close(pp_source *source);

/* Makes at least one unread byte available. False at the end or after a
 * failed read (then failure is set). */
bool pp_source_fill(pp_source *source);

/* Skips a byte order mark and blanks; the next byte then, or -1 at the end. */
int pp_source_peek(pp_source *source);

/* Takes up to size bytes; 0 at the end, -1 after a failed read. */
ssize_t pp_source_read(pp_source *source, void *to, size_t size);

/* The whole input, `most` bytes at most, from malloc, and its size. NULL:
 * why is in diag. */
char *pp_source_text(const char *path, size_t most, size_t *size,
                     pp_diag *diag);

/* Fails with the sentence of a failed read, if one failed. */
int pp_source_status(const pp_source *source, pp_diag *diag);

#endif
