/* poolproof: what the importers of JSON share.  SPDX-License-Identifier: MIT */
#ifndef PP_JSON_IMPORT_H
#define PP_JSON_IMPORT_H

#include "formats/parts.h"

#include <jansson.h>

/* The document, an object; NULL: why is in diag. */
json_t *pp_import_json(const pp_bytes *bytes, pp_diag *diag);

/* The array at key of object. where is a place in the file, or "". */
int pp_import_array(const pp_bytes *bytes, const char *where,
                    const json_t *object, const char *key, const json_t **array,
                    pp_diag *diag);

/* The whole number that value, at key, is. */
int pp_import_u64(const pp_bytes *bytes, const char *where, const char *key,
                  const json_t *value, uint64_t *number, pp_diag *diag);

#endif
