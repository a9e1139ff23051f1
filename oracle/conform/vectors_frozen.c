/* poolproof: vectors that never change: corpus/vectors/FROZEN.
 *
 * A line each: the id, a blank, and the SHA-256 of what is expected, in the
 * form of pp_wire_expect, in hex; a vector that turned out wrong has more words
 * behind it, which say why it was withdrawn. "#" begins a comment line.
 * SPDX-License-Identifier: MIT */
#include "vectors_parts.h"

#include "source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 16 << 20, HEX = PP_SHA_HEX - 1 };

/* A line of the file; at points into its text. */
typedef struct pp_frozen {
  const char *id;
  const char *hash;
  const char *note; /* NULL: not withdrawn */
} pp_frozen;

static bool hash_of(const pp_vector *vector, char hex[PP_SHA_HEX]) {
  pp_text text = {0};
  pp_wire_expect(&text, &vector->ask, &vector->expect);
  bool good = !text.failed;
  if (good) pp_text_sha256(&text, hex);
  pp_text_free(&text);
  return good;
}

/* Cuts the next line off *at. NULL at the end. */
static char *next_line(char **at) {
  char *line = *at;
  if (line[0] == '\0') return NULL;
  char *end = strchrnul(line, '\n');
  *at = *end == '\n' ? end + 1 : end;
  *end = '\0';
  return line;
}

/* "ID HASH" or "ID HASH NOTE". */
static bool split(char *line, pp_frozen *frozen) {
  char *blank = strchr(line, ' ');
  if (!blank || blank - line >= PP_ASK_ID) return false;
  *blank = '\0';
  *frozen = (pp_frozen){.id = line, .hash = blank + 1};
  size_t digits = strspn(frozen->hash, "0123456789abcdef");
  char *rest = blank + 1 + digits;
  if (digits != HEX || (*rest != ' ' && *rest != '\0')) return false;
  if (*rest == ' ') {
    *rest = '\0';
    frozen->note = rest + 1;
    if (rest[1] == '\0') return false;
  }
  return true;
}

/* The file's text, terminated, "" when there is none; NULL: why is in diag. */
static char *frozen_text(const char *path, pp_diag *diag) {
  size_t size = 0;
  bool there = access(path, F_OK) == 0;
  char *bytes = there ? pp_source_text(path, MOST, &size, diag) : NULL;
  if (there && !bytes) return NULL;
  char *text = strndup(bytes ? bytes : "", size);
  free(bytes);
  if (!text) {
    (void)pp_fail_memory(diag);
  } else if (strlen(text) != size) {
    (void)pp_diag_fail(diag, PP_EXIT_INPUT, "%s: holds a zero byte", path);
    free(text);
    text = NULL;
  }
  return text;
}

static const pp_vector *vector_of(const pp_vector_set *set, const char *id) {
  for (size_t i = 0; i < set->vectors.n; i++)
    if (strcmp(set->vectors.vector[i].id, id) == 0)
      return &set->vectors.vector[i];
  return NULL;
}

static int hold_one(pp_vectors_lint *lint, const pp_vector_set *set,
                    const pp_frozen *frozen, pp_diag *diag) {
  char hex[PP_SHA_HEX];
  const pp_vector *vector = vector_of(set, frozen->id);
  if (frozen->note) {
    if (vector)
      pp_lint_say(lint, frozen->id, "was withdrawn, and is here: %s",
                  frozen->note);
    return 0;
  }
  if (!vector) {
    pp_lint_say(lint, frozen->id, "is frozen, and is not here any more");
    return 0;
  }
  if (!hash_of(vector, hex)) return pp_fail_memory(diag);
  if (strcmp(hex, frozen->hash) != 0)
    pp_lint_say(lint, frozen->id,
                "is frozen, and expects something else than it did");
  return 0;
}

/* What is done with each line that is no comment. */
typedef int pp_frozen_use(void *state, const pp_frozen *frozen, pp_diag *diag);

