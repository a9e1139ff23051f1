/* poolproof: the command vectors: adding, holding and freezing them.
 * SPDX-License-Identifier: MIT */
#include "cmd_vectors.h"

#include "conform/ask_file.h"
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* -- add ------------------------------------------------------------------- */

enum { OPTION_COMMENT = 256, OPTION_FLAGS, OPTION_RULES, OPTION_TO };

/* The place of an option of add, or NULL. */
static const char **option_of(pp_vectors_arguments *arguments, int key) {
  switch (key) {
  case OPTION_COMMENT:
    return &arguments->comment;
  case OPTION_FLAGS:
    return &arguments->flags;
  case OPTION_RULES:
    return &arguments->rules;
  case OPTION_TO:
    return &arguments->to;
  case ARGP_KEY_ARG:
    return &arguments->argument;
  default:
    return NULL;
  }
}

static error_t parse_add(int key, char *text, struct argp_state *state) {
  pp_vectors_arguments *arguments = state->input;
  const char **to = option_of(arguments, key);
  if (to) {
    if (*to && key == ARGP_KEY_ARG) argp_error(state, "one FILE is wanted");
    *to = text;
    return 0;
  }
  if (key != ARGP_KEY_END) return ARGP_ERR_UNKNOWN;
  if (!arguments->argument) argp_error(state, "a FILE is wanted");
  if (!arguments->to) argp_error(state, "--to DIR is wanted");
  if (!arguments->comment || arguments->comment[0] == '\0')
    argp_error(state, "--comment TEXT is wanted");
  if (!arguments->flags || arguments->flags[0] == '\0')
    argp_error(state, "--flags FLAG,... is wanted");
  if (!arguments->rules) arguments->rules = "";
  return 0;
}

static const struct argp_option add_options[] = {
    {"to", OPTION_TO, "DIR", 0, "the folder of vectors", 0},
    {"comment", OPTION_COMMENT, "TEXT", 0, "what it is about, in a line", 0},
    {"flags", OPTION_FLAGS, "FLAG,...", 0,
     "what it shows; the verb's file in DIR explains each", 0},
    {"rules", OPTION_RULES, "RULE,...", 0, "the rules that decide it", 0},
    {0}};

static const struct argp add_argp = {
    add_options,
    parse_add,
    "FILE",
    "Adds a vector: the question in FILE, a request of the protocol or a "
    "problem, with the answer that the rules give."
    "\vThe answer is the reference's. It is refused unless the fast planner "
    "and brute force give the same one, each where it can.",
    NULL,
    NULL,
    NULL};

/* A copy of a list whose words are single and not empty, or NULL. */
static char *own_list(const char *option, const char *list, pp_diag *diag) {
  size_t size = strlen(list);
  if (size >= PP_LIST_WORD || strstr(list, ",,") || strchr(list, ' ') ||
      list[0] == ',' || (size > 0 && list[size - 1] == ',')) {
    (void)pp_diag_fail(diag, PP_EXIT_INPUT,
                       "%s: \"%s\" is no list of words with commas between "
                       "them",
                       option, list);
    return NULL;
  }
  char *copy = strdup(list);
  if (!copy) (void)pp_fail_memory(diag);
  return copy;
}

static int check_flags(const pp_vector_set *set, const pp_vector *vector,
                       const char *dir, pp_diag *diag) {
  size_t size = 0;
  const char *word = NULL;
  const char *verb = pp_ask_verb_name(vector->ask.verb);
  for (size_t k = 0; (word = pp_list_word(vector->flags, k, &size)); k++)
    if (!pp_flag_find(set, vector->ask.verb, word, size))
      return pp_diag_fail(diag, PP_EXIT_INPUT,
                          "--flags: %s/%s.json does not explain \"%.*s\"; add "
                          "it to its \"flags\" first",
                          dir, verb, (int)size, word);
  for (size_t i = 0; i < set->vectors.n; i++)
    if (strcmp(set->vectors.vector[i].id, vector->id) == 0)
      return pp_diag_fail(diag, PP_EXIT_INPUT, "%s/%s.json has %s already: %s",
                          dir, verb, vector->id,
                          set->vectors.vector[i].comment);
  return 0;
}

static int fill_vector(const pp_vectors_arguments *arguments, pp_vector *vector,
                       pp_diag *diag) {
  bool said[PP_ANSWERER_COUNT] = {false};
  char sentence[200];
  if (pp_ask_read(arguments->argument, &vector->ask, diag) != 0)
    return diag->code;
  if (!pp_wire_id(&vector->ask, vector->id)) return pp_fail_memory(diag);
  vector->flags = own_list("--flags", arguments->flags, diag);
  vector->rules =
      vector->flags ? own_list("--rules", arguments->rules, diag) : NULL;
  if (!vector->rules) return diag->code;
  vector->comment = strdup(arguments->comment);
  if (!vector->comment) return pp_fail_memory(diag);
  if (pp_vector_answer(&vector->ask, &vector->expect, said, sentence,
                       sizeof sentence, diag) != 0)
    return diag->code;
  if (sentence[0])
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s", arguments->argument,
                        sentence);
  return 0;
}

