/* poolproof: a search that links and releases a million candidates (REL-7).
 *
 * Every tenth candidate fails somewhere in its life. The healthy ones run on
 * the backend as it is, and what is measured is them alone: one pp_link and
 * one pp_context_free each, beside malloc, memset and free of the same slabs,
 * alternating in blocks. The failing ones run on a fault backend around it.
 * After a warm-up the census must be the same at every checkpoint, and what
 * is resident may not grow by more than 1 %.
 * SPDX-License-Identifier: MIT */
#include "cli.h"
#include "common.h"
#include "here.h"
#include "random.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A driver has tables of its own, which fill up later. */
enum { CHECKPOINTS = 20, WARM_UP = 10000, DRIVER_WARM_UP = 200000, SLABS = 8 };

static const char parent_text[] = "routine parent\n"
                                  "node 1 p f32 [16] observable\n"
                                  "node 2 w f32 [16] constant data fill 0.5\n"
                                  "for i<16: p[i] = w[i]\n"
                                  "end\n";
static const char candidate_text[] = "routine candidate\n"
                                     "node 1 p f32 [16]\n"
                                     "node 2 w f32 [16] constant\n"
                                     "node 10 x f32 [64] host\n"
                                     "node 11 a f32 [64] span 0 1\n"
                                     "node 12 b f32 [64] span 1 2\n"
                                     "node 13 c f32 [64] span 2 3\n"
                                     "node 14 d f32 [64] span 3 4\n"
                                     "node 15 e f32 [64] span 4 5\n"
                                     "node 16 f f32 [64] span 5 6\n"
                                     "node 17 y f32 [64] observable\n"
                                     "for i<64: a[i] = x[i] + w[0]\n"
                                     "for i<64: b[i] = a[i] + p[0]\n"
                                     "for i<64: c[i] = b[i] * 2\n"
                                     "for i<64: d[i] = c[i] + 3\n"
                                     "for i<64: e[i] = d[i] * 4\n"
                                     "for i<64: f[i] = e[i] - 5\n"
                                     "for i<64: y[i] = f[i] + 6\n"
                                     "end\n";

typedef struct pp_soak_settings {
  uint64_t candidates;
  uint64_t seed;
  const char *backend; /* NULL: all */
  bool no_rss;
} pp_soak_settings;

/* One runtime with the parent of all candidates. */
typedef struct pp_soak_side {
  pp_backend *backend;
  pp_context *root;
  pp_context *parent;
  pp_routine *candidate;
  pp_census baseline;
  uint64_t released; /* what the census must say */
} pp_soak_side;

typedef struct pp_soak {
  pp_random random;
  pp_soak_side good, bad;
  uint64_t bytes[SLABS]; /* of one candidate's slabs */
  size_t slabs;
  double took, plain_took;
  uint64_t measured;
} pp_soak;

static pp_soak_side open_side(pp_backend *backend) {
  pp_soak_side made = {.backend = backend};
  pp_routine *parent = pp_routine_of(parent_text);
  made.candidate = pp_routine_of(candidate_text);
  made.root = pp_root_on(backend, 0);
  made.parent = pp_child_of(made.root, parent);
  pp_routine_free(parent);
  pp_device_census(backend, 0, &made.baseline);
  made.released = made.baseline.released;
  return made;
}

static void close_side(pp_soak_side *side) {
  pp_drop(side->parent);
  pp_drop(side->root);
  pp_routine_free(side->candidate);
}

static void expect_flat(const pp_soak_side *side, const char *which) {
  pp_census now;
  char is[PP_CENSUS_TEXT];
  char was[PP_CENSUS_TEXT];
  pp_device_census(side->backend, 0, &now);
  if (!pp_same_census(&now, &side->baseline) || now.released != side->released)
    pp_die("census of the %s ones: %s; at first: %s; %" PRIu64
           " released are right",
           which, pp_census_text(&now, is),
           pp_census_text(&side->baseline, was), side->released);
}

static void healthy(pp_soak_side *side, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    pp_drop(pp_child_of(side->parent, side->candidate));
  side->released += n;
}

