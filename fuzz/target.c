#include "target.h"

#include "differ.h"
#include "here.h"
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t pp_target_ran;
size_t pp_target_compared;

static bool compared; /* this input */

void pp_target_begin(void) {
  pp_target_ran++;
  compared = false;
}

void pp_target_compare(void) {
  if (!compared) pp_target_compared++;
  compared = true;
}

_Noreturn void pp_target_fail(const char *format, ...) {
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE: clang-tidy 14 does not see va_start */
  (void)vfprintf(stderr, format, list);
  va_end(list);
  (void)fputc('\n', stderr);
  abort();
}

static const char *statistics; /* the file that they are added to */

/* One write, so that lines of several processes do not mix. */
static void add_statistics(void) {
  char line[200];
  int length =
      snprintf(line, sizeof line, "%s %zu %zu\n", program_invocation_short_name,
               pp_target_ran, pp_target_compared);
  int file = open(statistics, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 || write(file, line, (size_t)length) != length)
    (void)fprintf(stderr, "%s: %s\n", statistics, strerror(errno));
  if (file >= 0) (void)close(file);
}

/* What one input gives back the next one takes: it does not go back to the
 * system in between. */
__attribute__((constructor)) static void open_target(void) {
  (void)mallopt(M_TRIM_THRESHOLD, 1 << 25);
  (void)mallopt(M_MMAP_THRESHOLD, 1 << 25);
  statistics = getenv("PP_TARGET_STATS");
  if (statistics) (void)atexit(add_statistics);
}

_Noreturn static void refuse_backends(const char *why, int status) {
  (void)fprintf(stderr, "PP_TARGET_BACKENDS: %s\n", why);
  exit(status);
}

/* A copy, as the list is cut up. */
static unsigned backends_named(const char *list) {
  char names[200];
  char *rest = NULL;
  unsigned backends = 0;
  (void)snprintf(names, sizeof names, "%s", list);
  for (char *name = strtok_r(names, ",", &rest); name;
       name = strtok_r(NULL, ",", &rest)) {
    pp_backend *backend = NULL;
    pp_failure failure;
    if (pp_get_backend(name, &backend, &failure) != PP_OK)
      refuse_backends(failure.text, PP_EXIT_INPUT);
    backends |= pp_backend_bit(backend);
  }
  if (backends == 0)
    refuse_backends("a name or \"all\" is wanted", PP_EXIT_INPUT);
  return backends;
}

unsigned pp_target_backends(void) {
  static pp_backends_here found;
  static bool looked;
  if (looked) return found.here;
  pp_diag diag = {0};
  const char *list = getenv("PP_TARGET_BACKENDS");
  if (!list) list = "cc,multidev_cc";
  bool all = strcmp(list, "all") == 0;
  const pp_backend_choice choice = {
      .backends = all ? PP_EVERY_BACKEND : backends_named(list), .named = !all};
  if (pp_backends_look(&choice, &found, &diag) != 0)
    refuse_backends(diag.text, diag.code);
  looked = true;
  return found.here;
}

/* A failure of a parser says so: status and sentence, and nothing left. */
static void check_failure(const pp_problem *problem, const pp_diag *diag) {
  if (diag->code != PP_EXIT_INPUT && diag->code != PP_EXIT_RESOURCE)
    pp_target_fail("a parser fails with status %d", diag->code);
  if (diag->text[0] == '\0')
    pp_target_fail("a parser fails without a sentence");
  if (problem->items || problem->ids || problem->class_names)
    pp_target_fail("a parser fails and keeps memory");
}

bool pp_target_problem(const uint8_t *data, size_t size, pp_problem *problem) {
  pp_diag diag = {0};
  if (pp_problem_parse("input", data, size, problem, &diag) != 0) {
    check_failure(problem, &diag);
    return false;
  }
  if (problem->n <= PP_TARGET_ITEMS) return true;
  pp_problem_free(problem);
  return false;
}

void pp_target_plan(pp_kind kind, const uint8_t *data, size_t size) {
  pp_problem problem;
  if (!pp_target_problem(data, size, &problem)) return;
  pp_diag diag = {0};
  pp_case c = {0};
  pp_differ differ;
  pp_differ_open(&differ);
  if (pp_case_from_problem(&c, &problem, &diag) == 0) {
    c.kind = kind;
    pp_outcome outcome =
        pp_differ_run(&differ, &c, PP_DIFFER_USUAL | PP_DIFFER_NO_MEMORY);
    if (outcome == PP_DISAGREED) pp_target_fail("%s", differ.sentence);
    if (outcome != PP_NOT_COMPARED) pp_target_compare();
  }
  pp_differ_close(&differ);
  pp_case_free(&c);
  pp_problem_free(&problem);
}

/* Bytes asked for since measure_start, where the sanitizer counts them; the
 * hooks are put in once, before the first input. */
static size_t measured;

/* NOLINTNEXTLINE: the sanitizers' name */
int __sanitizer_install_malloc_and_free_hooks(
    void (*on_malloc)(const volatile void *, size_t),
    void (*on_free)(const volatile void *)) __attribute__((weak));

static void on_malloc(const volatile void *memory, size_t bytes) {
  (void)memory;
  measured = bytes > SIZE_MAX - measured ? SIZE_MAX : measured + bytes;
}

