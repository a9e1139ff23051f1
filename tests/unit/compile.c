/* poolproof-backend: cc multidev_cc */
/* Compiling in contexts (RTN-1, CTX-2): the lineage goes with the contexts. */
#include "routine.h"

#include "support.h"

#include <poolproof/fault.h>
#include <poolproof/runtime.h>

/* a is virtual by policy: x + 1 costs 1. */
static const char first[] =
    "routine first\nnode 1 x f32 [2] constant data 1 2\nnode 2 a f32 [2]\n"
    "node 3 y f32 [2] observable\nfor i<2: a[i] = x[i] + 1\n"
    "for i<2: y[i] = a[i]\nend\n";
static const char second[] = "routine second\nnode 2 a f32 [2]\n"
                             "node 4 z f32 [2] observable\n"
                             "for i<2: z[i] = a[i] * 10\nend\n";
/* Writes a anew; where the context holds a, that must reach it. */
static const char third[] = "routine third\nnode 2 a f32 [2]\n"
                            "node 5 w f32 [2] observable\n"
                            "for i<2: a[i] = 7\nfor i<2: w[i] = a[i]\nend\n";

static pp_context *compile(pp_context *parent, const char *text) {
  pp_routine *routine = pp_must_parse(text);
  pp_context *child = NULL;
  pp_failure failure = {.text = ""};
  cr_assert_eq(pp_compile(parent, routine, NULL, NULL, &child, &failure), PP_OK,
               "%s", failure.text);
  pp_routine_free(routine);
  return child;
}

static void expect_values(pp_context *context, uint64_t uid, float one,
                          float two) {
  float got[2] = {0, 0};
  cr_assert_eq(pp_run(context, NULL), PP_OK);
  cr_assert_eq(pp_download(context, uid, got, sizeof got, NULL), PP_OK);
  cr_expect(got[0] == one && got[1] == two, "%f %f", (double)got[0],
            (double)got[1]);
}

static bool holds(pp_context *context, uint64_t uid) {
  pp_location location;
  return pp_context_location(context, uid, &location);
}

typedef struct pp_compiler {
  pp_backend *backend;
  pp_context *root;
} pp_compiler;

static pp_compiler start_with(const char *name,
                              const pp_fault_options *options) {
  pp_backend *inner = NULL;
  pp_compiler compiler = {NULL, NULL};
  cr_assert_eq(pp_get_backend(name, &inner, NULL), PP_OK);
  cr_assert_eq(pp_fault_backend_new(inner, options, &compiler.backend), PP_OK);
  cr_assert_eq(pp_make_context(compiler.backend, 0, &compiler.root, NULL),
               PP_OK);
  return compiler;
}

static pp_compiler start(const char *name) {
  return start_with(name, NULL);
}

static void finish(pp_compiler *compiler) {
  cr_assert_eq(pp_context_free(compiler->root, NULL), PP_OK);
  cr_assert_eq(pp_teardown(compiler->backend, NULL), PP_OK);
  cr_assert_eq(pp_fault_backend_free(compiler->backend), 0);
}

static void virtual_nodes_go_on(const char *name) {
  pp_compiler compiler = start(name);
  pp_context *parent = compile(compiler.root, first);
  pp_context *child = compile(parent, second);
  cr_expect_not(holds(parent, 2));
  cr_expect_not(holds(child, 2));
  expect_values(parent, 3, 2, 3);
  expect_values(child, 4, 20, 30);
  /* The root's lineage has nothing of it: there a is what no one wrote. */
  pp_context *stranger = compile(compiler.root, second);
  cr_expect(holds(stranger, 2));
  expect_values(stranger, 4, 0, 0);
  cr_expect_null(pp_context_lineage(compiler.root));
  cr_assert_eq(pp_context_free(stranger, NULL), PP_OK);
  cr_assert_eq(pp_context_free(child, NULL), PP_OK);
  cr_assert_eq(pp_context_free(parent, NULL), PP_OK);
  finish(&compiler);
}

