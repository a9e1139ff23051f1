#include "campaign_runtime.h"
#include "model_step.h"
#include "program_generate.h"
#include "program_shrink.h"
#include "support.h"

#include <string.h>

enum { STEPS = 12, POOLS = 6 };

#define CHAIN                                                                  \
  "option alignment 16\n"                                                      \
  "routine chain\n"                                                            \
  "node 1 x f32 [4] host data 1 2 3 4\n"                                       \
  "node 2 s f32 [4] span 0 1\n"                                                \
  "node 3 t f32 [4] span 2 3\n"                                                \
  "node 4 y f32 [4]\n"                                                         \
  "node 5 z f32 [4] observable\n"                                              \
  "for i<4: s[i] = x[i] + x[i]\n"                                              \
  "for i<4: y[i] = s[i] * x[i]\n"                                              \
  "for i<4: t[i] = y[i] - x[i]\n"                                              \
  "for i<4: z[i] = t[i] + y[i]\n"                                              \
  "end\n"
#define PAIR                                                                   \
  "option alignment 8\noption max_pool 16\n"                                   \
  "routine pair\n"                                                             \
  "node 1 w f32 [3] constant data 1 2 3\n"                                     \
  "node 2 x f32 [3] host data 4 5 6\n"                                         \
  "node 3 y f32 [3] observable\n"                                              \
  "for i<3: y[i] = w[i] * x[i]\n"                                              \
  "end\n"

/* Worked out by hand from the rules named: what each operation but fault
 * answers, the pools of device 0 at the end, and the last download. */
static const struct {
  const char *rule;
  const char *text;
  pp_status status[STEPS];
  size_t pools;
  pp_pool_info pool[POOLS];
  size_t values;
  float value[4];
} cases[] = {
    {"ARN: s and t stand at 16, y at 32, z at 48",
     CHAIN "root a 0\nlink b a chain\nrun b\ndownload b 2\ndownload b 4\n"
           "download b 5\n",
     {PP_OK, PP_OK, PP_OK, PP_ALIASED, PP_OK, PP_OK},
     1,
     {{1, 64, PP_POOL_WORKING}},
     4,
     {3, 14, 33, 60}},
    {"FPT-3: five nodes of 16 bytes without reuse",
     CHAIN "root a 0\nlink b a chain no_reuse\nrun b\ndownload b 3\n",
     {PP_OK, PP_OK, PP_OK, PP_OK},
     1,
     {{1, 80, PP_POOL_WORKING}},
     4,
     {1, 6, 15, 28}},
    {"CTX-2: the arena of 64 bytes is over the cap, so segments of 32",
     CHAIN "root a 0\nlink b a chain cap 32\nrun b\ndownload b 2\n",
     {PP_OK, PP_OK, PP_OK, PP_OK},
     3,
     {{1, 32, PP_POOL_WORKING},
      {2, 32, PP_POOL_WORKING},
      {3, 16, PP_POOL_WORKING}},
     4,
     {2, 4, 6, 8}},
    {"CTX-2: working pools before constant ones; constants once a device",
     PAIR "root a 0\nlink b a pair\nlink c a pair\nrun c\ndownload c 3\n",
     {PP_OK, PP_OK, PP_OK, PP_OK, PP_OK},
     5,
     {{1, 12, PP_POOL_WORKING},
      {2, 12, PP_POOL_WORKING},
      {3, 12, PP_POOL_CONSTANT},
      {4, 12, PP_POOL_WORKING},
      {5, 12, PP_POOL_WORKING}},
     3,
     {4, 10, 18}},
    {"REL-4: the first pool is freed, the second one is not",
     PAIR "root a 0\nlink b a pair\nfault free_pool 2 backend_failed\n"
          "release b\ndownload b 2\ndownload b 3\n",
     {PP_OK, PP_OK, PP_BACKEND_FAILED, PP_POOL_GONE, PP_OK},
     2,
     {{2, 12, PP_POOL_WORKING}, {3, 12, PP_POOL_CONSTANT}},
     3,
     {0, 0, 0}},
    {"REL-1, REL-3, REL-4: the retry frees the rest, the constant stays",
     PAIR "root a 0\nlink b a pair\nfault free_pool 2 backend_failed\n"
          "release b\nrelease b\nrelease b\nrun b\n",
     {PP_OK, PP_OK, PP_BACKEND_FAILED, PP_OK, PP_OK, PP_POOL_GONE},
     1,
     {{3, 12, PP_POOL_CONSTANT}},
     0,
     {0}},
    {"CTX-3: no await, so what was minted stays as orphans",
     PAIR "root a 0\nfault compile 1 no_memory\nfault await 1 backend_failed\n"
          "link b a pair\n",
     {PP_OK, PP_NO_MEMORY},
     3,
     {{1, 12, PP_POOL_ORPHAN},
      {2, 12, PP_POOL_ORPHAN},
      {3, 12, PP_POOL_ORPHAN}},
     0,
     {0}},
    {"CTX-3: orphans go at the next link; a failed allocation took its id",
     PAIR "root a 0\nfault alloc_pool 2 no_memory\nfault await 1 "
          "backend_failed\nlink b a pair\nlink b a pair\n",
     {PP_OK, PP_NO_MEMORY, PP_OK},
     3,
     {{3, 12, PP_POOL_WORKING},
      {4, 12, PP_POOL_WORKING},
      {5, 12, PP_POOL_CONSTANT}},
     0,
     {0}},
    {"a fault counts from its own line on, whatever is armed after it",
     PAIR "root a 0\nfault compile 2 no_memory\nlink b a pair\n"
          "fault any 99 no_memory\nlink c a pair\n",
     {PP_OK, PP_OK, PP_NO_MEMORY},
     3,
     {{1, 12, PP_POOL_WORKING},
      {2, 12, PP_POOL_WORKING},
      {3, 12, PP_POOL_CONSTANT}},
     0,
     {0}},
    {"CTX-1: the merge buffer grows in place and has one tenant",
     PAIR "routine m\nnode 2 x f32 [3] merge\nnode 9 v f32 [3] observable\n"
          "for i<3: v[i] = x[i] + x[i]\nend\n"
          "root a 0\nlink b a pair\nlink c a m\nrun c\nmerge a b 2\nrun c\n"
          "merge a b 3\nrun c\ndownload c 9\n",
     {PP_OK, PP_OK, PP_OK, PP_NOT_MERGED, PP_OK, PP_OK, PP_OK, PP_NOT_MERGED,
      PP_OK},
     5,
     {{0, 12, PP_POOL_MERGE},
      {1, 12, PP_POOL_WORKING},
      {2, 12, PP_POOL_WORKING},
      {3, 12, PP_POOL_CONSTANT},
      {4, 12, PP_POOL_WORKING}},
     3,
     {8, 10, 12}},
    {"REL-4: contexts of a lost device go, their pools wait for teardown",
     PAIR "root a 0\nlink b a pair\nfault launch 1 device_lost\nrun b\n"
          "release b\nteardown\nfree b\nrun b\n",
     {PP_OK, PP_OK, PP_DEVICE_LOST, PP_DEVICE_LOST, PP_BUSY, PP_OK},
     3,
     {{1, 12, PP_POOL_ORPHAN},
      {2, 12, PP_POOL_ORPHAN},
      {3, 12, PP_POOL_CONSTANT}},
     0,
     {0}},
};

