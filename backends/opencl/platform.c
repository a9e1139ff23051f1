/* poolproof: which OpenCL platforms and devices there are, and which of them
 * can compute the same bits as all other backends (BKD-3, BKD-6).
 * SPDX-License-Identifier: MIT */
#include "opencl/device.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* why  empty, or why it has no device */
typedef struct pp_cl_platform {
  cl_platform_id id;
  char name[PP_DEVICE_NAME];
  char version[PP_DEVICE_NAME];
  char why[PP_NOTE];
} pp_cl_platform;

/* why  empty, or why there is no platform */
typedef struct pp_cl_survey {
  const pp_cl *cl;
  size_t platforms, devices;
  pp_cl_platform *platform;
  pp_cl_device *device;
  char why[PP_NOTE];
} pp_cl_survey;

/* What decides whether a device is usable. */
typedef struct pp_cl_facts {
  cl_device_type type;
  cl_bool available, compiler, little;
  cl_device_fp_config singles;
  cl_ulong most;     /* bytes of a buffer */
  cl_uint bits;      /* of an address */
  cl_uint alignment; /* bits */
  cl_uint units;
  cl_device_fp_config doubles; /* 0: none */
} pp_cl_facts;

static pthread_mutex_t discovering = PTHREAD_MUTEX_INITIALIZER;
static pp_cl_survey *found; /* usable devices alone; read atomically */

/* A device's text, or without device the platform's; any length, cut. */
static cl_int ask_text(const pp_cl *cl, cl_platform_id platform,
                       cl_device_id device, cl_uint what, char *text) {
  size_t size = 0;
  cl_int error = device != NULL
                     ? cl->GetDeviceInfo(device, what, 0, NULL, &size)
                     : cl->GetPlatformInfo(platform, what, 0, NULL, &size);
  if (error != CL_SUCCESS) return error;
  char *whole = calloc(1, size + 1);
  if (whole == NULL) return CL_OUT_OF_HOST_MEMORY;
  error = device != NULL
              ? cl->GetDeviceInfo(device, what, size, whole, NULL)
              : cl->GetPlatformInfo(platform, what, size, whole, NULL);
  if (error == CL_SUCCESS)
    (void)snprintf(text, PP_DEVICE_NAME, "%s", whole + strspn(whole, " "));
  free(whole);
  return error;
}

static cl_int ask_facts(const pp_cl *cl, cl_device_id id, pp_cl_facts *facts) {
#define PP_CL_FACT(NAME, member)                                               \
  { NAME, offsetof(pp_cl_facts, member), sizeof facts->member }
  static const struct {
    cl_device_info what;
    size_t at, size;
  } needed[] = {PP_CL_FACT(CL_DEVICE_TYPE, type),
                PP_CL_FACT(CL_DEVICE_AVAILABLE, available),
                PP_CL_FACT(CL_DEVICE_COMPILER_AVAILABLE, compiler),
                PP_CL_FACT(CL_DEVICE_ENDIAN_LITTLE, little),
                PP_CL_FACT(CL_DEVICE_SINGLE_FP_CONFIG, singles),
                PP_CL_FACT(CL_DEVICE_MAX_MEM_ALLOC_SIZE, most),
                PP_CL_FACT(CL_DEVICE_ADDRESS_BITS, bits),
                PP_CL_FACT(CL_DEVICE_MEM_BASE_ADDR_ALIGN, alignment),
                PP_CL_FACT(CL_DEVICE_MAX_COMPUTE_UNITS, units)};
#undef PP_CL_FACT
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
    cl_int error =
        cl->GetDeviceInfo(id, needed[i].what, needed[i].size,
                          (unsigned char *)facts + needed[i].at, NULL);
    if (error != CL_SUCCESS) return error;
  }
  cl_int error =
      cl->GetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof facts->doubles,
                        &facts->doubles, NULL);
  /* Devices without doubles need not know the question. */
  if (error == CL_INVALID_VALUE) facts->doubles = 0;
  if (error != CL_SUCCESS && error != CL_INVALID_VALUE) return error;
  return CL_SUCCESS;
}

enum { IEEE = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST };

static bool has_doubles(const pp_cl_facts *facts) {
  return (facts->doubles & IEEE) == IEEE;
}

/* "OpenCL 1.2 ..." */
static bool is_old(const char *version) {
  static const char before[] = "OpenCL ";
  if (strncmp(version, before, sizeof before - 1) != 0) return true;
  char *end = NULL;
  unsigned long major = strtoul(version + sizeof before - 1, &end, 10);
  unsigned long minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
  return major < 1 || (major == 1 && minor < 2);
}

/* NULL: it is usable. */
static const char *unfit(const pp_cl_facts *facts, const char *version) {
  if (!facts->available) return "not available";
  if (!facts->compiler) return "it has no compiler";
  if (is_old(version)) return "older than OpenCL 1.2";
  if (!facts->little) return "big-endian";
  if ((facts->singles & CL_FP_DENORM) == 0) return "floats without denormals";
  if ((facts->singles & CL_FP_INF_NAN) == 0)
    return "floats without inf and NaN";
  if ((facts->singles & CL_FP_ROUND_TO_NEAREST) == 0)
    return "floats without rounding to nearest";
  if (!has_doubles(facts) &&
      (facts->singles & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) == 0)
    return "neither doubles nor correctly rounded division of floats";
  return NULL;
}

