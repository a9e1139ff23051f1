#include "formats/json_import.h"

#include "json.h"

json_t *pp_import_json(const pp_bytes *bytes, pp_diag *diag) {
  pp_source source;
  pp_source_memory(&source, bytes->name, bytes->at, bytes->size);
  json_t *root = pp_json_load(&source, diag);
  if (!root || json_is_object(root)) return root;
  pp_diag_fail(diag, PP_EXIT_INPUT, "%s: not a JSON object", bytes->name);
  json_decref(root);
  return NULL;
}

int pp_import_array(const pp_bytes *bytes, const char *where,
                    const json_t *object, const char *key, const json_t **array,
                    pp_diag *diag) {
  *array = json_object_get(object, key);
  if (json_is_array(*array)) return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s%s\"%s\" is %s", bytes->name,
                      where, where[0] ? ": " : "", key,
                      *array ? "not an array" : "missing");
}

int pp_import_u64(const pp_bytes *bytes, const char *where, const char *key,
                  const json_t *value, uint64_t *number, pp_diag *diag) {
  char shown[80];
  const char *what = value ? pp_json_u64(value, number) : "is missing";
  if (!what) return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s%s\"%s\"%s%s %s", bytes->name,
                      where, where[0] ? ": " : "", key, value ? ": " : "",
                      value ? pp_json_show(value, shown, sizeof shown) : "",
                      what);
}