/* The slabs of one candidate: how many, and their bytes. */
static size_t slabs_of(pp_soak_side *side, uint64_t *bytes) {
  pp_pool_info before[SLABS];
  pp_pool_info after[SLABS];
  size_t n = 0;
  size_t m = 0;
  pp_device_pools(side->backend, 0, before, SLABS, &n);
  pp_context *child = pp_child_of(side->parent, side->candidate);
  pp_device_pools(side->backend, 0, after, SLABS, &m);
  pp_drop(child);
  side->released++;
  if (m > SLABS || m <= n) pp_die("a candidate with %zu slabs", m);
  for (size_t i = n; i < m; i++)
    bytes[i - n] = after[i].bytes;
  return m - n;
}

static void plain(const uint64_t *bytes, size_t slabs, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    for (size_t k = 0; k < slabs; k++) {
      void *slab = malloc(bytes[k]);
      if (slab == NULL) pp_die("out of memory");
      memset(slab, 0, bytes[k]);
      __asm__ volatile("" : : "r"(slab) : "memory");
      free(slab);
    }
}

/* One call of the life of a candidate fails, sometimes a later one too. */
static void arm(pp_backend *backend, pp_random *random) {
  pp_fault fault[2];
  uint64_t nth = 1 + pp_random_below(random, 6);
  for (size_t i = 0; i < 2; i++) {
    bool memory = pp_random_one_in(random, 2);
    fault[i] = (pp_fault){PP_CALL_COUNT, nth,
                          memory ? PP_NO_MEMORY : PP_BACKEND_FAILED};
    nth += 1 + pp_random_below(random, 3);
  }
  pp_fault_arm(backend, fault, pp_random_one_in(random, 2) ? 1 : 2);
}

static bool is_injected(pp_status status) {
  return status == PP_NO_MEMORY || status == PP_BACKEND_FAILED;
}

static void failing(pp_soak_side *side, uint64_t n, pp_random *random) {
  for (uint64_t i = 0; i < n; i++) {
    pp_context *child = NULL;
    pp_failure why;
    arm(side->backend, random);
    pp_status status =
        pp_link(side->parent, side->candidate, NULL, &child, &why);
    if (status != PP_OK && !is_injected(status)) pp_die("link: %s", why.text);
    for (int tries = 0; child != NULL; tries++) {
      status = pp_context_free(child, &why);
      if (status == PP_OK) {
        child = NULL;
        side->released++;
      } else if (!is_injected(status) || tries > 2) {
        pp_die("free: %s", why.text);
      }
    }
    if (pp_fault_struck(side->backend) == 0) pp_die("nothing failed");
  }
  pp_fault_arm(side->backend, NULL, 0);
  healthy(side, 1); /* tries orphans again */
}

typedef struct pp_pages {
  uint64_t resident, own;
} pp_pages;

/* Pages of files, which the kernel maps as it sees fit, are not its own. */
static pp_pages pages_now(void) {
  char line[128] = "";
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fgets(line, sizeof line, file) == NULL)
    pp_die("/proc/self/statm cannot be read");
  fclose(file);
  char *at = NULL;
  (void)strtoull(line, &at, 10);
  uint64_t resident = strtoull(at, &at, 10);
  return (pp_pages){resident, resident - strtoull(at, NULL, 10)};
}

/* Candidates [0, n), every tenth failing, and the plain calls beside them. */
static void block(pp_soak *soak, uint64_t n) {
  double start = pp_seconds();
  healthy(&soak->good, n - n / 10);
  double middle = pp_seconds();
  plain(soak->bytes, soak->slabs, n - n / 10);
  soak->took += middle - start;
  soak->plain_took += pp_seconds() - middle;
  soak->measured += n - n / 10;
  failing(&soak->bad, n / 10, &soak->random);
  expect_flat(&soak->good, "healthy");
  expect_flat(&soak->bad, "failing");
  if (pp_fault_slabs(soak->bad.backend) != 2) pp_die("slabs are left over");
}