static void set_limits(pp_cl_device *device, const pp_cl_facts *facts) {
  pp_limits *limits = &device->limits;
  uint64_t addresses =
      facts->bits < 64 ? ((uint64_t)1 << facts->bits) - 1 : UINT64_MAX;
  limits->max_pool = facts->most < addresses ? facts->most : addresses;
  if (limits->max_pool > PTRDIFF_MAX) limits->max_pool = PTRDIFF_MAX;
  limits->alignment = 64;
  while (limits->alignment < facts->alignment / 8)
    limits->alignment *= 2;
  limits->f64 = has_doubles(facts);
  limits->asynchronous = true;
  device->cpu = (facts->type & CL_DEVICE_TYPE_CPU) != 0;
  device->units = facts->units > 0 ? facts->units : 1;
}

/* False without memory: that says nothing about the device. */
static bool survey_device(pp_cl_device *device) {
  char version[PP_DEVICE_NAME] = "";
  pp_cl_facts facts = {.type = 0};
  const pp_cl *cl = device->cl;
  cl_int error =
      ask_text(cl, NULL, device->id, CL_DEVICE_NAME, device->limits.name);
  if (error == CL_SUCCESS)
    error = ask_text(cl, NULL, device->id, CL_DEVICE_VERSION, version);
  if (error == CL_SUCCESS) error = ask_facts(cl, device->id, &facts);
  if (error != CL_SUCCESS) {
    pp_cl_describe(device->why, sizeof device->why, "clGetDeviceInfo", error);
    if (error == CL_OUT_OF_HOST_MEMORY) pp_note("%s", device->why);
    return error != CL_OUT_OF_HOST_MEMORY;
  }
  const char *why = unfit(&facts, version);
  if (why != NULL)
    (void)snprintf(device->why, sizeof device->why, "%s", why);
  else
    set_limits(device, &facts);
  return true;
}

/* Adds the platform's devices. False without memory. */
static bool add_devices(pp_cl_survey *survey, size_t p, const cl_device_id *id,
                        size_t count) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(survey->devices + count, sizeof *survey->device,
                             &bytes))
    return false;
  pp_cl_device *device = realloc(survey->device, bytes);
  if (device == NULL) return false;
  survey->device = device;
  for (size_t i = 0; i < count; i++) {
    pp_cl_device *added = &device[survey->devices++];
    memset(added, 0, sizeof *added);
    added->cl = survey->cl;
    added->platform = p;
    added->id = id[i];
    if (!survey_device(added)) return false;
  }
  return true;
}

