/* poolproof: cc's expression machine beside hand-fused loops.
 *
 * f32, out of cache, each as a ratio within one run; both must give the same
 * bits. The loops are compiled with what the compiler has for this processor,
 * and without contraction. SPDX-License-Identifier: MIT */
#include <poolproof/runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void fused(float *restrict y, const float *restrict a,
                   const float *restrict b, const float *restrict c, size_t n);

static void sum(float *restrict y, const float *restrict a,
                const float *restrict b, const float *restrict c, size_t n) {
  for (size_t i = 0; i < n; i++)
    y[i] = a[i] * b[i] + c[i];
}

static void chain(float *restrict y, const float *restrict a,
                  const float *restrict b, const float *restrict c, size_t n) {
  for (size_t i = 0; i < n; i++)
    y[i] = ((a[i] * b[i] + c[i]) * a[i] - b[i]) + (c[i] * c[i] + 1) * a[i];
}

static const struct {
  const char *expression;
  fused *loop;
} kinds[] = {
    {"a[i] * b[i] + c[i]", sum},
    {"((a[i] * b[i] + c[i]) * a[i] - b[i]) + (c[i] * c[i] + 1) * a[i]", chain}};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void must(pp_status status, const pp_failure *why) {
  if (status == PP_OK) return;
  fprintf(stderr, "%s\n", why->text);
  exit(3);
}

/* A context on cc with a, b and c as nodes 1, 2, 3 and the value as 4. */
static pp_context *open_context(pp_context *root, const char *expression,
                                size_t n) {
  char text[512];
  pp_routine *routine = NULL;
  pp_context *context = NULL;
  pp_failure why;
  int size = snprintf(text, sizeof text,
                      "routine fused\nnode 1 a f32 [%zu] host\n"
                      "node 2 b f32 [%zu] host\nnode 3 c f32 [%zu] host\n"
                      "node 4 y f32 [%zu] observable\nfor i<%zu: y[i] = %s\n"
                      "end\n",
                      n, n, n, n, n, expression);
  must(pp_routine_parse(text, (size_t)size, &routine, &why), &why);
  must(pp_link(root, routine, NULL, &context, &why), &why);
  pp_routine_free(routine);
  return context;
}

static bool measure(pp_context *root, size_t kind, float *const *v, size_t n) {
  enum { TIMES = 9 };
  pp_failure why;
  double hand = 1e9;
  double machine = 1e9;
  pp_context *context = open_context(root, kinds[kind].expression, n);
  for (uint64_t k = 0; k < 3; k++)
    must(pp_upload(context, k + 1, v[k], n * sizeof(float), &why), &why);
  for (int time = 0; time < TIMES; time++) {
    double start = seconds();
    kinds[kind].loop(v[3], v[0], v[1], v[2], n);
    double middle = seconds();
    must(pp_run(context, &why), &why);
    double end = seconds();
    if (middle - start < hand) hand = middle - start;
    if (end - middle < machine) machine = end - middle;
  }
  must(pp_download(context, 4, v[4], n * sizeof(float), &why), &why);
  bool same = memcmp(v[3], v[4], n * sizeof(float)) == 0;
  printf("%-64s %5.2f x the loop's time, %4.1f GB/s%s\n",
         kinds[kind].expression, machine / hand,
         4e-9 * (double)(n * sizeof(float)) / machine,
         same ? "" : ", OTHER BITS");
  must(pp_context_free(context, &why), &why);
  return same;
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1 << 24;
  pp_backend *cc = NULL;
  pp_context *root = NULL;
  pp_failure why;
  float *v[5];
  if (n < 1 || n > UINT32_MAX) {
    fputs("usage: bench-kernels [ELEMENTS, at least 1]\n", stderr);
    return 2;
  }
  for (size_t k = 0; k < 5; k++) {
    v[k] = malloc(n * sizeof(float));
    if (!v[k]) abort();
    for (size_t i = 0; i < n; i++)
      v[k][i] = (float)((i + k) % 97) / 4 - 3;
  }
  must(pp_get_backend("cc", &cc, &why), &why);
  must(pp_make_context(cc, 0, &root, &why), &why);
  bool same = true;
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    same = measure(root, k, v, n) && same;
  must(pp_context_free(root, &why), &why);
  must(pp_teardown(cc, &why), &why);
  for (size_t k = 0; k < 5; k++)
    free(v[k]);
  return same ? 0 : 1;
}
