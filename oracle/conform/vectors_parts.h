/* poolproof: what the parts of the vectors share: files with their flags, what
 * they are held to, what is frozen.  SPDX-License-Identifier: MIT */
#ifndef PP_VECTORS_PARTS_H
#define PP_VECTORS_PARTS_H

#include "answer.h"
#include "vectors.h"

/* What a word in a file's vectors means. All owned.
 * kind  the kind of fault, as pp_fault_kinds has it; "": none of them
 * seen  where it was seen, comma-separated; "": nowhere we know */
typedef struct pp_flag {
  pp_ask_verb verb;
  char *name;
  char *about;
  char *kind;
  char *seen;
} pp_flag;

/* Vectors and flags of any number of files, in the order of the verbs.
 * verbs  bit v: the file of verb v was read
 * named  the name of each verb's input, for sentences; owned */
typedef struct pp_vector_set {
  pp_vectors vectors;
  size_t flags;
  pp_flag *flag;
  unsigned verbs;
  char *named[PP_ASK_COUNT];
} pp_vector_set;

/* Those that the program carries; those of a folder (every verb's file that is
 * there, at least one), of a file, or of a bundle. path NULL: those that the
 * program carries. Refused are: what is not of the format, an id or a flag
 * twice, a request with something wrong with it. Return 0 or diag's; then the
 * set is empty. */
int pp_vector_set_read(const char *path, pp_vector_set *set, pp_diag *diag);

/* The same for one document, a file of a verb or a bundle, added to the set. */
int pp_vector_set_parse(const char *name, const char *json, size_t size,
                        pp_vector_set *set, pp_diag *diag);

/* A zeroed struct is fine. */
void pp_vector_set_free(pp_vector_set *set);

/* Takes over what the vector owns. False: out of memory, nothing was taken. */
bool pp_vector_set_add(pp_vector_set *set, const pp_vector *vector);

void pp_vector_free(pp_vector *vector);

const pp_flag *pp_flag_find(const pp_vector_set *set, pp_ask_verb verb,
                            const char *name, size_t size);

enum { PP_LIST_WORD = 200 }; /* bytes of a word of a list, terminated */

/* The word number k of a comma-separated list, not terminated, and its size;
 * NULL behind the last one. "" has none. */
const char *pp_list_word(const char *list, size_t k, size_t *size);
bool pp_list_has(const char *list, const char *word);

/* Appends the file of a verb, or the bundle of all. */
void pp_vectors_put_file(pp_text *text, const pp_vector_set *set,
                         pp_ask_verb verb);
void pp_vectors_put_bundle(pp_text *text, const pp_vector_set *set);

/* dir/name as text, to be freed; NULL: out of memory, said in diag. */
char *pp_vectors_path(const char *dir, const char *name, pp_diag *diag);

/* -- what vectors are held to ---------------------------------------------- */

/* A rule that the vectors may cite, or one that none can show, and why. */
typedef struct pp_shown_rule {
  const char *id;
  const char *not_shown; /* NULL: at least PP_VECTORS_A_RULE vectors show it */
} pp_shown_rule;

enum { PP_VECTORS_A_RULE = 3 };
extern const pp_shown_rule pp_shown_rules[];
extern const size_t pp_shown_rule_count;

/* A kind in which planners and pools break, and where this repository shows it
 * when no vector can: what has to run, and the test. */
typedef struct pp_fault_kind {
  const char *kind;
  const char *not_shown; /* NULL: at least one vector shows it */
  const char *test;
} pp_fault_kind;

extern const pp_fault_kind pp_fault_kinds[];
extern const size_t pp_fault_kind_count;

/* How many vectors cite the rule, or have a flag of the kind. */
size_t pp_vectors_of_rule(const pp_vector_set *set, const char *rule);
size_t pp_vectors_of_kind(const pp_vector_set *set, const char *kind);

/* The table of both in Markdown. False: the write failed. */
bool pp_vectors_table(FILE *out, const pp_vector_set *set);

/* Answers the question by every side that can, and has them agree. *expect
 * (zeroed) is the answer of the reference; said[] says who answered. What they
 * do not agree on is in sentence, else that is "". Returns 0, or diag's when
 * memory is short. */
int pp_vector_answer(const pp_ask *ask, pp_reply *expect,
                     bool said[PP_ANSWERER_COUNT], char *sentence, size_t size,
                     pp_diag *diag);

/* What lint saw. found: what is wrong, each a line on out.
 * answered  vectors whose expectation this side gave, by verb */
typedef struct pp_vectors_lint {
  FILE *out;
  size_t found;
  size_t answered[PP_ASK_COUNT][PP_ANSWERER_COUNT];
} pp_vectors_lint;

/* Says one thing that is wrong: "WHERE: ...". */
void pp_lint_say(pp_vectors_lint *lint, const char *where, const char *format,
                 ...) __attribute__((format(printf, 3, 4)));

/* Holds the set to everything but what is frozen. Returns 0 or diag's. */
int pp_vectors_hold(pp_vectors_lint *lint, const pp_vector_set *set,
                    pp_diag *diag);

/* Holds the files of a folder to how they are written. Returns 0 or diag's. */
int pp_vectors_hold_form(pp_vectors_lint *lint, const pp_vector_set *set,
                         const char *dir, pp_diag *diag);

/* Holds the set to dir/FROZEN: an id that is there has the expectation that it
 * had, unless it was withdrawn, and then it is not in the set. *frozen: how
 * many there are. Returns 0 or diag's. */
int pp_vectors_hold_frozen(pp_vectors_lint *lint, const pp_vector_set *set,
                           const char *dir, size_t *frozen, pp_diag *diag);

/* Appends to dir/FROZEN the vectors of the set that are not in it. *added: how
 * many. Returns 0 or diag's. */
int pp_vectors_freeze(const pp_vector_set *set, const char *dir, size_t *added,
                      pp_diag *diag);

#endif
