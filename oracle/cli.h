/* poolproof: the commands of the program. */
#ifndef PP_CLI_H
#define PP_CLI_H

#include "backend_campaign.h"
#include "planners.h"

#include <argp.h>

/* Each takes its own arguments (argv[0] = "poolproof plan", say), prints its
 * answer to standard output and returns an exit status; what failed is in
 * diag when that is PP_EXIT_INPUT or PP_EXIT_RESOURCE. Usage errors and
 * --help end the process as argp does. */
int pp_command_plan(int argc, char **argv, pp_diag *diag);
int pp_command_check(int argc, char **argv, pp_diag *diag);
int pp_command_compare(int argc, char **argv, pp_diag *diag);
int pp_command_view(int argc, char **argv, pp_diag *diag);
int pp_command_fuzz(int argc, char **argv, pp_diag *diag);
int pp_command_exhaust(int argc, char **argv, pp_diag *diag);
int pp_command_replay(int argc, char **argv, pp_diag *diag);
int pp_command_fuzz_runtime(int argc, char **argv, pp_diag *diag);
int pp_command_fuzz_routine(int argc, char **argv, pp_diag *diag);
int pp_command_backends(int argc, char **argv, pp_diag *diag);
int pp_command_doctor(int argc, char **argv, pp_diag *diag);
int pp_command_conform(int argc, char **argv, pp_diag *diag);
int pp_command_shrink(int argc, char **argv, pp_diag *diag);
int pp_command_serve(int argc, char **argv, pp_diag *diag);
int pp_command_vectors(int argc, char **argv, pp_diag *diag);
int pp_command_convert(int argc, char **argv, pp_diag *diag);
int pp_command_run(int argc, char **argv, pp_diag *diag);
int pp_command_score(int argc, char **argv, pp_diag *diag);
int pp_command_fit(int argc, char **argv, pp_diag *diag);
int pp_command_surface(int argc, char **argv, pp_diag *diag);
int pp_command_lower(int argc, char **argv, pp_diag *diag);

/* Options that several commands have, as argp children. A parent sets their
 * inputs on ARGP_KEY_INIT. */
typedef struct pp_cli_cap {
  uint64_t bytes;
  bool given;
} pp_cli_cap;

typedef struct pp_cli_kind {
  pp_plan plan;
  bool given;
} pp_cli_kind;

typedef struct pp_cli_jobs {
  unsigned jobs;        /* 0: one a core */
  const char *find_dir; /* NULL: here */
  bool quiet;
} pp_cli_jobs;

/* has_seed  one was given */
typedef struct pp_cli_campaign {
  pp_backend_campaign options;
  bool has_seed;
} pp_cli_campaign;

/* --seconds, --runs, --seed, --first, --backend, --finds, --quiet; input
 * pp_cli_campaign */
extern const struct argp pp_cli_campaign_argp;

extern const struct argp pp_cli_cap_argp;  /* --cap; input pp_cli_cap */
extern const struct argp pp_cli_kind_argp; /* --kind; input pp_cli_kind */
extern const struct argp pp_cli_jobs_argp; /* --jobs, --finds, --quiet */
extern const struct argp pp_cli_file_argp; /* FILE; input const char * */

/* The cap in force: the one given, else the problem's. */
uint64_t pp_cli_cap_for(const pp_cli_cap *cap, const pp_problem *problem);

/* "ref" or "fast" as the value of option, or a usage error. */
pp_side pp_cli_side(const char *option, const char *text,
                    struct argp_state *state);

/* The bit of one name as the value of option, or a usage error. */
typedef unsigned (*pp_cli_bit)(const char *option, const char *name,
                               struct argp_state *state);

/* Names with commas between them as bits, or "all", which is `all` bits;
 * otherwise a usage error. Writes to text. */
unsigned pp_cli_bits(const char *option, char *text, unsigned all,
                     pp_cli_bit bit, struct argp_state *state);

/* What --backend, or another option, says: names or "all". */
void pp_cli_choose(const char *option, char *text, pp_backend_choice *choice,
                   struct argp_state *state);

/* The global setting, where nothing was said, or a usage error. */
void pp_cli_choose_global(pp_backend_choice *choice, struct argp_state *state);

/* A whole number from least to most, or a usage error. */
uint64_t pp_cli_number(const char *option, const char *text, uint64_t least,
                       uint64_t most, struct argp_state *state);

/* Bytes as the value of option, or a usage error. */
uint64_t pp_cli_bytes(const char *option, const char *text,
                      struct argp_state *state);

/* argp_parse with its failures turned into diag's. Returns 0 to go on. */
int pp_cli_parse(const struct argp *argp, int argc, char **argv, void *input,
                 pp_diag *diag);

/* Flushes standard output. Returns status, or PP_EXIT_RESOURCE in diag when
 * not all could be written. */
int pp_cli_finish(int status, pp_diag *diag);

#endif
