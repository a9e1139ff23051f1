/* poolproof-backend: cc multidev_cc opencl cuda
 *
 * Every call of every backend fails once (BKD-5): those of the table, through
 * pp_fault_backend, and those below it, through the OpenCL layer and the fake
 * CUDA driver. Each time: an error, in one sentence that names the call, or
 * right values; nothing leaks; the other backends go on; a retry succeeds, or
 * the device is lost and says so.
 *
 *   failures [--layer FILE] [--fake FILE] [--points N] [--require NAME]... FILE
 *
 * FILE is a routine, run with small extents for every call, and as it is for N
 * of each function at most (0: all; half of them the first ones, the others
 * spread over the rest) unless that takes long. SPDX-License-Identifier: MIT */
#include "failures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

/* Reaches every call: a constant, data, a node that is zeroed, a node of the
 * host, nodes that share bytes, floats and doubles. */
static const char every[] = "routine every\n"
                            "node 1 x f32 [7] host\n"
                            "node 2 w f32 [7] constant data 1 2 3 4 5 6 7\n"
                            "node 3 y f32 [7]\n"
                            "node 4 start i64 [3] host data 1 2 3\n"
                            "node 5 z f64 [3] observable\n"
                            "node 6 sums f64 [3] observable\n"
                            "for i<7: y[i] = x[i] * w[i]\n"
                            "for i<3: z[i] += sqrt(y[i]) / start[i]\n"
                            "for i<3, j<7: sums[i] += y[j] * z[i]\n"
                            "end\n";

typedef struct pp_options {
  const char *layer;
  const char *fake;
  const char *file;
  uint64_t points;
  bool required[PP_BACKEND_COUNT];
  bool slow[PP_BACKEND_COUNT];
  uint64_t tried;
} pp_options;

static pp_work every_work, small_work, whole_work;

/* A run of the whole file that takes longer is not repeated. */
static const double slow = 2;

static void usage(void) {
  fputs("usage: failures [--layer FILE] [--fake FILE] [--points N] "
        "[--require NAME]... FILE\n",
        stderr);
  exit(2);
}

static void require(pp_options *options, const char *name) {
  const pp_backend *backend = pp_backend_of(name);
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
    if (pp_backend_module((pp_backend_id)id) == backend)
      options->required[id] = true;
}

static void read_options(int argc, char **argv, pp_options *options) {
  int at = 1;
  for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
    const char *value = argv[at + 1];
    if (strcmp(argv[at], "--layer") == 0)
      options->layer = value;
    else if (strcmp(argv[at], "--fake") == 0)
      options->fake = value;
    else if (strcmp(argv[at], "--points") == 0)
      options->points = strtoull(value, NULL, 10);
    else if (strcmp(argv[at], "--require") == 0)
      require(options, value);
    else
      usage();
  }
  if (at + 1 != argc) usage();
  options->file = argv[at];
}

static void read_works(const char *file) {
  size_t size = 0;
  pp_diag diag = {0};
  char *text = pp_source_text(file, SIZE_MAX, &size, &diag);
  if (text == NULL) pp_die("%s", diag.text);
  char *ended = strndup(text, size);
  free(text);
  if (ended == NULL) pp_die("out of memory");
  pp_work_open("every call", every, false, &every_work);
  pp_work_open("the file, small", ended, true, &small_work);
  pp_work_open("the file", ended, false, &whole_work);
  free(ended);
}

/* In its own process: what is warm here stays here. */
typedef struct pp_part {
  pp_options *options;
  pp_backend_id id;
  const pp_driver *driver;
  const char *file;
  pp_shared *tried;
} pp_part;

/* The same calls as with small extents, so it may be left out. */
static bool is_slow(const char *name) {
  double start = pp_seconds();
  pp_work_must(&whole_work, pp_backend_of(name));
  double took = pp_seconds() - start;
  if (took > slow)
    printf("%s, the file: left out, a run takes %.1f s\n", name, took);
  return took > slow;
}

static void table_part(void *state) {
  const pp_part *part = state;
  const char *name = pp_backend_id_name(part->id);
  pp_sweep sweep = {.work = &every_work, .file = part->file};
  if (part->driver != NULL) part->driver->load(part->file);
  part->tried->calls[0] += pp_sweep_table(name, part->driver, &sweep);
  sweep.work = &small_work;
  part->tried->calls[0] += pp_sweep_table(name, part->driver, &sweep);
  sweep.work = &whole_work;
  sweep.points = part->options->points;
  if (!part->options->slow[part->id])
    part->tried->calls[0] += pp_sweep_table(name, part->driver, &sweep);
}

static void warm_part(void *state) {
  const pp_part *part = state;
  pp_sweep sweep = {.work = &every_work, .file = part->file, .all_codes = true};
  part->driver->load(part->file);
  part->tried->calls[0] += pp_sweep_driver(part->driver, &sweep);
  sweep.work = &small_work;
  sweep.all_codes = false;
  part->tried->calls[0] += pp_sweep_driver(part->driver, &sweep);
  sweep.work = &whole_work;
  sweep.points = part->options->points;
  part->tried->here = is_slow(part->driver->backend);
  if (!part->tried->here)
    part->tried->calls[0] += pp_sweep_driver(part->driver, &sweep);
}

static void fail_backend(pp_options *options, pp_backend_id id,
                         const pp_driver *driver, const char *file) {
  const char *name = pp_backend_id_name(id);
  pp_shared *shared = pp_shared_new();
  pp_part part = {options, id, driver, file, shared};
  const pp_sweep fresh = {.work = &every_work, .file = file, .fresh = true};
  bool here = driver == NULL ||
              (file != NULL && pp_is_here(name, driver, &fresh, shared));
  if (!here) {
    const char *why = file != NULL ? shared->why.text : "no file to load";
    printf("SKIPPED %s: %s\n", name, why);
    if (options->required[id]) pp_die("%s is required", name);
    return;
  }
  if (driver != NULL) {
    options->tried += pp_sweep_driver(driver, &fresh);
    memset(shared, 0, sizeof *shared);
    pp_in_child(warm_part, &part, name);
    options->tried += shared->calls[0];
    options->slow[id] = shared->here;
  }
  memset(shared, 0, sizeof *shared);
  pp_in_child(table_part, &part, name);
  options->tried += shared->calls[0];
}

int main(int argc, char **argv) {
  pp_options options = {0};
  setvbuf(stdout, NULL, _IOLBF, 0);
  read_options(argc, argv, &options);
  if (options.layer != NULL) {
    setenv("OPENCL_LAYERS", options.layer, 1);
    setenv("HIDE_OPENCL", "fresh", 1);
    setenv("POCL_DEVICES", "basic basic", 0);
  }
  read_works(options.file);
  fail_backend(&options, PP_BACKEND_CC, NULL, NULL);
  fail_backend(&options, PP_BACKEND_MULTIDEV_CC, NULL, NULL);
  fail_backend(&options, PP_BACKEND_OPENCL, &pp_opencl_failures, options.layer);
  fail_backend(&options, PP_BACKEND_CUDA, &pp_cuda_failures, options.fake);
  pp_work_close(&every_work);
  pp_work_close(&small_work);
  pp_work_close(&whole_work);
  printf("%" PRIu64 " failures, none did harm\n", options.tried);
  return 0;
}
