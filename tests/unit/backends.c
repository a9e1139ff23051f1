/* poolproof-backend: none
 * Names of backends, and which one is taken without one (BKD-1, BKD-2); which
 * are here, and whether they work (BKD-3). */
#include "doctor.h"
#include "routine_check.h"
#include "support.h"

#include <poolproof/fault.h>

#include <string.h>

static const struct {
  const char *name;
  pp_backend_id id; /* PP_BACKEND_COUNT: refused */
} names[] = {{"cc", PP_BACKEND_CC},
             {"CC", PP_BACKEND_CC},
             {"sync_cc", PP_BACKEND_CC},
             {"Sync_CC", PP_BACKEND_CC},
             {"multidev_cc", PP_BACKEND_MULTIDEV_CC},
             {"MULTICORE_cc", PP_BACKEND_MULTIDEV_CC},
             {"", PP_BACKEND_COUNT},
             {"opencl", PP_BACKEND_OPENCL},
             {"OpenCL", PP_BACKEND_OPENCL},
             {"cuda", PP_BACKEND_CUDA},
             {"CUDA", PP_BACKEND_CUDA},
             {"-", PP_BACKEND_COUNT},
             {"c", PP_BACKEND_COUNT},
             {"ccc", PP_BACKEND_COUNT},
             {"cudas", PP_BACKEND_COUNT}};

Test(backends, names) {
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    const char *name = names[k].name;
    pp_backend_id id = names[k].id;
    pp_backend *backend = NULL;
    pp_failure why = {.text = ""};
    pp_status status = pp_get_backend(name, &backend, &why);
    cr_expect_eq(backend, pp_backend_module(id), "\"%s\"", name);
    if (id < PP_BACKEND_COUNT) {
      cr_expect_eq(status, PP_OK, "\"%s\"", name);
      cr_expect_str_eq(pp_backend_name(backend), pp_backend_id_name(id));
      cr_expect(backend->runtime == NULL, "\"%s\" was used", name);
      continue;
    }
    cr_expect_eq(status, PP_UNKNOWN_BACKEND, "\"%s\"", name);
    cr_expect_eq(why.status, status);
    cr_expect(strstr(why.text, "there are cc, multidev_cc, opencl, cuda (") !=
                  NULL,
              "%s", why.text);
    cr_expect_eq(pp_get_backend(name, &backend, NULL), PP_UNKNOWN_BACKEND);
  }
  cr_expect_str_eq(pp_backend_id_alias(PP_BACKEND_CC), "sync_cc");
  cr_expect_null(pp_backend_id_alias(PP_BACKEND_CUDA));
  cr_expect_not_null(pp_backend_id_about(PP_BACKEND_MULTIDEV_CC));
  cr_expect_null(pp_backend_id_name(PP_BACKEND_COUNT));
  cr_expect_str_eq(pp_backend_call_name(PP_CALL_DEVICE_TO_DEVICE),
                   "device_to_device");
}

/* What NULL takes; NULL when it is refused. */
static const char *global(void) {
  pp_backend *backend = NULL;
  pp_failure why = {.text = ""};
  pp_status status = pp_get_backend(NULL, &backend, &why);
  if (status == PP_OK) return pp_backend_name(backend);
  cr_expect_eq(status, PP_UNKNOWN_BACKEND);
  cr_expect(strstr(why.text, "\"vulkan\" in POOLPROOF_BACKEND") != NULL, "%s",
            why.text);
  return NULL;
}

Test(backends, global_setting_of_the_environment) {
  setenv("POOLPROOF_BACKEND", "MultiCore_CC", 1);
  cr_expect_str_eq(global(), "multidev_cc");
  setenv("POOLPROOF_BACKEND", "cc", 1);
  cr_expect_str_eq(global(), "multidev_cc", "it is read once");
  cr_expect_eq(pp_set_global_backend("vulkan", NULL), PP_UNKNOWN_BACKEND);
  cr_expect_eq(pp_set_global_backend(NULL, NULL), PP_UNKNOWN_BACKEND);
  cr_expect_str_eq(global(), "multidev_cc");
  cr_expect_eq(pp_set_global_backend("CC", NULL), PP_OK);
  cr_expect_str_eq(global(), "cc");
}

Test(backends, global_setting_that_is_unknown) {
  setenv("POOLPROOF_BACKEND", "vulkan", 1);
  cr_expect_null(global());
  cr_expect_null(global());
  cr_expect_eq(pp_set_global_backend("multidev_cc", NULL), PP_OK);
  cr_expect_str_eq(global(), "multidev_cc");
}

Test(backends, global_setting_of_the_program) {
  setenv("POOLPROOF_BACKEND", "vulkan", 1);
  cr_expect_eq(pp_set_global_backend("sync_cc", NULL), PP_OK);
  cr_expect_str_eq(global(), "cc", "it goes before the environment");
}

Test(backends, global_setting_of_nobody) {
  unsetenv("POOLPROOF_BACKEND");
  cr_expect_str_eq(global(), "cc");
}