static void decisions_go_on(const char *name) {
  pp_compiler compiler = start(name);
  cr_assert_eq(pp_context_decide(compiler.root, 2, PP_MATERIALISED, NULL),
               PP_OK);
  pp_context *parent = compile(compiler.root, first);
  cr_expect(holds(parent, 2));
  /* Held by the parent, it is what the child reads and writes, whatever is
   * decided by then. */
  cr_assert_eq(pp_context_decide(parent, 2, PP_VIRTUAL, NULL), PP_OK);
  pp_context *reader = compile(parent, second);
  pp_context *writer = compile(parent, third);
  expect_values(parent, 3, 2, 3);
  expect_values(reader, 4, 20, 30);
  expect_values(writer, 5, 7, 7);
  expect_values(reader, 4, 70, 70);
  cr_assert_eq(pp_context_free(writer, NULL), PP_OK);
  cr_assert_eq(pp_context_free(reader, NULL), PP_OK);
  cr_assert_eq(pp_context_free(parent, NULL), PP_OK);
  finish(&compiler);
}

/* A compile that fails leaves context and lineage as they were (CTX-3). */
static void failures_leave_nothing(const char *name) {
  pp_compiler compiler = start(name);
  pp_context *parent = compile(compiler.root, first);
  pp_lineage *before = pp_context_lineage(parent);
  pp_routine *routine = pp_must_parse(second);
  pp_context *child = NULL;
  pp_failure failure = {.text = ""};
  const pp_fault fault = {PP_CALL_COMPILE, 1, PP_BACKEND_FAILED};
  pp_fault_arm(compiler.backend, &fault, 1);
  cr_expect_eq(pp_compile(parent, routine, NULL, NULL, &child, &failure),
               PP_BACKEND_FAILED);
  cr_expect_null(child);
  pp_lineage *after = pp_context_lineage(parent);
  cr_expect_eq(before, after);
  pp_lineage_free(before);
  pp_lineage_free(after);
  pp_routine_free(routine);
  child = compile(parent, second);
  expect_values(parent, 3, 2, 3);
  expect_values(child, 4, 20, 30);
  cr_assert_eq(pp_context_free(child, NULL), PP_OK);
  cr_assert_eq(pp_context_free(parent, NULL), PP_OK);
  finish(&compiler);
}

/* a, b and c at 0-1, 1-2 and 2-3: a and c share bytes. On a device that runs
 * the four statements as one kernel all live at once (RTN-5, RTN-6). */
static void the_device_says_what_a_kernel_is(const char *name) {
  static const char chain[] =
      "routine chain\nnode 1 x u8 [64] host\nnode 2 a u8 [64]\n"
      "node 3 b u8 [64]\nnode 4 c u8 [64]\nnode 5 y u8 [64] observable\n"
      "for i<64: a[i] = x[i]\nfor i<64: b[i] = a[i]\n"
      "for i<64: c[i] = b[i]\nfor i<64: y[i] = c[i]\nend\n";
  const pp_lower_options stay = {.policy = PP_POLICY_MATERIALISE};
  for (size_t kernel = 0; kernel <= 4; kernel += 4) {
    const pp_fault_options options = {.kernel_statements = kernel};
    pp_compiler compiler = start_with(name, &options);
    pp_routine *routine = pp_must_parse(chain);
    pp_context *child = NULL;
    pp_census census;
    cr_assert_eq(pp_compile(compiler.root, routine, &stay, NULL, &child, NULL),
                 PP_OK);
    pp_device_census(compiler.backend, 0, &census);
    cr_expect_eq(census.working_bytes, kernel == 0 ? 256 : 320);
    cr_expect_eq(pp_context_shared(child, 2), kernel == 0);
    pp_routine_free(routine);
    cr_assert_eq(pp_context_free(child, NULL), PP_OK);
    finish(&compiler);
  }
}

/* What was fitted outside of any context is what is compiled. */
static void a_lineage_can_be_given(const char *name) {
  pp_compiler compiler = start(name);
  pp_routine *routine = pp_must_parse(first);
  pp_lineage *lineage = NULL;
  pp_context *child = NULL;
  cr_assert_eq(pp_decide_materialized(NULL, 2, &lineage, NULL), PP_OK);
  const pp_lower_options how = {.lineage = lineage};
  cr_assert_eq(pp_compile(compiler.root, routine, &how, NULL, &child, NULL),
               PP_OK);
  cr_expect(holds(child, 2));
  expect_values(child, 3, 2, 3);
  pp_lineage_free(lineage);
  pp_routine_free(routine);
  cr_assert_eq(pp_context_free(child, NULL), PP_OK);
  finish(&compiler);
}

