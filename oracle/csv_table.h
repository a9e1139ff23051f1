/* poolproof: a CSV file with a MiniMalloc header, row by row. */
#ifndef PP_CSV_TABLE_H
#define PP_CSV_TABLE_H

#include "problem.h"
#include "source.h"

/* One row: its cells by column; NULL where the file has no such column. */
typedef struct pp_row {
  const char *name; /* of the file */
  char where[32];   /* "line 7" */
  const char *cell[PP_COLUMNS];
} pp_row;

typedef struct pp_header {
  size_t columns;
  pp_column column[PP_COLUMNS];
  const char *column_name[PP_COLUMNS];
} pp_header;

/* What to do with the header, and with a row. Nonzero stops. */
typedef struct pp_table_user {
  int (*header)(void *state, const pp_header *header, const char *name,
                pp_diag *diag);
  int (*row)(void *state, const pp_row *row, pp_diag *diag);
  void *state;
} pp_table_user;

/* Reads source to its end. A byte order mark, CRLF, blank lines and quoted
 * cells are understood. Returns 0 or diag's exit status. */
int pp_table_read(pp_source *source, const pp_table_user *user, pp_diag *diag);

#endif
