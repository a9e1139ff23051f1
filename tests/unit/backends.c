/* poolproof-backend: none
 * Names of backends, and which one is taken without one (BKD-1, BKD-2). */
#include <poolproof/backend.h>

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

Test(backends, names) {
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
               {"c", PP_BACKEND_COUNT},
               {"ccc", PP_BACKEND_COUNT},
               {"cuda", PP_BACKEND_COUNT}};
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
    cr_expect(strstr(why.text, "there are cc, multidev_cc (") != NULL, "%s",
              why.text);
    cr_expect_eq(pp_get_backend(name, &backend, NULL), PP_UNKNOWN_BACKEND);
  }
  cr_expect_str_eq(pp_backend_id_alias(PP_BACKEND_CC), "sync_cc");
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