/* Where it sinks, b is zeroed when a is gone, and takes its bytes. */
static void zeroings_sink_or_stay(const char *name) {
  static const char late[] =
      "routine late\nnode 1 x u8 [64] host\nnode 2 a u8 [64]\n"
      "node 3 b u8 [64]\nnode 4 y u8 [64] observable\nfor i<64: b[i] = 0\n"
      "for i<64: a[i] = x[i]\nfor i<64: y[i] = a[i]\n"
      "for i<64: b[i] += x[i]\nfor i<64: y[i] += b[i]\nend\n";
  for (int stays = 0; stays <= 1; stays++) {
    const pp_lower_options how = {.policy = PP_POLICY_MATERIALISE,
                                  .no_sinking = stays != 0};
    pp_compiler compiler = start(name);
    pp_routine *routine = pp_must_parse(late);
    pp_context *child = NULL;
    cr_assert_eq(pp_compile(compiler.root, routine, &how, NULL, &child, NULL),
                 PP_OK);
    cr_expect_eq(pp_context_shared(child, 3), stays == 0);
    pp_routine_free(routine);
    cr_assert_eq(pp_context_free(child, NULL), PP_OK);
    finish(&compiler);
  }
}

/* A source that cannot be lowered is refused, and what only the options leave
 * out is the context's. */
static void options_and_refusals(const char *name) {
  static const char other[] = "routine other\nnode 2 a f32 [3]\n"
                              "node 4 z f32 [3] observable\n"
                              "for i<3: z[i] = a[i] * 10\nend\n";
  pp_compiler compiler = start(name);
  pp_context *parent = compile(compiler.root, first);
  pp_routine *refused = pp_must_parse(other);
  pp_routine *taken = pp_must_parse(second);
  const pp_lower_options none = {.lineage = NULL};
  pp_context *child = NULL;
  cr_expect_eq(pp_compile(parent, refused, NULL, NULL, &child, NULL),
               PP_BAD_ROUTINE);
  cr_expect_null(child);
  cr_assert_eq(pp_compile(parent, taken, &none, NULL, &child, NULL), PP_OK);
  expect_values(parent, 3, 2, 3);
  expect_values(child, 4, 20, 30);
  pp_routine_free(refused);
  pp_routine_free(taken);
  cr_assert_eq(pp_context_free(child, NULL), PP_OK);
  cr_assert_eq(pp_context_free(parent, NULL), PP_OK);
  finish(&compiler);
}

/* Into a device whose pools are smaller than the node. */
static void a_merge_too_large_is_told(const char *name) {
  const pp_fault_options options = {.max_pool = 4};
  pp_compiler large = start(name);
  pp_compiler small = start_with(name, &options);
  pp_context *child = compile(large.root, first);
  pp_failure failure = {.text = ""};
  cr_expect_eq(pp_merge(small.root, child, 3, &failure), PP_OVER_CAP);
  cr_expect_str_eq(failure.text,
                   "node with uid 3 has 8 bytes, a pool holds 4 at most");
  cr_assert_eq(pp_context_free(child, NULL), PP_OK);
  finish(&small);
  finish(&large);
}

#define ON_EACH_BACKEND(test)                                                  \
  Test(compile, test) {                                                        \
    test("cc");                                                                \
    test("multidev_cc");                                                       \
    pp_expect_no_leak();                                                       \
  }

ON_EACH_BACKEND(virtual_nodes_go_on)
ON_EACH_BACKEND(decisions_go_on)
ON_EACH_BACKEND(the_device_says_what_a_kernel_is)
ON_EACH_BACKEND(a_lineage_can_be_given)
ON_EACH_BACKEND(a_merge_too_large_is_told)
ON_EACH_BACKEND(zeroings_sink_or_stay)
ON_EACH_BACKEND(options_and_refusals)
ON_EACH_BACKEND(failures_leave_nothing)
