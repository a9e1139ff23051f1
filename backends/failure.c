/* poolproof: failures and their words.  SPDX-License-Identifier: MIT */
#include <poolproof/failure.h>

#include <stdarg.h>
#include <stdio.h>

static void fill(pp_failure *failure, pp_status status, const char *format,
                 va_list arguments) __attribute__((format(printf, 3, 0)));

static void fill(pp_failure *failure, pp_status status, const char *format,
                 va_list arguments) {
  *failure = (pp_failure){.status = status};
  vsnprintf(failure->text, sizeof failure->text, format, arguments);
}

pp_status pp_fail(pp_failure *failure, pp_status status, const char *format,
                  ...) {
  if (failure == NULL) return status;
  va_list arguments;
  va_start(arguments, format);
  fill(failure, status, format, arguments);
  va_end(arguments);
  return status;
}

pp_status pp_fail_node(pp_failure *failure, pp_status status, uint64_t uid,
                       const char *format, ...) {
  if (failure == NULL) return status;
  va_list arguments;
  va_start(arguments, format);
  fill(failure, status, format, arguments);
  va_end(arguments);
  failure->uid = uid;
  failure->has_uid = true;
  return status;
}

const char *pp_status_text(pp_status status) {
  switch (status) {
  case PP_OK:
    return "fine";
  case PP_ITEM_OVER_CAP:
    return "one item is larger than the cap";
  case PP_OVER_CAP:
    return "larger than the cap";
  case PP_BAD_SPAN:
    return "bad span";
  case PP_NO_MEMORY:
    return "out of memory";
  case PP_UNKNOWN_BACKEND:
    return "unknown backend";
  case PP_NO_DEVICE:
    return "no such device";
  case PP_BACKEND_FAILED:
    return "the backend failed";
  case PP_DEVICE_LOST:
    return "the device is lost";
  case PP_BAD_ROUTINE:
    return "ill-formed routine";
  case PP_NO_SUCH_NODE:
    return "no such node";
  case PP_BAD_SIZE:
    return "wrong size";
  case PP_READ_ONLY:
    return "read only";
  case PP_ALIASED:
    return "shares its bytes";
  case PP_POOL_GONE:
    return "the pool was freed";
  case PP_NOT_MERGED:
    return "not in the merge buffer";
  case PP_WRONG_BACKEND:
    return "of another backend";
  case PP_BUSY:
    return "contexts were not freed";
  }
  return "unknown status";
}