/* False without memory; what else fails is the platform's reason. */
static bool survey_platform(pp_cl_survey *survey, size_t p) {
  const pp_cl *cl = survey->cl;
  pp_cl_platform *platform = &survey->platform[p];
  cl_uint count = 0;
  (void)snprintf(platform->name, sizeof platform->name, "number %zu", p + 1);
  (void)ask_text(cl, platform->id, NULL, CL_PLATFORM_NAME, platform->name);
  (void)ask_text(cl, platform->id, NULL, CL_PLATFORM_VERSION,
                 platform->version);
  cl_int error =
      cl->GetDeviceIDs(platform->id, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
  if (error == CL_SUCCESS && count == 0) error = CL_DEVICE_NOT_FOUND;
  bool room = true;
  if (error == CL_SUCCESS) {
    cl_device_id *id = calloc(count, sizeof(cl_device_id));
    room = id != NULL;
    if (room)
      error =
          cl->GetDeviceIDs(platform->id, CL_DEVICE_TYPE_ALL, count, id, NULL);
    if (room && error == CL_SUCCESS) room = add_devices(survey, p, id, count);
    free(id);
  }
  if (error != CL_SUCCESS)
    pp_cl_describe(platform->why, sizeof platform->why, "clGetDeviceIDs",
                   error);
  return room;
}

/* False without memory; what else fails is the survey's reason. */
static bool survey_platforms(pp_cl_survey *survey) {
  cl_uint count = 0;
  cl_int error = survey->cl->GetPlatformIDs(0, NULL, &count);
  if (error == PP_CL_NO_PLATFORM || (error == CL_SUCCESS && count == 0)) {
    (void)snprintf(survey->why, sizeof survey->why,
                   "no platform (no ICD file that loads, in "
                   "/etc/OpenCL/vendors or where OCL_ICD_VENDORS says)");
    return true;
  }
  bool room = true;
  if (error == CL_SUCCESS) {
    cl_platform_id *id = calloc(count, sizeof(cl_platform_id));
    survey->platform = calloc(count, sizeof *survey->platform);
    room = id != NULL && survey->platform != NULL;
    if (room) error = survey->cl->GetPlatformIDs(count, id, NULL);
    if (room && error == CL_SUCCESS) survey->platforms = count;
    for (size_t p = 0; p < survey->platforms && room; p++) {
      survey->platform[p].id = id[p];
      room = survey_platform(survey, p);
    }
    free(id);
  }
  if (error != CL_SUCCESS)
    pp_cl_describe(survey->why, sizeof survey->why, "clGetPlatformIDs", error);
  return room;
}

static void survey_free(pp_cl_survey *survey) {
  free(survey->platform);
  free(survey->device);
  free(survey);
}

/* With the lock held. NULL without memory. */
static pp_cl_survey *survey_all(void) {
  pp_cl_survey *survey = calloc(1, sizeof *survey);
  if (survey == NULL) return NULL;
  survey->cl = pp_cl_load(survey->why, sizeof survey->why);
  if (survey->cl == NULL || survey_platforms(survey)) return survey;
  survey_free(survey);
  return NULL;
}

static size_t keep_usable(pp_cl_survey *survey) {
  size_t kept = 0;
  for (size_t i = 0; i < survey->devices; i++)
    if (survey->device[i].why[0] == '\0')
      survey->device[kept++] = survey->device[i];
  return kept;
}

/* No device is usable: the first reason there is. */
static void note_none(const pp_cl_survey *survey) {
  if (survey->why[0] != '\0') {
    pp_note("%s", survey->why);
    return;
  }
  for (size_t p = 0; p < survey->platforms; p++)
    if (survey->platform[p].why[0] != '\0') {
      pp_note("platform %s has no usable device: %s", survey->platform[p].name,
              survey->platform[p].why);
      if (survey->devices == 0) return;
    }
  if (survey->devices > 0)
    pp_note("platform %s has no usable device: %s: %s",
            survey->platform[survey->device[0].platform].name,
            survey->device[0].limits.name, survey->device[0].why);
}

/* With the lock held. */
static pp_status discover(void) {
  char note[PP_NOTE];
  (void)pp_note_take(note); /* an older one */
  pp_cl_survey *survey = survey_all();
  if (survey == NULL && pp_note_take(note)[0] != '\0') {
    pp_note("%s", note + 2); /* the driver's memory, not the process's */
    return PP_NO_MEMORY;
  }
  if (survey == NULL) return pp_cl_no_memory();
  size_t usable = keep_usable(survey);
  if (usable == 0) {
    note_none(survey);
    survey_free(survey);
    return PP_NO_DEVICE;
  }
  survey->devices = usable;
  __atomic_store_n(&found, survey, __ATOMIC_RELEASE);
  return PP_OK;
}

pp_status pp_cl_devices(size_t *count) {
  pthread_mutex_lock(&discovering);
  pp_status status = found != NULL ? PP_OK : discover();
  if (status == PP_OK) *count = found->devices;
  pthread_mutex_unlock(&discovering);
  return status;
}

pp_cl_device *pp_cl_device_at(size_t ordinal) {
  const pp_cl_survey *survey = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
  if (survey == NULL || ordinal >= survey->devices) return NULL;
  return &survey->device[ordinal];
}

__attribute__((format(printf, 3, 4))) static void
tell(pp_say say, void *state, const char *format, ...) {
  char line[4 * PP_DEVICE_NAME];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  say(state, line);
}

static void tell_device(const pp_cl_device *device, pp_say say, void *state) {
  const char *name = device->limits.name;
  if (device->why[0] != '\0')
    tell(say, state, "device %s: left out: %s",
         name[0] != '\0' ? name : "without name", device->why);
  else
    tell(say, state,
         "device %s: %s doubles, pools of at most %llu MiB, offsets multiples "
         "of %llu",
         name, device->limits.f64 ? "has" : "no",
         (unsigned long long)(device->limits.max_pool >> 20),
         (unsigned long long)device->limits.alignment);
}

static void tell_platforms(const pp_cl_survey *survey, pp_say say,
                           void *state) {
  size_t usable = 0;
  for (size_t p = 0; p < survey->platforms; p++) {
    const pp_cl_platform *platform = &survey->platform[p];
    tell(say, state, "platform %s, %s%s%s", platform->name,
         platform->version[0] != '\0' ? platform->version : "no version",
         platform->why[0] != '\0' ? ": " : "", platform->why);
    for (size_t i = 0; i < survey->devices; i++) {
      if (survey->device[i].platform != p) continue;
      usable += survey->device[i].why[0] == '\0';
      tell_device(&survey->device[i], say, state);
    }
  }
  if (survey->platforms == 0) tell(say, state, "%s", survey->why);
  if (usable == 0)
    tell(say, state,
         "no device: install pocl-opencl-icd for this processor, "
         "or your GPU vendor's driver");
}

void pp_cl_examine(__attribute__((unused)) pp_backend *backend, pp_say say,
                   void *state) {
  pthread_mutex_lock(&discovering);
  pp_cl_survey *survey = survey_all();
  pthread_mutex_unlock(&discovering);
  if (survey == NULL) {
    tell(say, state, "out of memory");
    return;
  }
  if (survey->cl == NULL) {
    tell(say, state, "%s: install ocl-icd-libopencl1", survey->why);
  } else {
    tell(say, state, "libOpenCL.so.1: here");
    tell_platforms(survey, say, state);
  }
  survey_free(survey);
}