static void on_free(const volatile void *memory) {
  (void)memory;
}

__attribute__((constructor)) static void install_hooks(void) {
  if (__sanitizer_install_malloc_and_free_hooks)
    (void)__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

/* Generous for a tree of JSON values of two bytes each, whose arrays grow by
 * doubling; far below anything that hurts. */
static void check_memory(size_t size) {
  size_t limit = (size_t)4 << 20;
  if (size < SIZE_MAX / 1024 - limit) limit += 1024 * size;
  if (measured > limit)
    pp_target_fail("%zu bytes of input took %zu bytes of memory", size,
                   measured);
}

static bool same_items(const pp_item *a, const pp_item *b) {
  return a->size == b->size && a->align == b->align && a->lo == b->lo &&
         a->hi == b->hi && a->item_class == b->item_class &&
         a->has_span == b->has_span;
}

static void check_same(const pp_problem *a, const pp_problem *b) {
  if (a->kind != b->kind || a->format != b->format ||
      a->half_open != b->half_open || a->has_cap != b->has_cap ||
      a->cap != b->cap)
    pp_target_fail("a printed problem reads back with another head");
  if (a->n != b->n || a->classes != b->classes)
    pp_target_fail("a printed problem reads back with %zu items of %zu "
                   "classes for %zu of %zu",
                   b->n, b->classes, a->n, a->classes);
  for (size_t i = 0; i < a->n; i++)
    if (strcmp(a->ids[i], b->ids[i]) != 0 ||
        !same_items(&a->items[i], &b->items[i]))
      pp_target_fail("a printed problem reads back with another item %zu", i);
  for (size_t k = 0; k < a->classes; k++)
    if (strcmp(a->class_names[k], b->class_names[k]) != 0)
      pp_target_fail("a printed problem reads back with another class %zu", k);
}

/* What pp_problem_write makes of it; NULL: no memory. Freed by the caller. */
static char *print(const pp_problem *problem, size_t *size) {
  char *text = NULL;
  FILE *out = open_memstream(&text, size);
  if (!out) return NULL;
  pp_diag diag = {0};
  int code = pp_problem_write(out, problem, &diag);
  if (fclose(out) == 0 && code == 0) return text;
  free(text);
  if (code == PP_EXIT_INPUT)
    pp_target_fail("what parsed does not print: %s", diag.text);
  return NULL;
}

static void check_round(const pp_problem *problem) {
  size_t size[2] = {0, 0};
  char *text = print(problem, &size[0]);
  if (!text) return;
  pp_problem again;
  pp_diag diag = {0};
  if (pp_problem_parse("printed", text, size[0], &again, &diag) != 0) {
    if (diag.code == PP_EXIT_INPUT)
      pp_target_fail("what was printed does not parse: %s", diag.text);
    free(text);
    return;
  }
  check_same(problem, &again);
  char *twice = print(&again, &size[1]);
  if (twice && (size[0] != size[1] || memcmp(text, twice, size[0]) != 0))
    pp_target_fail("a problem prints in two ways");
  if (twice) pp_target_compare();
  free(twice);
  free(text);
  pp_problem_free(&again);
}

/* The same bytes as a layout of what they parsed to. */
static void check_layout(const pp_problem *problem, const uint8_t *data,
                         size_t size) {
  pp_layout layout;
  pp_diag diag = {0};
  if (pp_layout_parse("input", data, size, problem, &layout, &diag) == 0) {
    if (layout.n != problem->n)
      pp_target_fail("a layout of %zu items reads as one of %zu", problem->n,
                     layout.n);
    pp_layout_free(&layout);
  } else if (layout.segment || layout.offset || layout.size) {
    pp_target_fail("a parser fails and keeps memory");
  }
}

/* JSON that is no problem may be a layout: of these two items. */
static void check_json_layout(pp_format format, const uint8_t *data,
                              size_t size) {
  static const char small[] = "id,lower,upper,size\na,0,2,8\nb,1,3,4\n";
  pp_problem problem;
  pp_diag diag = {0};
  if (format != PP_JSON || !memmem(data, size, "layout/1", 8) ||
      pp_problem_parse("small", small, sizeof small - 1, &problem, &diag) != 0)
    return;
  measured = 0;
  check_layout(&problem, data, size);
  check_memory(size);
  pp_problem_free(&problem);
}

static pp_format format_of(const uint8_t *data, size_t size) {
  pp_source source;
  pp_source_memory(&source, "input", data, size);
  return pp_source_peek(&source) == '{' ? PP_JSON : PP_CSV;
}

void pp_target_parse(pp_format format, const uint8_t *data, size_t size) {
  pp_problem problem;
  pp_diag diag = {0};
  if (format_of(data, size) != format) return;
  measured = 0;
  int code = pp_problem_parse("input", data, size, &problem, &diag);
  check_memory(size);
  if (code != 0) {
    check_failure(&problem, &diag);
    check_json_layout(format, data, size);
    return;
  }
  if (problem.format == PP_CSV) {
    measured = 0;
    check_layout(&problem, data, size);
    check_memory(size);
  }
  check_round(&problem);
  pp_problem_free(&problem);
}
