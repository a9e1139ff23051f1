/* poolproof: the command vectors: what only reads them.
 * SPDX-License-Identifier: MIT */
#include "cmd_vectors.h"

#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_VECTORS = 256, OPTION_VERB, OPTION_FLAG, OPTION_RULE };

static const struct {
  const char *name;
  const char *title; /* argv[0] */
  int (*run)(int argc, char **argv, pp_diag *diag);
  const char *arguments;
  const char *doc;
} commands[] = {
    {"list", "poolproof vectors list", pp_vectors_list, "[--verb V] ...",
     "all vectors, one a line"},
    {"show", "poolproof vectors show", pp_vectors_show, "ID",
     "one of them: what it asks, expects and shows"},
    {"add", "poolproof vectors add", pp_vectors_add, "FILE --to DIR ...",
     "make a vector of a request or problem"},
    {"lint", "poolproof vectors lint", pp_vectors_lint_of, "[DIR]",
     "are they right, and do they cover the rules?"},
    {"freeze", "poolproof vectors freeze", pp_vectors_freeze_of, "DIR",
     "promise that those of today never change"},
    {"table", "poolproof vectors table", pp_vectors_table_of, "[DIR]",
     "how many show which rule, in Markdown"},
    {"bundle", "poolproof vectors bundle", pp_vectors_bundle, "[DIR] [-o FILE]",
     "all of them as one file"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

error_t pp_vectors_parse_dir(int key, char *text, struct argp_state *state) {
  pp_vectors_arguments *arguments = state->input;
  if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
  if (arguments->path) argp_error(state, "one DIR is wanted");
  arguments->path = text;
  return 0;
}

static error_t parse_vectors(int key, char *text, struct argp_state *state) {
  pp_vectors_arguments *arguments = state->input;
  if (key != OPTION_VECTORS) return ARGP_ERR_UNKNOWN;
  arguments->path = text;
  return 0;
}

static const struct argp_option vectors_options[] = {
    {"vectors", OPTION_VECTORS, "PATH", 0,
     "a folder or file of vectors (default: those that the program carries)",
     0},
    {0}};

static const struct argp vectors_argp = {.options = vectors_options,
                                         .parser = parse_vectors};

static const struct argp_child with_vectors[] = {{&vectors_argp, 0, NULL, 0},
                                                 {0}};

/* -- list ------------------------------------------------------------------ */

static error_t parse_list(int key, char *text, struct argp_state *state) {
  pp_vectors_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = arguments;
    return 0;
  case OPTION_VERB:
    if (!pp_ask_verb_named(text, &arguments->verb))
      argp_error(state, "--verb: \"%s\" is no verb", text);
    arguments->has_verb = true;
    return 0;
  case OPTION_FLAG:
    arguments->flag = text;
    return 0;
  case OPTION_RULE:
    arguments->rule = text;
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "\"%s\": no argument is wanted", text);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option list_options[] = {
    {"verb", OPTION_VERB, "VERB", 0, "those of this verb only", 0},
    {"flag", OPTION_FLAG, "FLAG", 0, "those with this flag only", 0},
    {"rule", OPTION_RULE, "RULE", 0, "those that cite this rule only", 0},
    {0}};

static const struct argp list_argp = {
    list_options, parse_list, "",  "Lists vectors: id, flags, rules, comment.",
    with_vectors, NULL,       NULL};

static bool listed(const pp_vectors_arguments *arguments,
                   const pp_vector *vector) {
  return (!arguments->has_verb || vector->ask.verb == arguments->verb) &&
         (!arguments->flag || pp_list_has(vector->flags, arguments->flag)) &&
         (!arguments->rule || pp_list_has(vector->rules, arguments->rule));
}

int pp_vectors_list(int argc, char **argv, pp_diag *diag) {
  pp_vectors_arguments arguments = {.path = NULL};
  pp_vector_set set;
  char shown[400];
  if (pp_cli_parse(&list_argp, argc, argv, &arguments, diag) != 0 ||
      pp_vector_set_read(arguments.path, &set, diag) != 0)
    return diag->code;
  for (size_t i = 0; i < set.vectors.n; i++) {
    const pp_vector *vector = &set.vectors.vector[i];
    if (listed(&arguments, vector))
      printf("%-25s  %s  %s  %s\n", vector->id, vector->flags, vector->rules,
             pp_printable(vector->comment, shown, sizeof shown));
  }
  pp_vector_set_free(&set);
  return PP_EXIT_FINE;
}

/* -- show ------------------------------------------------------------------ */

static error_t parse_show(int key, char *text, struct argp_state *state) {
  pp_vectors_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = arguments;
    return 0;
  case ARGP_KEY_ARG:
    if (arguments->argument) argp_error(state, "one ID is wanted");
    arguments->argument = text;
    return 0;
  case ARGP_KEY_END:
    if (!arguments->argument) argp_error(state, "an ID is wanted");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp show_argp = {
    NULL,
    parse_show,
    "ID",
    "Shows a vector: its request and the answer that the rules give, each as "
    "a line of JSON, and what its flags mean."
    "\vThe beginning of an ID will do, if no other one begins so.",
    with_vectors,
    NULL,
    NULL};

static void show_flags(const pp_vector_set *set, const pp_vector *vector) {
  size_t size = 0;
  const char *word = NULL;
  char shown[400];
  for (size_t k = 0; (word = pp_list_word(vector->flags, k, &size)); k++) {
    const pp_flag *flag = pp_flag_find(set, vector->ask.verb, word, size);
    if (!flag) continue;
    printf("%s: %s\n", flag->name,
           pp_printable(flag->about, shown, sizeof shown));
    if (flag->kind[0])
      printf("  shows: %s\n", pp_printable(flag->kind, shown, sizeof shown));
    if (flag->seen[0])
      printf("  seen at: %s\n", pp_printable(flag->seen, shown, sizeof shown));
  }
}

/* Where the item is by the answer, or by the layout that is to be judged. */
static void show_place(const pp_vector *vector, size_t i) {
  const size_t *segment = vector->expect.segment;
  const uint64_t *offset = vector->expect.offset;
  if (vector->ask.verb == PP_ASK_VALIDATE) {
    segment = vector->ask.claim.segment;
    offset = vector->ask.claim.offset;
  }
  if (!offset || (vector->ask.verb != PP_ASK_VALIDATE &&
                  vector->expect.kind != PP_REPLY_RESULT))
    return;
  if (vector->ask.verb == PP_ASK_ARENA)
    printf("  %20s", "0");
  else
    printf("  %20zu", segment[i]);
  printf("  %20" PRIu64, offset[i]);
}

static void show_items(const pp_vector *vector) {
  const pp_case *c = &vector->ask.c;
  bool arena = vector->ask.verb == PP_ASK_ARENA ||
               (vector->ask.verb == PP_ASK_VALIDATE && c->kind == PP_ARENA);
  if (c->n == 0) return;
  printf("\n%5s  %20s  %20s", "item", "size", "align");
  if (arena) printf("  %10s  %-24s", "class", "span");
  printf("  %20s  %20s\n", "segment", "offset");
  for (size_t i = 0; i < c->n; i++) {
    const pp_item *item = &c->items[i];
    char span[60] = "always live";
    if (item->has_span)
      snprintf(span, sizeof span, "[%" PRIu64 ", %" PRIu64 "]", item->lo,
               item->hi);
    printf("%5zu  %20" PRIu64 "  %20" PRIu64, i, item->size, item->align);
    if (arena) printf("  %10" PRIu32 "  %-24s", item->item_class, span);
    show_place(vector, i);
    puts("");
  }
}

static int show(const pp_vector_set *set, const pp_vector *vector,
                pp_diag *diag) {
  pp_text request = {0};
  pp_text expect = {0};
  char shown[400];
  pp_wire_canonical(&request, &vector->ask);
  pp_wire_expect(&expect, &vector->ask, &vector->expect);
  int status = request.failed || expect.failed ? pp_fail_memory(diag) : 0;
  if (status == 0) {
    printf("%s: %s\n", vector->id,
           pp_printable(vector->comment, shown, sizeof shown));
    printf("rules: %s\n", vector->rules);
    show_flags(set, vector);
    printf("\n%s\n%s\n", request.at, expect.at);
    show_items(vector);
  }
  pp_text_free(&request);
  pp_text_free(&expect);
  return status;
}

/* The vector whose id begins so. */
static const pp_vector *begins(const pp_vector_set *set, const char *prefix,
                               size_t *matches) {
  const pp_vector *found = NULL;
  *matches = 0;
  for (size_t i = 0; i < set->vectors.n; i++) {
    const pp_vector *vector = &set->vectors.vector[i];
    if (strncmp(vector->id, prefix, strlen(prefix)) != 0) continue;
    found = vector;
    ++*matches;
  }
  return found;
}

int pp_vectors_show(int argc, char **argv, pp_diag *diag) {
  pp_vectors_arguments arguments = {.path = NULL};
  pp_vector_set set;
  size_t matches = 0;
  if (pp_cli_parse(&show_argp, argc, argv, &arguments, diag) != 0 ||
      pp_vector_set_read(arguments.path, &set, diag) != 0)
    return diag->code;
  const pp_vector *vector = begins(&set, arguments.argument, &matches);
  int status = PP_EXIT_FINE;
  if (matches == 1)
    status = show(&set, vector, diag);
  else
    status = pp_diag_fail(diag, PP_EXIT_INPUT,
                          "\"%s\": %zu vectors have an id that begins so; one "
                          "is wanted",
                          arguments.argument, matches);
  pp_vector_set_free(&set);
  return status;
}

/* -- table, bundle --------------------------------------------------------- */

static const struct argp table_argp = {
    NULL,
    pp_vectors_parse_dir,
    "[DIR]",
    "Writes in Markdown how many vectors there are of each verb, how many cite "
    "each rule, and how many show each kind of fault.",
    NULL,
    NULL,
    NULL};

int pp_vectors_table_of(int argc, char **argv, pp_diag *diag) {
  pp_vectors_arguments arguments = {.path = NULL};
  pp_vector_set set;
  if (pp_cli_parse(&table_argp, argc, argv, &arguments, diag) != 0 ||
      pp_vector_set_read(arguments.path, &set, diag) != 0)
    return diag->code;
  bool good = pp_vectors_table(stdout, &set);
  pp_vector_set_free(&set);
  return good ? PP_EXIT_FINE : pp_fail_write(stdout, diag);
}

static error_t parse_bundle(int key, char *text, struct argp_state *state) {
  pp_vectors_arguments *arguments = state->input;
  if (key != 'o') return pp_vectors_parse_dir(key, text, state);
  arguments->output = text;
  return 0;
}

static const struct argp_option bundle_options[] = {
    {"output", 'o', "FILE", 0, "where to (default: standard output)", 0}, {0}};

static const struct argp bundle_argp = {
    bundle_options,
    parse_bundle,
    "[DIR]",
    "Writes all vectors as one JSON document (vectors/1), which --vectors "
    "takes.",
    NULL,
    NULL,
    NULL};

int pp_vectors_bundle(int argc, char **argv, pp_diag *diag) {
  pp_vectors_arguments arguments = {.output = "-"};
  pp_vector_set set;
  pp_text text = {0};
  if (pp_cli_parse(&bundle_argp, argc, argv, &arguments, diag) != 0 ||
      pp_vector_set_read(arguments.path, &set, diag) != 0)
    return diag->code;
  pp_vectors_put_bundle(&text, &set);
  int status = pp_text_save(&text, arguments.output, diag);
  pp_text_free(&text);
  pp_vector_set_free(&set);
  return status;
}

/* -- which ----------------------------------------------------------------- */

static void print_usage(FILE *out) {
  fputs("usage: poolproof vectors COMMAND [ARGUMENT...]\n\n", out);
  for (size_t i = 0; i < COMMANDS; i++)
    fprintf(out, "  %-7s %-18s %s\n", commands[i].name, commands[i].arguments,
            commands[i].doc);
  fputs("\nA vector is a request of the protocol (oracle/PROTOCOL.md) with the "
        "answer\nthat the rules give; corpus/vectors/README.md tells more.\n"
        "poolproof vectors COMMAND --help tells all of one.\n",
        out);
}

int pp_command_vectors(int argc, char **argv, pp_diag *diag) {
  const char *name = argc > 1 ? argv[1] : "";
  for (size_t i = 0; i < COMMANDS; i++) {
    if (strcmp(name, commands[i].name) != 0) continue;
    char title[32];
    snprintf(title, sizeof title, "%s", commands[i].title);
    argv[1] = title;
    return commands[i].run(argc - 1, argv + 1, diag);
  }
  if (strcmp(name, "--help") == 0 || strcmp(name, "-?") == 0) {
    print_usage(stdout);
    return PP_EXIT_FINE;
  }
  if (argc > 1)
    fprintf(stderr, "poolproof vectors: \"%s\" is no command\n", name);
  print_usage(stderr);
  return PP_EXIT_INPUT;
}
