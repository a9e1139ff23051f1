/* poolproof: each device of each backend, and whether it computes cc's bits.
 *
 * Moving bytes, computing on f32 beside the device's own copy speed, and what a
 * launch costs. A ratio is of one run. SPDX-License-Identifier: MIT */
#include <poolproof/runtime.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIMES = 7, LAUNCHES = 2000, INPUTS = 3, RESULT = 4 };

/* Bytes that an element moves: what is read and what is written. */
static const struct {
  const char *name;
  const char *expression;
  double bytes;
} kinds[] = {{"y = a", "a[i]", 8},
             {"y = a * b + c", "a[i] * b[i] + c[i]", 16},
             {"8 operations",
              "((a[i] * b[i] + c[i]) * a[i] - b[i]) + (c[i] * c[i] + 1) * a[i]",
              16},
             {"y = sqrt(abs(a)) / b", "sqrt(abs(a[i])) / b[i]", 12}};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* What all devices compute from, and what cc makes of it. */
static struct {
  size_t n;
  float *input[INPUTS];
  float *expected[KINDS];
  float *got;
} data;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool fine(pp_status status, const pp_failure *why) {
  if (status != PP_OK) printf("  FAILED: %s\n", why->text);
  return status == PP_OK;
}

static pp_context *open_context(pp_context *root, const char *expression,
                                size_t n) {
  char text[512];
  pp_routine *routine = NULL;
  pp_context *context = NULL;
  pp_failure why = {.text = ""};
  int size = snprintf(text, sizeof text,
                      "routine fused\nnode 1 a f32 [%zu] host\n"
                      "node 2 b f32 [%zu] host\nnode 3 c f32 [%zu] host\n"
                      "node 4 y f32 [%zu] observable\nfor i<%zu: y[i] = %s\n"
                      "end\n",
                      n, n, n, n, n, expression);
  pp_status status = pp_routine_parse(text, (size_t)size, &routine, &why);
  if (status == PP_OK) status = pp_link(root, routine, NULL, &context, &why);
  pp_routine_free(routine);
  return fine(status, &why) ? context : NULL;
}

static bool fill_in(pp_context *context, size_t n) {
  pp_failure why;
  for (size_t k = 0; k < INPUTS; k++)
    if (!fine(pp_upload(context, k + 1, data.input[k], n * sizeof(float), &why),
              &why))
      return false;
  return true;
}

/* Runs it `launches` times and waits. 0 seconds: it failed. */
static double time_runs(pp_context *context, unsigned launches) {
  pp_failure why;
  double start = seconds();
  for (unsigned k = 0; k < launches; k++)
    if (!fine(pp_run(context, &why), &why)) return 0;
  if (!fine(pp_await(context, &why), &why)) return 0;
  return seconds() - start;
}

/* The kind's best time, its values in `result`. */
static double run_kind(pp_context *root, size_t kind, float *result) {
  pp_failure why;
  double best = 1e9;
  const uint64_t bytes = data.n * sizeof(float);
  pp_context *context = open_context(root, kinds[kind].expression, data.n);
  if (context == NULL) return 0;
  bool good = fill_in(context, data.n) && time_runs(context, 1) > 0;
  for (int time = 0; time < TIMES && good; time++) {
    double took = time_runs(context, 1);
    good = took > 0;
    if (took < best) best = took;
  }
  good = good && fine(pp_download(context, RESULT, result, bytes, &why), &why);
  return fine(pp_context_free(context, &why), &why) && good ? best : 0;
}

/* Bytes in a pool of the device, moved by calls of its table. */
typedef enum pp_way { WAY_COPY, WAY_FILL, WAY_UP, WAY_DOWN, WAYS } pp_way;

static const char *const ways[WAYS] = {"copy on the device", "fill", "upload",
                                       "download"};

static pp_status move(pp_backend *b, size_t device, pp_way way,
                      const pp_slab *slab) {
  const uint64_t bytes = data.n * sizeof(float);
  const pp_backend_table *call = b->call;
  switch (way) {
  case WAY_COPY:
    return call->device_to_device(b, device, slab[0], 0, device, slab[1], 0,
                                  bytes);
  case WAY_FILL:
    return call->memset(b, device, slab[1], 0, bytes, 1);
  case WAY_UP:
    return call->from_host(b, device, slab[1], 0, data.input[0], bytes);
  default:
    return call->to_host(b, device, data.got, slab[1], 0, bytes);
  }
}

/* The best time of each way; 0: one failed. */
static bool time_ways(pp_backend *b, size_t device, const pp_slab *slab,
                      double *best) {
  for (int way = WAYS - 1; way >= 0; way--) {
    best[way] = 1e9;
    for (int time = 0; time <= TIMES; time++) {
      double start = seconds();
      if (move(b, device, (pp_way)way, slab) != PP_OK ||
          b->call->await(b, device) != PP_OK)
        return false;
      double took = seconds() - start;
      if (time > 0 && took < best[way]) best[way] = took;
    }
  }
  return true;
}