static pp_model *new_model(const pp_program *program) {
  const pp_fault_options *options = &program->options;
  pp_limits limits = {.max_pool = UINT64_C(1) << 32, .alignment = 8};
  if (options->max_pool > 0) limits.max_pool = options->max_pool;
  if (options->alignment > 0) limits.alignment = options->alignment;
  pp_model *model = pp_model_new(1, &limits, program->contexts);
  cr_assert(model);
  return model;
}

static void check_pools(size_t i, const pp_model_device *device) {
  cr_expect_eq(device->pools, cases[i].pools, "%s: %zu pools", cases[i].rule,
               device->pools);
  for (size_t k = 0; k < device->pools && k < cases[i].pools; k++) {
    const pp_pool_info *pool = &device->pool[k];
    const pp_pool_info *want = &cases[i].pool[k];
    cr_expect(pool->id == want->id && pool->bytes == want->bytes &&
                  pool->use == want->use,
              "%s: pool %zu", cases[i].rule, k);
  }
}

static void check_case(size_t i, const pp_program *program) {
  pp_model *model = new_model(program);
  size_t step = 0;
  pp_model_host host = {0};
  for (size_t k = 0; k < program->operations; k++) {
    const pp_operation *it = &program->operation[k];
    if (it->verb == PP_DO_FAULT) pp_model_fault(model, &it->fault);
    if (it->verb == PP_DO_FAULT || pp_model_skips(model, it)) continue;
    const pp_model_node *node =
        pp_model_find(&model->context[it->context], it->uid);
    host.bytes = node ? node->bytes : 0;
    pp_status status = pp_model_step(model, program, it, &host);
    cr_expect_eq(status, cases[i].status[step], "%s: step %zu: %d",
                 cases[i].rule, step, status);
    step++;
  }
  check_pools(i, &model->device[0]);
  if (cases[i].values > 0)
    cr_expect(host.cell && host.cell->known &&
                  memcmp(host.cell->at, cases[i].value,
                         cases[i].values * sizeof(float)) == 0,
              "%s: value", cases[i].rule);
  pp_model_free(model);
}

