/* poolproof: libOpenCL.so.1, found at run time, and its errors' names.
 * SPDX-License-Identifier: MIT */
#include "opencl/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define PP_CL_LIBRARY "libOpenCL.so.1"

static pp_cl library;
static bool loaded;

/* A symbol is an object pointer, so its bytes are copied. */
static bool find(void *handle, const char *name, void *function) {
  void *symbol = dlsym(handle, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static const char *find_all(void *handle, pp_cl *found) {
#define PP_CL_FIND(Name)                                                       \
  if (!find(handle, "cl" #Name, &found->Name)) return "cl" #Name;
  PP_CL_FUNCTIONS(PP_CL_FIND)
#undef PP_CL_FIND
  return NULL;
}

const pp_cl *pp_cl_load(char *why, size_t room) {
  pp_cl found;
  if (loaded) return &library;
  void *handle = dlopen(PP_CL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    const char *reason = dlerror();
    (void)snprintf(why, room, PP_CL_LIBRARY " is not here (%s)",
                   reason != NULL ? reason : "no reason given");
    return NULL;
  }
  const char *missing = find_all(handle, &found);
  if (missing != NULL) {
    (void)snprintf(why, room, PP_CL_LIBRARY " has no %s", missing);
    (void)dlclose(handle);
    return NULL;
  }
  library = found;
  loaded = true;
  return &library;
}

#define PP_CL_ERRORS(X)                                                        \
  X(CL_DEVICE_NOT_FOUND)                                                       \
  X(CL_DEVICE_NOT_AVAILABLE)                                                   \
  X(CL_COMPILER_NOT_AVAILABLE)                                                 \
  X(CL_MEM_OBJECT_ALLOCATION_FAILURE)                                          \
  X(CL_OUT_OF_RESOURCES)                                                       \
  X(CL_OUT_OF_HOST_MEMORY)                                                     \
  X(CL_PROFILING_INFO_NOT_AVAILABLE)                                           \
  X(CL_MEM_COPY_OVERLAP)                                                       \
  X(CL_BUILD_PROGRAM_FAILURE)                                                  \
  X(CL_MAP_FAILURE)                                                            \
  X(CL_MISALIGNED_SUB_BUFFER_OFFSET)                                           \
  X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                              \
  X(CL_COMPILE_PROGRAM_FAILURE)                                                \
  X(CL_LINKER_NOT_AVAILABLE)                                                   \
  X(CL_LINK_PROGRAM_FAILURE)                                                   \
  X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)                                          \
  X(CL_INVALID_VALUE)                                                          \
  X(CL_INVALID_DEVICE_TYPE)                                                    \
  X(CL_INVALID_PLATFORM)                                                       \
  X(CL_INVALID_DEVICE)                                                         \
  X(CL_INVALID_CONTEXT)                                                        \
  X(CL_INVALID_QUEUE_PROPERTIES)                                               \
  X(CL_INVALID_COMMAND_QUEUE)                                                  \
  X(CL_INVALID_HOST_PTR)                                                       \
  X(CL_INVALID_MEM_OBJECT)                                                     \
  X(CL_INVALID_BINARY)                                                         \
  X(CL_INVALID_BUILD_OPTIONS)                                                  \
  X(CL_INVALID_PROGRAM)                                                        \
  X(CL_INVALID_PROGRAM_EXECUTABLE)                                             \
  X(CL_INVALID_KERNEL_NAME)                                                    \
  X(CL_INVALID_KERNEL_DEFINITION)                                              \
  X(CL_INVALID_KERNEL)                                                         \
  X(CL_INVALID_ARG_INDEX)                                                      \
  X(CL_INVALID_ARG_VALUE)                                                      \
  X(CL_INVALID_ARG_SIZE)                                                       \
  X(CL_INVALID_KERNEL_ARGS)                                                    \
  X(CL_INVALID_WORK_DIMENSION)                                                 \
  X(CL_INVALID_WORK_GROUP_SIZE)                                                \
  X(CL_INVALID_WORK_ITEM_SIZE)                                                 \
  X(CL_INVALID_GLOBAL_OFFSET)                                                  \
  X(CL_INVALID_EVENT_WAIT_LIST)                                                \
  X(CL_INVALID_EVENT)                                                          \
  X(CL_INVALID_OPERATION)                                                      \
  X(CL_INVALID_BUFFER_SIZE)                                                    \
  X(CL_INVALID_GLOBAL_WORK_SIZE)                                               \
  X(CL_INVALID_PROPERTY)                                                       \
  X(CL_INVALID_COMPILER_OPTIONS)                                               \
  X(CL_INVALID_LINKER_OPTIONS)

static const char *name_of(cl_int error) {
  switch (error) {
#define PP_CL_NAME(NAME)                                                       \
  case NAME:                                                                   \
    return #NAME;
    PP_CL_ERRORS(PP_CL_NAME)
#undef PP_CL_NAME
  case PP_CL_NO_PLATFORM:
    return "CL_PLATFORM_NOT_FOUND_KHR";
  default:
    return NULL;
  }
}

void pp_cl_describe(char *text, size_t room, const char *call, cl_int error) {
  const char *name = name_of(error);
  if (name != NULL)
    (void)snprintf(text, room, "%s: %s", call, name);
  else
    (void)snprintf(text, room, "%s: error %d", call, (int)error);
}