/* Bytes a second that the device's copy reads and writes; 0: it failed. */
static double measure_moves(pp_backend *b, size_t device) {
  const double bytes = (double)(data.n * sizeof(float));
  pp_limits limits;
  pp_slab slab[2];
  double best[WAYS];
  size_t made = 0;
  bool good = b->call->limits(b, device, &limits) == PP_OK;
  while (good && made < 2) {
    good = b->call->alloc_pool(b, device, data.n * sizeof(float),
                               limits.alignment, &slab[made]) == PP_OK;
    if (good) made++;
  }
  good = good && time_ways(b, device, slab, best);
  while (made > 0)
    good = b->call->free_pool(b, device, slab[--made]) == PP_OK && good;
  if (!good) {
    puts("  FAILED: moving bytes");
    return 0;
  }
  for (int way = 0; way < WAYS; way++)
    printf("  %-24s %8.1f GB/s%s\n", ways[way],
           (way == WAY_COPY ? 2e-9 : 1e-9) * bytes / best[way],
           way == WAY_COPY ? ", reads and writes" : "");
  return 2 * bytes / best[WAY_COPY];
}

static bool measure_kinds(pp_context *root, double copy) {
  bool good = true;
  for (size_t k = 0; k < KINDS; k++) {
    double took = run_kind(root, k, data.got);
    bool same = took > 0 &&
                memcmp(data.got, data.expected[k], data.n * sizeof(float)) == 0;
    if (took > 0) {
      double speed = kinds[k].bytes * (double)data.n / took;
      printf("  %-24s %8.1f GB/s, %5.1f %% of copying, %s\n", kinds[k].name,
             1e-9 * speed, 100 * speed / copy,
             same ? "the bits of cc" : "OTHER BITS");
    }
    good = good && same;
  }
  return good;
}

static bool measure_launch(pp_context *root) {
  pp_context *context = open_context(root, kinds[0].expression, 1);
  pp_failure why;
  if (context == NULL) return false;
  bool good = fill_in(context, 1) && time_runs(context, LAUNCHES / 10) > 0;
  double took = good ? time_runs(context, LAUNCHES) : 0;
  if (took > 0)
    printf("  %-24s %8.2f us, one after the other\n", "a launch",
           1e6 * took / LAUNCHES);
  good = took > 0;
  double alone = 0;
  for (int k = 0; k < LAUNCHES / 10 && good; k++) {
    took = time_runs(context, 1);
    good = took > 0;
    alone += took;
  }
  if (good)
    printf("  %-24s %8.2f us\n", "a launch, awaited", 1e7 * alone / LAUNCHES);
  return fine(pp_context_free(context, &why), &why) && good;
}

static bool measure(pp_backend *backend, size_t device) {
  pp_limits limits;
  pp_context *root = NULL;
  pp_failure why;
  if (!fine(pp_make_context(backend, device, &root, &why), &why)) return false;
  if (backend->call->limits(backend, device, &limits) != PP_OK) return false;
  printf("%s %zu: %s, at most %" PRIu64 " bytes a pool\n",
         pp_backend_name(backend), device, limits.name, limits.max_pool);
  double copy = measure_moves(backend, device);
  bool good = copy > 0 && measure_kinds(root, copy) && measure_launch(root);
  return fine(pp_context_free(root, &why), &why) && good;
}

static bool measure_all(pp_backend *backend, bool wanted) {
  pp_context *root = NULL;
  pp_failure why;
  size_t devices = 0;
  bool good = true;
  if (pp_make_context(backend, 0, &root, &why) != PP_OK) {
    printf("%s: %s\n", wanted ? "FAILED" : "SKIPPED", why.text);
    return !wanted;
  }
  good = fine(pp_context_free(root, &why), &why) &&
         backend->call->devices(backend, &devices) == PP_OK;
  for (size_t device = 0; device < devices; device++)
    good = measure(backend, device) && good;
  return fine(pp_teardown(backend, &why), &why) && good;
}

static bool prepare(size_t n) {
  pp_failure why;
  pp_backend *cc = pp_backend_module(PP_BACKEND_CC);
  pp_context *root = NULL;
  data.n = n;
  data.got = calloc(n, sizeof(float));
  bool good = data.got != NULL;
  for (size_t k = 0; k < INPUTS && good; k++) {
    good = (data.input[k] = malloc(n * sizeof(float))) != NULL;
    for (size_t i = 0; i < n && good; i++)
      data.input[k][i] = (float)((i + k) % 97 + 1) / 7 - 3;
  }
  good = good && fine(pp_make_context(cc, 0, &root, &why), &why);
  for (size_t k = 0; k < KINDS && good; k++) {
    data.expected[k] = malloc(n * sizeof(float));
    good = data.expected[k] != NULL && run_kind(root, k, data.expected[k]) > 0;
  }
  return good && fine(pp_context_free(root, &why), &why);
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : (size_t)1 << 24;
  bool good = true;
  if (n < 1 || n > UINT32_MAX) {
    fputs("usage: bench-devices [ELEMENTS [BACKEND...]]\n", stderr);
    return 2;
  }
  if (!prepare(n)) return 3;
  printf("%zu elements of f32; each time the best of %d\n", n, TIMES);
  for (unsigned id = 0; id < PP_BACKEND_COUNT && argc <= 2; id++)
    good = measure_all(pp_backend_module((pp_backend_id)id), false) && good;
  for (int i = 2; i < argc; i++) {
    pp_backend *backend = NULL;
    pp_failure why;
    good = fine(pp_get_backend(argv[i], &backend, &why), &why) &&
           measure_all(backend, true) && good;
  }
  for (size_t k = 0; k < INPUTS; k++)
    free(data.input[k]);
  for (size_t k = 0; k < KINDS; k++)
    free(data.expected[k]);
  free(data.got);
  return good ? 0 : 1;
}
