#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  const char *title; /* argv[0] of the command */
  int (*run)(int argc, char **argv, pp_diag *diag);
  const char *arguments;
  const char *doc;
} commands[] = {
    {"plan", "poolproof plan", pp_command_plan, "FILE [-o LAYOUT]",
     "lay a problem out as the rules demand"},
    {"check", "poolproof check", pp_command_check, "FILE LAYOUT",
     "is somebody's layout valid? is it the specified one?"},
    {"compare", "poolproof compare", pp_command_compare, "FILE...",
     "all planners side by side"},
    {"view", "poolproof view", pp_command_view, "FILE [LAYOUT...] -o OUT",
     "draw layouts as HTML or SVG"},
    {"conform", "poolproof conform", pp_command_conform, "--impl COMMAND",
     "hold any implementation to the rules"},
    {"shrink", "poolproof shrink", pp_command_shrink, "FILE --impl COMMAND",
     "make what it answers wrongly small"},
    {"serve", "poolproof serve", pp_command_serve, "[--planner ref|fast]",
     "answer as an implementation does"},
    {"vectors", "poolproof vectors", pp_command_vectors, "list|show|add|lint",
     "questions with the answers that the rules give"},
    {"convert", "poolproof convert", pp_command_convert, "FILE --from FORMAT",
     "problems and plans from and to other formats"},
    {"run", "poolproof run", pp_command_run, "FILE.ppr",
     "a routine on backends and interpreter, several plans"},
    {"score", "poolproof score", pp_command_score, "FILE.ppr",
     "the bytes that a routine needs"},
    {"fit", "poolproof fit", pp_command_fit, "FILE.ppr --budget BYTES",
     "make a routine fit a budget, step by step"},
    {"surface", "poolproof surface", pp_command_surface, "FILE.ppr",
     "which nodes get bytes, why, and what could flip"},
    {"lower", "poolproof lower", pp_command_lower, "FILE.ppr [-o FINAL.ppr]",
     "a routine's code after each stage of lowering"},
    {"fuzz", "poolproof fuzz", pp_command_fuzz, "[--seconds N|--runs N]",
     "planners against each other, random problems"},
    {"exhaust", "poolproof exhaust", pp_command_exhaust, "[--items N]",
     "planners against brute force, all small problems"},
    {"replay", "poolproof replay", pp_command_replay, "FILE...",
     "programs of runtime calls, on runtime and model"},
    {"fuzz-runtime", "poolproof fuzz-runtime", pp_command_fuzz_runtime,
     "[--backend NAME,...]", "the runtime against its model, random programs"},
    {"fuzz-routine", "poolproof fuzz-routine", pp_command_fuzz_routine,
     "[--seconds N|--runs N]", "routines, every way, against what they mean"},
    {"backends", "poolproof backends", pp_command_backends, "",
     "what can run here, and its limits"},
    {"doctor", "poolproof doctor", pp_command_doctor, "[--require NAME,...]",
     "what each backend needs here, tried out"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *out) {
  fputs("usage: poolproof COMMAND [ARGUMENT...]\n\n", out);
  for (size_t i = 0; i < COMMANDS; i++)
    fprintf(out, "  %-12s %-24s %s\n", commands[i].name, commands[i].arguments,
            commands[i].doc);
  fputs("\npoolproof --help tells more, poolproof COMMAND --help all.\n", out);
}

static void print_help(void) {
  print_usage(stdout);
  fputs(
      "\n"
      "A problem FILE is JSON (\"poolproof\":\"problem/1\", oracle/schema/) "
      "or\n"
      "MiniMalloc's CSV (id,lower,upper,size[,alignment][,class]; upper is\n"
      "exclusive, a column end instead is inclusive; empty lower and upper:\n"
      "always live). A LAYOUT is JSON (\"layout/1\") or CSV with columns id "
      "and\n"
      "offset. \"-\" is standard input or output. What came in as CSV goes "
      "out\n"
      "as CSV. Bytes are whole numbers up to 2^64 - 1; options that take "
      "bytes\n"
      "know K, M, G (times 1024; capitals with --budget) and \"unlimited\".\n"
      "Without a cap in the file or on the command line the cap is 4294967296\n"
      "(4 GiB).\n"
      "A FILE.ppr is a routine: text, one node or statement a line\n"
      "(backends/routine/README.md); view draws the plan of one, too. What "
      "replay\n"
      "takes is a program: text, one runtime call a line.\n"
      "\n"
      "exit status:\n"
      "  0  fine\n"
      "  1  found: a violation, a disagreement, a problem that does not fit\n"
      "  2  bad usage or bad input; one sentence on standard error says what\n"
      "  3  out of memory, a failed write, an internal fault\n"
      "\n"
      "examples:\n"
      "  poolproof plan trace.csv                  the plan and its numbers\n"
      "  poolproof plan --json problem.json        the same for programs\n"
      "  poolproof plan trace.csv -o - | your-tool CSV with an offset column\n"
      "  poolproof check trace.csv mine.csv        is my planner right?\n"
      "  poolproof view trace.csv mine.csv -o a.html   look at it\n"
      "  poolproof fuzz --seconds 60               let the planners fight\n"
      "  poolproof run routine.ppr --budget minimize   the same values in "
      "less?\n"
      "\n"
      "The rules (SEG, ARN, VAL, RTN, FPT, REL) are in ref/README.md.\n",
      stdout);
}

/* A descriptor of 0 to 2 that is closed would go to the next file opened: it
 * is filled with what fails when it is used. SIGPIPE and SIGXFSZ become
 * errors of the write, which are answered like any other. */
static bool prepare(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 &&
        open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
      return false;
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  return true;
}

static int report(int status, const pp_diag *diag) {
  if (diag->code == PP_EXIT_FINE) return status;
  fprintf(stderr, "poolproof: %s\n", diag->text);
  return diag->code;
}

int main(int argc, char **argv) {
  static char buffer[1 << 16];
  if (!prepare()) return PP_EXIT_RESOURCE;
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  argp_err_exit_status = PP_EXIT_INPUT;
  pp_diag diag = {0};
  const char *name = argc > 1 ? argv[1] : "";
  for (size_t i = 0; i < COMMANDS; i++) {
    if (strcmp(name, commands[i].name) != 0) continue;
    char title[32];
    snprintf(title, sizeof title, "%s", commands[i].title);
    argv[1] = title;
    int status = commands[i].run(argc - 1, argv + 1, &diag);
    return report(pp_cli_finish(status, &diag), &diag);
  }
  if (strcmp(name, "--help") == 0) {
    print_help();
  } else if (strcmp(name, "-h") == 0) {
    print_usage(stdout);
  } else if (strcmp(name, "--version") == 0) {
    puts("poolproof " PP_VERSION);
  } else {
    if (argc > 1) fprintf(stderr, "poolproof: \"%s\" is no command\n", name);
    print_usage(stderr);
    return PP_EXIT_INPUT;
  }
  return report(pp_cli_finish(PP_EXIT_FINE, &diag), &diag);
}