static int each_line(const char *path, char *text, pp_frozen_use *use,
                     void *state, pp_diag *diag) {
  char *line = NULL;
  for (size_t number = 1; (line = next_line(&text)); number++) {
    pp_frozen frozen = {.id = ""};
    if (line[0] == '#' || line[0] == '\0') continue;
    if (!split(line, &frozen))
      return pp_diag_fail(diag, PP_EXIT_INPUT,
                          "%s: line %zu: \"%.60s\" is no id with the hash of "
                          "what is expected, and a note after it or not",
                          path, number, line);
    if (use(state, &frozen, diag) != 0) return diag->code;
  }
  return 0;
}

typedef struct pp_holding {
  pp_vectors_lint *lint;
  const pp_vector_set *set;
  size_t frozen;
} pp_holding;

static int hold_line(void *state, const pp_frozen *frozen, pp_diag *diag) {
  pp_holding *holding = state;
  holding->frozen++;
  return hold_one(holding->lint, holding->set, frozen, diag);
}

int pp_vectors_hold_frozen(pp_vectors_lint *lint, const pp_vector_set *set,
                           const char *dir, size_t *frozen, pp_diag *diag) {
  pp_holding holding = {.lint = lint, .set = set};
  int status = PP_EXIT_RESOURCE;
  char *path = pp_vectors_path(dir, "FROZEN", diag);
  if (!path) return status;
  char *text = frozen_text(path, diag);
  status = text ? each_line(path, text, hold_line, &holding, diag) : diag->code;
  *frozen = holding.frozen;
  free(text);
  free(path);
  return status;
}

/* seen[i]: vector i is in the file. */
typedef struct pp_freezing {
  const pp_vector_set *set;
  bool *seen;
} pp_freezing;

static int see_line(void *state, const pp_frozen *frozen, pp_diag *diag) {
  pp_freezing *freezing = state;
  const pp_vector *vector = vector_of(freezing->set, frozen->id);
  (void)diag;
  if (vector) freezing->seen[vector - freezing->set->vectors.vector] = true;
  return 0;
}

/* Appends the lines of those that are not seen. */
static int append(pp_text *out, const pp_freezing *freezing, size_t *added,
                  pp_diag *diag) {
  char hex[PP_SHA_HEX];
  for (size_t i = 0; i < freezing->set->vectors.n; i++) {
    const pp_vector *vector = &freezing->set->vectors.vector[i];
    if (freezing->seen[i]) continue;
    if (!hash_of(vector, hex)) return pp_fail_memory(diag);
    pp_text_put(out, vector->id, strlen(vector->id));
    pp_text_put(out, " ", 1);
    pp_text_put(out, hex, HEX);
    pp_text_put(out, "\n", 1);
    ++*added;
  }
  return 0;
}

/* The text of the file, and the lines that it lacks. */
static int lengthen(pp_text *out, const char *path, char *text,
                    pp_freezing *freezing, size_t *added, pp_diag *diag) {
  size_t size = strlen(text);
  pp_text_put(out, text, size);
  if (size > 0 && text[size - 1] != '\n') pp_text_put(out, "\n", 1);
  int status = each_line(path, text, see_line, freezing, diag);
  return status == 0 ? append(out, freezing, added, diag) : status;
}

int pp_vectors_freeze(const pp_vector_set *set, const char *dir, size_t *added,
                      pp_diag *diag) {
  pp_text out = {0};
  *added = 0;
  char *path = pp_vectors_path(dir, "FROZEN", diag);
  if (!path) return PP_EXIT_RESOURCE;
  char *text = frozen_text(path, diag);
  bool *seen = calloc(set->vectors.n + 1, sizeof *seen);
  int status = PP_EXIT_RESOURCE;
  if (!text) {
    status = diag->code;
  } else if (!seen) {
    status = pp_fail_memory(diag);
  } else {
    pp_freezing freezing = {.set = set, .seen = seen};
    status = lengthen(&out, path, text, &freezing, added, diag);
  }
  if (status == 0) status = pp_text_save(&out, path, diag);
  pp_text_free(&out);
  free(seen);
  free(text);
  free(path);
  return status;
}