static void report(const char *name, const pp_soak_settings *settings,
                   const pp_soak *soak, uint64_t pages, double grown) {
  char text[PP_CENSUS_TEXT];
  uint64_t all = 0;
  for (size_t k = 0; k < soak->slabs; k++)
    all += soak->bytes[k];
  printf("%s: %" PRIu64 " candidates, every tenth failing; %.0f healthy ones "
         "a second, %.1f times as long as malloc, memset and free of the same "
         "slabs (%zu, %" PRIu64 " bytes)\n",
         name, settings->candidates, (double)soak->measured / soak->took,
         soak->took / soak->plain_took, soak->slabs, all);
  printf("  census flat at %d checkpoints: %s\n", CHECKPOINTS,
         pp_census_text(&soak->good.baseline, text));
  printf("  resident %" PRIu64 " KiB, grew by %.2f %%\n",
         pages * ((uint64_t)sysconf(_SC_PAGESIZE) / 1024), grown);
}

static void soak(const char *name, const pp_soak_settings *settings) {
  pp_soak soak = {0};
  pp_backend *fault = NULL;
  pp_failure why;
  pp_random_start(&soak.random, settings->seed, 0);
  if (pp_fault_backend_new(pp_backend_of(name), NULL, &fault) != PP_OK)
    pp_die("out of memory");
  soak.good = open_side(pp_backend_of(name));
  soak.bad = open_side(fault);
  soak.slabs = slabs_of(&soak.good, soak.bytes);
  block(&soak, pp_backend_driven(soak.good.backend) ? DRIVER_WARM_UP : WARM_UP);
  soak.took = soak.plain_took = 0;
  soak.measured = 0;
  pp_pages first = pages_now();
  uint64_t most = first.own;
  for (uint64_t k = 0; k < CHECKPOINTS; k++) {
    block(&soak, settings->candidates / CHECKPOINTS);
    pp_pages pages = pages_now();
    if (pages.own > most) most = pages.own;
  }
  double grown = 100 * (double)(most - first.own) / (double)first.resident;
  report(name, settings, &soak, first.resident, grown);
  if (grown > 1 && !settings->no_rss) pp_die("the resident set grows");
  close_side(&soak.bad);
  pp_close_fault(fault);
  close_side(&soak.good);
  if (pp_teardown(soak.good.backend, &why) != PP_OK) pp_die("%s", why.text);
}

enum { OPTION_CANDIDATES = 256, OPTION_SEED, OPTION_BACKEND, OPTION_NO_RSS };

static const struct argp_option options[] = {
    {"candidates", OPTION_CANDIDATES, "N", 0,
     "how many on each backend (default 1000000)", 0},
    {"seed", OPTION_SEED, "S", 0, "what fails (default 1)", 0},
    {"backend", OPTION_BACKEND, "NAME", 0,
     "on this one (default: all that are here)", 0},
    {"no-rss", OPTION_NO_RSS, NULL, 0,
     "let the resident set grow (sanitizers keep what was freed)", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_soak_settings *settings = state->input;
  switch (key) {
  case OPTION_CANDIDATES:
    settings->candidates =
        pp_cli_number("--candidates", text, UINT64_C(10) * CHECKPOINTS,
                      UINT64_C(1) << 40, state);
    return 0;
  case OPTION_SEED:
    settings->seed = pp_cli_number("--seed", text, 0, UINT64_MAX, state);
    return 0;
  case OPTION_BACKEND:
    settings->backend = text;
    return 0;
  case OPTION_NO_RSS:
    settings->no_rss = true;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int main(int argc, char **argv) {
  pp_soak_settings settings = {.candidates = 1000000, .seed = 1};
  const struct argp argp = {.options = options, .parser = parse};
  if (argp_parse(&argp, argc, argv, 0, NULL, &settings) != 0) return 2;
  unsigned here = pp_backends_for(settings.backend);
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
    if ((here >> id & 1) != 0)
      soak(pp_backend_id_name((pp_backend_id)id), &settings);
  return 0;
}