static int add_to(const pp_vectors_arguments *arguments, pp_vector_set *set,
                  pp_vector *vector, pp_diag *diag) {
  char name[40];
  pp_text text = {0};
  if (fill_vector(arguments, vector, diag) != 0 ||
      check_flags(set, vector, arguments->to, diag) != 0)
    return diag->code;
  if (!pp_vector_set_add(set, vector)) return pp_fail_memory(diag);
  pp_ask_verb verb = vector->ask.verb;
  char id[PP_ASK_ID];
  memcpy(id, vector->id, sizeof id);
  *vector = (pp_vector){.comment = NULL};
  snprintf(name, sizeof name, "%s.json", pp_ask_verb_name(verb));
  char *path = pp_vectors_path(arguments->to, name, diag);
  if (!path) return diag->code;
  pp_vectors_put_file(&text, set, verb);
  int status = pp_text_save(&text, path, diag);
  if (status == 0) puts(id);
  pp_text_free(&text);
  free(path);
  return status;
}

int pp_vectors_add(int argc, char **argv, pp_diag *diag) {
  pp_vectors_arguments arguments = {.path = NULL};
  pp_vector_set set;
  pp_vector vector = {.comment = NULL};
  if (pp_cli_parse(&add_argp, argc, argv, &arguments, diag) != 0 ||
      pp_vector_set_read(arguments.to, &set, diag) != 0)
    return diag->code;
  int status = add_to(&arguments, &set, &vector, diag);
  pp_vector_free(&vector);
  pp_vector_set_free(&set);
  return status;
}

/* -- lint, freeze ---------------------------------------------------------- */

static const struct argp lint_argp = {
    NULL,
    pp_vectors_parse_dir,
    "[DIR]",
    "Holds vectors to what is wanted of them."
    "\vEach answer is computed anew by the reference, and by the fast planner "
    "and brute force where they can; ids are those of the requests; flags are "
    "explained and used; each rule and each kind of fault that a vector can "
    "show is shown. In a folder too: files are written as `vectors add` "
    "writes them, and what is frozen has not changed. Exit status 1 when "
    "something is wrong, a line each.",
    NULL,
    NULL,
    NULL};

static void put_counts(const pp_vectors_lint *lint, const pp_vector_set *set) {
  for (unsigned v = 0; v < PP_ASK_COUNT; v++) {
    size_t n = 0;
    for (size_t i = 0; i < set->vectors.n; i++)
      if (set->vectors.vector[i].ask.verb == v) n++;
    printf("%-9s %4zu vectors; the answer by", pp_ask_verb_name((pp_ask_verb)v),
           n);
    for (int k = 0; k < PP_ANSWERER_COUNT; k++)
      printf("%s %s %zu", k > 0 ? "," : "", pp_answerer_name((pp_answerer)k),
             lint->answered[v][k]);
    puts("");
  }
}

static int lint_folder(pp_vectors_lint *lint, const pp_vector_set *set,
                       const char *path, pp_diag *diag) {
  struct stat about;
  size_t frozen = 0;
  if (!path || stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) return 0;
  if (pp_vectors_hold_form(lint, set, path, diag) != 0 ||
      pp_vectors_hold_frozen(lint, set, path, &frozen, diag) != 0)
    return diag->code;
  printf("%zu frozen\n", frozen);
  return 0;
}

int pp_vectors_lint_of(int argc, char **argv, pp_diag *diag) {
  pp_vectors_arguments arguments = {.path = NULL};
  pp_vector_set set;
  pp_vectors_lint lint = {.out = stdout};
  if (pp_cli_parse(&lint_argp, argc, argv, &arguments, diag) != 0 ||
      pp_vector_set_read(arguments.path, &set, diag) != 0)
    return diag->code;
  int status = pp_vectors_hold(&lint, &set, diag);
  if (status == 0) {
    put_counts(&lint, &set);
    status = lint_folder(&lint, &set, arguments.path, diag);
  }
  if (status == 0) {
    printf("%zu vectors, %zu thing%s wrong\n", set.vectors.n, lint.found,
           pp_plural(lint.found));
    status = lint.found > 0 ? PP_EXIT_FOUND : PP_EXIT_FINE;
  }
  pp_vector_set_free(&set);
  return status;
}

static error_t parse_freeze(int key, char *text, struct argp_state *state) {
  const pp_vectors_arguments *arguments = state->input;
  if (key == ARGP_KEY_END && !arguments->path)
    argp_error(state, "a DIR is wanted");
  return pp_vectors_parse_dir(key, text, state);
}

static const struct argp freeze_argp = {
    NULL,
    parse_freeze,
    "DIR",
    "Appends to DIR/FROZEN the id of each vector that is not in it, with a "
    "hash of what it expects."
    "\vWhat is frozen never changes. A vector that turns out wrong is taken "
    "out, and its line in FROZEN gets a blank and the reason behind it.",
    NULL,
    NULL,
    NULL};

int pp_vectors_freeze_of(int argc, char **argv, pp_diag *diag) {
  pp_vectors_arguments arguments = {.path = NULL};
  pp_vector_set set;
  pp_vectors_lint lint = {.out = stdout};
  size_t added = 0;
  size_t frozen = 0;
  if (pp_cli_parse(&freeze_argp, argc, argv, &arguments, diag) != 0 ||
      pp_vector_set_read(arguments.path, &set, diag) != 0)
    return diag->code;
  int status = pp_vectors_hold(&lint, &set, diag);
  if (status == 0)
    status = pp_vectors_hold_frozen(&lint, &set, arguments.path, &frozen, diag);
  if (status == 0 && lint.found > 0) status = PP_EXIT_FOUND;
  if (status == 0)
    status = pp_vectors_freeze(&set, arguments.path, &added, diag);
  if (status == 0)
    printf("%zu frozen, %zu of them new\n", frozen + added, added);
  pp_vector_set_free(&set);
  return status;
}
