/* poolproof: vectors, from the program, a folder or a file.
 * SPDX-License-Identifier: MIT */
#include "vectors_parts.h"

#include "output.h"
#include "source.h"
#include "vectors_texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 64 << 20 }; /* bytes of a file */

void pp_vector_free(pp_vector *vector) {
  free(vector->comment);
  free(vector->flags);
  free(vector->rules);
  pp_ask_free(&vector->ask);
  pp_reply_free(&vector->expect);
  *vector = (pp_vector){.comment = NULL};
}

void pp_vectors_free(pp_vectors *vectors) {
  for (size_t i = 0; i < vectors->n; i++)
    pp_vector_free(&vectors->vector[i]);
  free(vectors->vector);
  *vectors = (pp_vectors){.n = 0};
}

void pp_vector_set_free(pp_vector_set *set) {
  pp_vectors_free(&set->vectors);
  for (size_t k = 0; k < set->flags; k++) {
    free(set->flag[k].name);
    free(set->flag[k].about);
    free(set->flag[k].kind);
    free(set->flag[k].seen);
  }
  free(set->flag);
  for (size_t v = 0; v < PP_ASK_COUNT; v++)
    free(set->named[v]);
  *set = (pp_vector_set){.flags = 0};
}

bool pp_vector_set_add(pp_vector_set *set, const pp_vector *vector) {
  pp_vectors *vectors = &set->vectors;
  size_t n = vectors->n;
  if (n == 0 || (n & (n - 1)) == 0) { /* full: room is a power of two */
    size_t room = n == 0 ? 1 : 2 * n;
    pp_vector *more = realloc(vectors->vector, room * sizeof *more);
    if (!more) return false;
    vectors->vector = more;
  }
  vectors->vector[vectors->n++] = *vector;
  return true;
}

const char *pp_list_word(const char *list, size_t k, size_t *size) {
  for (; k > 0 && *list != '\0'; k--) {
    list += strcspn(list, ",");
    if (*list == ',') list++;
  }
  *size = strcspn(list, ",");
  return *size > 0 ? list : NULL;
}

bool pp_list_has(const char *list, const char *word) {
  size_t size = 0;
  for (size_t k = 0;; k++) {
    const char *at = pp_list_word(list, k, &size);
    if (!at) return false;
    if (size == strlen(word) && strncmp(at, word, size) == 0) return true;
  }
}

const pp_flag *pp_flag_find(const pp_vector_set *set, pp_ask_verb verb,
                            const char *name, size_t size) {
  for (size_t k = 0; k < set->flags; k++) {
    const pp_flag *flag = &set->flag[k];
    if (flag->verb == verb && strlen(flag->name) == size &&
        strncmp(flag->name, name, size) == 0)
      return flag;
  }
  return NULL;
}

char *pp_vectors_path(const char *dir, const char *name, pp_diag *diag) {
  size_t size = strlen(dir) + 1 + strlen(name) + 1;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s/%s", dir, name);
  else
    (void)pp_fail_memory(diag);
  return path;
}

static int read_file(const char *path, pp_vector_set *set, pp_diag *diag) {
  size_t size = 0;
  char *text = pp_source_text(path, MOST, &size, diag);
  if (!text) return diag->code;
  int status = pp_vector_set_parse(pp_input_name(path), text, size, set, diag);
  free(text);
  return status;
}

static int read_folder(const char *dir, pp_vector_set *set, pp_diag *diag) {
  int status = 0;
  for (unsigned v = 0; status == 0 && v < PP_ASK_COUNT; v++) {
    char name[40];
    snprintf(name, sizeof name, "%s.json", pp_ask_verb_name((pp_ask_verb)v));
    char *path = pp_vectors_path(dir, name, diag);
    if (!path) return diag->code;
    unsigned before = set->verbs;
    bool there = access(path, F_OK) == 0 || errno != ENOENT;
    if (there) status = read_file(path, set, diag);
    if (there && status == 0 && set->verbs != (before | 1U << v))
      status = pp_diag_fail(diag, PP_EXIT_INPUT,
                            "%s: holds vectors of another verb", path);
    free(path);
  }
  if (status == 0 && set->verbs == 0)
    status =
        pp_diag_fail(diag, PP_EXIT_INPUT,
                     "%s: holds no vectors; arena.json, say, is wanted", dir);
  return status;
}

static int read_embedded(pp_vector_set *set, pp_diag *diag) {
#define PP_VECTOR_TEXT(NAME, name, rules) pp_text_##name##_json,
  static const char *const text[PP_ASK_COUNT] = {PP_ASK_VERBS(PP_VECTOR_TEXT)};
#undef PP_VECTOR_TEXT
  int status = 0;
  for (size_t v = 0; status == 0 && v < PP_ASK_COUNT; v++)
    status = pp_vector_set_parse("the program's own vectors", text[v],
                                 strlen(text[v]), set, diag);
  return status;
}

int pp_vector_set_read(const char *path, pp_vector_set *set, pp_diag *diag) {
  struct stat about;
  int status = 0;
  *set = (pp_vector_set){.flags = 0};
  if (!path)
    status = read_embedded(set, diag);
  else if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
    status = read_folder(path, set, diag);
  else
    status = read_file(path, set, diag);
  if (status != 0) pp_vector_set_free(set);
  return status;
}

static int vectors_of(const char *path, pp_vectors *vectors, pp_diag *diag) {
  pp_vector_set set;
  *vectors = (pp_vectors){.n = 0};
  if (pp_vector_set_read(path, &set, diag) != 0) return diag->code;
  *vectors = set.vectors;
  set.vectors = (pp_vectors){.n = 0};
  pp_vector_set_free(&set);
  return 0;
}

int pp_vectors_embedded(pp_vectors *vectors, pp_diag *diag) {
  return vectors_of(NULL, vectors, diag);
}

int pp_vectors_read(const char *path, pp_vectors *vectors, pp_diag *diag) {
  return vectors_of(path, vectors, diag);
}
