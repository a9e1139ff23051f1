/* poolproof: what the OpenCL layer hides of devices.
 * SPDX-License-Identifier: MIT */
#include "layer_internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((visibility("default"))) pp_layer_hide_fn pp_layer_hide;

/* Numbers: 0 leaves what the device says. */
typedef struct hiding {
  bool doubles;
  bool platform;
  bool busy;
  bool compiler;
  bool rounding;
  bool parts;
  bool fresh;
  uint64_t max_alloc;
  uint64_t address_bits;
  uint64_t align_bits;
} hiding;

static hiding hidden;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static hiding now(void) {
  pthread_mutex_lock(&lock);
  hiding copy = hidden;
  pthread_mutex_unlock(&lock);
  return copy;
}

/* KEY=NUMBER? */
static bool number(const char *word, const char *key, uint64_t *value) {
  size_t length = strlen(key);
  char *end = NULL;
  if (strncmp(word, key, length) != 0 || word[length] != '=') return false;
  *value = strtoull(word + length + 1, &end, 10);
  return end != word + length + 1 && *end == '\0' && *value > 0;
}

static bool flag(const char *word, const char *key, bool *value) {
  if (strcmp(word, key) != 0) return false;
  *value = true;
  return true;
}

static bool hide(const char *word, hiding *what) {
  return flag(word, "doubles", &what->doubles) ||
         flag(word, "platform", &what->platform) ||
         flag(word, "busy", &what->busy) ||
         flag(word, "compiler", &what->compiler) ||
         flag(word, "rounding", &what->rounding) ||
         flag(word, "parts", &what->parts) ||
         flag(word, "fresh", &what->fresh) ||
         number(word, "max_alloc", &what->max_alloc) ||
         number(word, "address_bits", &what->address_bits) ||
         number(word, "align_bits", &what->align_bits);
}

bool pp_layer_hide(const char *what) {
  char text[512];
  char *rest = text;
  char *word;
  hiding wanted = {0};
  bool good = what == NULL || strlen(what) < sizeof text;
  (void)snprintf(text, sizeof text, "%s", what != NULL ? what : "");
  while (good && (word = strsep(&rest, ",")) != NULL)
    good = word[0] == '\0' || hide(word, &wanted);
  if (!good) return false;
  pthread_mutex_lock(&lock);
  hidden = wanted;
  pthread_mutex_unlock(&lock);
  return true;
}

bool pp_layer_writes_whole(void) {
  return now().parts;
}

bool pp_layer_fills_fresh(void) {
  return now().fresh;
}

cl_int pp_layer_too_large(size_t bytes) {
  uint64_t most = now().max_alloc;
  return most > 0 && bytes > most ? CL_INVALID_BUFFER_SIZE : CL_SUCCESS;
}

cl_int CL_API_CALL pp_layer_clGetDeviceIDs(cl_platform_id platform,
                                           cl_device_type type, cl_uint room,
                                           cl_device_id *device,
                                           cl_uint *count) {
  cl_int code = pp_layer_strike(PP_LAYER_clGetDeviceIDs);
  if (code != CL_SUCCESS) return code;
  cl_platform_id first = NULL;
  if (now().platform) pp_layer_below.clGetPlatformIDs(1, &first, NULL);
  if (first != NULL && first == platform) return CL_OUT_OF_HOST_MEMORY;
  return pp_layer_below.clGetDeviceIDs(platform, type, room, device, count);
}

static bool lies(cl_device_info which) {
  hiding what = now();
  switch (which) {
  case CL_DEVICE_DOUBLE_FP_CONFIG:
  case CL_DEVICE_EXTENSIONS:
    return what.doubles;
  case CL_DEVICE_SINGLE_FP_CONFIG:
    return what.rounding;
  case CL_DEVICE_AVAILABLE:
    return what.busy;
  case CL_DEVICE_COMPILER_AVAILABLE:
    return what.compiler;
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    return what.max_alloc > 0;
  case CL_DEVICE_ADDRESS_BITS:
    return what.address_bits > 0;
  case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
    return what.align_bits > 0;
  default:
    return false;
  }
}

/* Every extension whose name has the word is blanked. */
static void blank(char *text, const char *word) {
  char *at;
  while ((at = strstr(text, word)) != NULL) {
    char *end = at;
    while (at > text && at[-1] != ' ')
      at--;
    while (*end != '\0' && *end != ' ')
      end++;
    memset(at, ' ', (size_t)(end - at));
  }
}

/* Changes the device's answer, which is all there. */
static void falsify(cl_device_info which, void *value) {
  const hiding what = now();
  const cl_bool no = CL_FALSE;
  const cl_device_fp_config none = 0;
  const cl_ulong most = what.max_alloc;
  const cl_uint bits =
      (cl_uint)(which == CL_DEVICE_ADDRESS_BITS ? what.address_bits
                                                : what.align_bits);
  cl_device_fp_config config = 0;
  switch (which) {
  case CL_DEVICE_DOUBLE_FP_CONFIG:
    memcpy(value, &none, sizeof none);
    break;
  case CL_DEVICE_EXTENSIONS:
    blank(value, "fp64");
    break;
  case CL_DEVICE_SINGLE_FP_CONFIG:
    memcpy(&config, value, sizeof config);
    config &= ~(cl_device_fp_config)CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    memcpy(value, &config, sizeof config);
    break;
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    memcpy(value, &most, sizeof most);
    break;
  case CL_DEVICE_AVAILABLE:
  case CL_DEVICE_COMPILER_AVAILABLE:
    memcpy(value, &no, sizeof no);
    break;
  default:
    memcpy(value, &bits, sizeof bits);
  }
}

cl_int CL_API_CALL pp_layer_clGetDeviceInfo(cl_device_id device,
                                            cl_device_info which, size_t room,
                                            void *value, size_t *size) {
  cl_int code = pp_layer_strike(PP_LAYER_clGetDeviceInfo);
  if (code != CL_SUCCESS) return code;
  code = pp_layer_below.clGetDeviceInfo(device, which, room, value, size);
  if (code == CL_SUCCESS && value != NULL && lies(which)) falsify(which, value);
  return code;
}