static void say_two(pp_backend *backend, pp_say say, void *state) {
  say(state, backend->name);
  say(state, "and nothing else");
}

/* A driver's device may refuse to align to more than it says. */
Test(backends, alignments) {
  const pp_limits limits = {.alignment = 64};
  const pp_backend driven = {.name = "driven", .examine = say_two};
  const pp_backend *cc = pp_backend_module(PP_BACKEND_CC);
  cr_expect_eq(pp_backend_align(cc, &limits, 256), 256);
  cr_expect_eq(pp_backend_align(&driven, &limits, 256), 64);
  cr_expect_eq(pp_backend_align(&driven, &limits, 2), 2);
  cr_expect_eq(pp_backend_align(&driven, &limits, 0), 0);
}

/* A backend around multidev_cc whose nth call of a kind answers status. */
static pp_backend *failing(pp_backend_call call, uint64_t nth,
                           pp_status status) {
  pp_backend *backend = NULL;
  const pp_fault fault = {call, nth, status};
  cr_assert_eq(pp_fault_backend_new(pp_backend_module(PP_BACKEND_MULTIDEV_CC),
                                    NULL, &backend),
               PP_OK);
  pp_fault_arm(backend, &fault, nth > 0 ? 1 : 0);
  return backend;
}

static void end(pp_backend *backend) {
  cr_expect_null(pp_fault_breach(backend));
  cr_expect_eq(pp_fault_backend_free(backend), 0);
}

Test(backends, here_or_not) {
  static const struct {
    uint64_t nth; /* 0: none */
    pp_backend_call call;
    pp_status status;
  } looks[] = {{0, PP_CALL_DEVICES, PP_OK},
               {1, PP_CALL_DEVICES, PP_NO_DEVICE},
               {1, PP_CALL_DEVICES, PP_NO_MEMORY},
               {2, PP_CALL_DEVICES, PP_BACKEND_FAILED},
               {1, PP_CALL_LIMITS, PP_BACKEND_FAILED},
               {1, PP_CALL_AWAIT, PP_BACKEND_FAILED}};
  for (size_t k = 0; k < sizeof looks / sizeof *looks; k++) {
    pp_backend *backend = failing(looks[k].call, looks[k].nth, looks[k].status);
    pp_failure why = {.text = ""};
    size_t devices = 0;
    cr_expect_eq(pp_backend_look(backend, &devices, &why), looks[k].status,
                 "look %zu", k);
    if (looks[k].nth == 0)
      cr_expect_eq(devices, 4);
    else
      cr_expect(strstr(why.text, pp_status_text(looks[k].status)),
                "look %zu: %s", k, why.text);
    cr_expect_eq(pp_backend_look(backend, &devices, &why), PP_OK, "again");
    cr_expect(pp_teardown(backend, NULL) == PP_OK && !backend->runtime);
    end(backend);
  }
  pp_expect_no_leak();
}

/* Looking leaves a runtime that is in use as it is. */
Test(backends, looked_at_while_in_use) {
  pp_backend *backend = failing(PP_CALL_DEVICES, 0, PP_OK);
  pp_context *root = NULL;
  size_t devices = 0;
  cr_assert_eq(pp_make_context(backend, 1, &root, NULL), PP_OK);
  cr_expect_eq(pp_backend_look(backend, &devices, NULL), PP_OK);
  cr_expect_eq(pp_await(root, NULL), PP_OK);
  cr_expect_eq(pp_context_free(root, NULL), PP_OK);
  cr_expect_eq(pp_teardown(backend, NULL), PP_OK);
  end(backend);
  pp_expect_no_leak();
}

Test(backends, names_of_a_set) {
  char text[PP_BACKEND_NAMES];
  cr_expect_str_eq(pp_backend_names(0, ", ", text), "");
  cr_expect_str_eq(pp_backend_names(1U << PP_BACKEND_CUDA, ", ", text), "cuda");
  cr_expect_str_eq(pp_backend_names(PP_EVERY_BACKEND, ", ", text),
                   "cc, multidev_cc, opencl, cuda");
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
    cr_expect_eq(pp_backend_bit(pp_backend_module((pp_backend_id)id)),
                 1U << id);
}

/* Every call failing at its nth use: a device that fails is told, with the
 * call's name, and the others work. A trial fills two nodes with zeros and
 * waits twice. Discard cannot fail. */