static pp_program parse(const char *text) {
  pp_program program;
  pp_diag diag = {0};
  cr_assert_eq(pp_program_parse("p", text, strlen(text), &program, &diag), 0,
               "%s", diag.text);
  return program;
}

Test(model, cases) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pp_program program = parse(cases[i].text);
    check_case(i, &program);
    pp_replay replay = {0};
    cr_expect_eq(pp_replay_run(&program, pp_backend_module(PP_BACKEND_CC), NULL,
                               &replay),
                 PP_AGREE, "%s: %s", cases[i].rule, replay.sentence);
    pp_program_free(&program);
  }
  pp_expect_no_leak();
}

static const struct {
  const char *text;
  const char *sentence;
} refused[] = {
    {"rot a 0\n", "p: line 1, column 1: \"rot\" is no operation"},
    {"root a\n", "p: line 1, column 7: a device's ordinal is missing"},
    {"root 1 0\n",
     "p: line 1, column 6: \"1\" is no name: letters, digits and _ are"},
    {"root a 0 1\n", "p: line 1, column 10: \"1\" where the line should end"},
    {"\nrun b\n", "p: line 2, column 5: no context \"b\" is made above"},
    {"root a 0\nlink b a r\n",
     "p: line 2, column 10: no routine \"r\" is above"},
    {"routine r\nnode 1 x f99 []\nend\n", "p: line 2, column 10: "},
    {"root a 0\nroutine r\n", "the routine has no end"},
    {"fault free_pool 0 no_memory\n",
     "p: line 1, column 17: calls are counted from 1"},
    {"fault frees 1 no_memory\n",
     "p: line 1, column 7: \"frees\" is no call of a backend, nor any"},
    {"fault any 1 busy\n", "p: line 1, column 13: \"busy\" is none of "},
    {"option alignment 3\n",
     "p: line 1, column 18: an alignment is a power of two up to 65536"},
    {"# poolproof-backend: tpu\n",
     "p: line 1, column 22: \"tpu\" is neither a backend nor none"},
};

Test(program, refused) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    pp_program program;
    pp_diag diag = {0};
    cr_expect_eq(pp_program_parse("p", refused[i].text, strlen(refused[i].text),
                                  &program, &diag),
                 PP_EXIT_INPUT, "%s", refused[i].text);
    cr_expect(strstr(diag.text, refused[i].sentence), "%s: %s",
              refused[i].sentence, diag.text);
    pp_program_free(&program);
  }
  pp_expect_no_leak();
}

static char *print(const pp_program *program) {
  char *text = NULL;
  size_t size = 0;
  pp_diag diag = {0};
  FILE *out = open_memstream(&text, &size);
  cr_assert(out);
  cr_assert_eq(pp_program_write(out, program, &diag), 0);
  (void)fclose(out);
  return text;
}

/* Random programs print, and read back as what prints the same. */
Test(program, printed) {
  const pp_generator_limits limits = {.devices = 3, .steps = 40};
  for (uint64_t seed = 0; seed < 200; seed++) {
    pp_choices choices = {.size = 0};
    pp_program program = {.routines = 0};
    pp_random_start(&choices.random, seed, 0);
    cr_assert(pp_program_generate(&choices, &limits, &program));
    char *text = print(&program);
    pp_program again = parse(text);
    char *twice = print(&again);
    cr_expect_str_eq(text, twice);
    cr_expect_eq(again.operations, program.operations);
    free(text);
    free(twice);
    pp_program_free(&program);
    pp_program_free(&again);
  }
  pp_expect_no_leak();
}

/* A stand-in for a fault: a release that comes after a merge. */
static bool shows(void *state, const pp_program *program) {
  bool merged = false;
  (void)state;
  for (size_t k = 0; k < program->operations; k++) {
    if (program->operation[k].verb == PP_DO_MERGE) merged = true;
    if (program->operation[k].verb == PP_DO_RELEASE && merged) return true;
  }
  return false;
}

Test(program, shrunk) {
  pp_program program = parse(CHAIN "option delay\nroot a 0\nlink b a chain\n"
                                   "run b\nmerge a b 4\nawait a\nrelease b\n"
                                   "fault any 5 no_memory\nrelease a\n");
  cr_assert(shows(NULL, &program));
  cr_expect(pp_program_shrink(&program, shows, NULL, 1000) < 1000);
  char *text = print(&program);
  cr_expect_str_eq(text,
                   "routine chain\nend\nroot a 0\nlink b a chain\n"
                   "merge a b 4\nrelease b\n",
                   "%s", text);
  free(text);
  pp_program_free(&program);
  pp_expect_no_leak();
}