Test(backends, doctor_of_one_that_fails) {
  for (unsigned call = PP_CALL_ALLOC_POOL; call <= PP_CALL_AWAIT; call++) {
    const char *name = pp_backend_call_name((pp_backend_call)call);
    uint64_t failed = 0;
    for (uint64_t nth = 1; nth <= 12; nth++) {
      pp_backend *backend =
          failing((pp_backend_call)call, nth, PP_BACKEND_FAILED);
      pp_backend_report report;
      cr_assert_eq(pp_doctor_try(backend, &report), PP_OK);
      cr_expect_eq(report.health == PP_HEALTH_FAILS,
                   pp_fault_struck(backend) > 0, "%s %zu", name, (size_t)nth);
      for (size_t i = 0; i < report.devices; i++)
        if (report.device[i].health == PP_HEALTH_FAILS)
          failed += strstr(report.device[i].sentence, name) != NULL;
        else
          cr_expect_eq(report.device[i].values, 256);
      pp_doctor_clear(&report);
      end(backend);
    }
    bool twice = call == PP_CALL_MEMSET || call == PP_CALL_AWAIT;
    bool never = call == PP_CALL_DISCARD || call == PP_CALL_DEVICE_TO_DEVICE;
    cr_expect_eq(failed,
                 never   ? 0
                 : twice ? 8
                         : 4,
                 "%s: %zu failures", name, (size_t)failed);
  }
  pp_expect_no_leak();
}

Test(backends, doctor_of_one_that_is_not_here) {
  pp_backend *backend = failing(PP_CALL_DEVICES, 1, PP_NO_DEVICE);
  pp_backend_report report;
  cr_assert_eq(pp_doctor_try(backend, &report), PP_OK);
  cr_expect_eq(report.health, PP_HEALTH_MISSING);
  cr_expect(strstr(report.sentence, "multidev_cc has no device to use"), "%s",
            report.sentence);
  cr_expect_eq(report.devices, 0);
  pp_doctor_clear(&report);
  end(backend);
  pp_expect_no_leak();
}

#define PP_UNUSED __attribute__((unused))
static pp_status launch_nothing(PP_UNUSED pp_backend *backend,
                                PP_UNUSED size_t device, PP_UNUSED void *kernel,
                                PP_UNUSED const pp_operand *operand,
                                PP_UNUSED size_t operands) {
  return PP_OK;
}

/* One that answers PP_OK and computes nothing does not work. */
Test(backends, doctor_of_one_that_computes_nothing) {
  const pp_backend *cc = pp_backend_module(PP_BACKEND_CC);
  pp_backend_table table = *cc->call;
  pp_backend backend = {.name = "idle", .call = &table, .examine = say_two};
  pp_backend_report report;
  cr_assert_eq(pp_doctor_try(&backend, &report), PP_OK);
  cr_expect_eq(report.health, PP_HEALTH_WORKS);
  cr_assert_eq(report.lines, 2);
  cr_expect_str_eq(report.line[0], "idle");
  pp_doctor_clear(&report);
  table.launch = launch_nothing;
  cr_assert_eq(pp_doctor_try(&backend, &report), PP_OK);
  cr_expect_eq(report.health, PP_HEALTH_FAILS);
  cr_expect(strstr(report.device[0].sentence, "element 0 of y is 0, the "
                                              "interpreter has"),
            "%s", report.device[0].sentence);
  pp_doctor_clear(&report);
  cr_expect_null(backend.runtime);
  pp_expect_no_leak();
}

/* Of a routine's ways a backend that needs a driver runs one, with reuse and
 * without; when every way is wanted, all. */
Test(backends, share_of_a_routine_check) {
  static const char text[] =
      "routine r\nnode 1 x f32 [5] host\nnode 2 a f32 [5]\n"
      "node 3 y f32 [5] observable\nfor i<5: a[i] = x[i] * x[i]\n"
      "for i<5: y[i] = a[i] + a[4 - i]\nend\n";
  enum { CC = PP_BACKEND_CC, OTHER = PP_BACKEND_MULTIDEV_CC };
  pp_backend *other = pp_backend_module(PP_BACKEND_MULTIDEV_CC);
  pp_routine *routine = NULL;
  uint64_t least = UINT64_MAX;
  cr_assert_eq(pp_routine_parse(text, sizeof text - 1, &routine, NULL), PP_OK);
  other->examine = say_two;
  for (uint64_t seed = 0; seed < 60; seed++) {
    pp_routine_where where = {1U << CC | 1U << OTHER, .share = true};
    pp_routine_checked shared = {.sentence = ""};
    pp_routine_checked every = {.sentence = ""};
    cr_assert_eq(pp_routine_check(&routine, 1, seed, &where, &shared), PP_AGREE,
                 "%s", shared.sentence);
    where.share = false;
    cr_assert_eq(pp_routine_check(&routine, 1, seed, &where, &every), PP_AGREE);
    cr_expect_eq(shared.links[CC], every.links[CC]);
    cr_expect_eq(every.links[OTHER], every.links[CC]);
    cr_expect_eq(every.values[OTHER], every.values[CC]);
    cr_expect(shared.links[OTHER] <= 2 && shared.values[OTHER] > 0,
              "seed %zu: %zu links", (size_t)seed, (size_t)shared.links[OTHER]);
    if (shared.links[OTHER] < least) least = shared.links[OTHER];
  }
  cr_expect_eq(least, 2);
  other->examine = NULL;
  pp_routine_free(routine);
  pp_expect_no_leak();
}
