/* poolproof: what the CUDA backend needs, and what of it is here.
 * SPDX-License-Identifier: MIT */
#include "cuda/discover.h"
#include "cuda/peer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct pp_listener {
  pp_say say;
  void *state;
} pp_listener;

static void tell(const pp_listener *listener, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void tell(const pp_listener *listener, const char *format, ...) {
  char line[2 * PP_NOTE + 2 * PP_DEVICE_NAME];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  listener->say(listener->state, line);
}

static void tell_device(const pp_listener *listener, const pp_cuda *cuda,
                        size_t i) {
  const pp_cuda_device *device = &cuda->device[i];
  if (i >= cuda->count) {
    tell(listener, "left out: %s, the driver's device %d: %s", device->name,
         device->ordinal, device->reason);
    return;
  }
  tell(listener,
       "device %zu: %s, compute capability %d.%d, %" PRIu64
       " bytes of memory, alignment %d bytes",
       i, device->name, device->major, device->minor, device->memory,
       PP_CUDA_ALIGNMENT);
  char note[PP_NOTE];
  if (pp_cuda_state(device) != PP_OK)
    tell(listener, "device %zu is lost%s", i, pp_note_take(note));
}

static const char *route_text(pp_cuda_route route) {
  switch (route) {
  case PP_CUDA_PEER:
    return "direct, a trial arrived right";
  case PP_CUDA_APART:
    return "through the host, the devices cannot reach each other";
  case PP_CUDA_REFUSED:
    return "through the host, the driver refused a direct copy";
  case PP_CUDA_WRONG:
    return "through the host, a direct copy arrived changed";
  case PP_CUDA_UNTRIED:
    break;
  }
  return "not tried yet";
}

static void tell_routes(const pp_listener *listener, const pp_cuda *cuda) {
  for (size_t from = 0; from < cuda->count; from++)
    for (size_t to = 0; to < cuda->count; to++)
      if (to != from)
        tell(listener, "copies from device %zu to device %zu: %s", from, to,
             route_text(pp_cuda_route_known(cuda, to, from)));
}

void pp_cuda_examine(__attribute__((unused)) pp_backend *backend, pp_say say,
                     void *state) {
  const pp_listener listener = {say, state};
  char note[PP_NOTE];
  pp_cuda *cuda = NULL;
  tell(&listener,
       "needs libcuda.so.1 of a driver for CUDA %d.0 or later, and a GPU of "
       "compute capability %d.0 or later",
       PP_CUDA_LEAST_DRIVER / 1000, PP_CUDA_LEAST_MAJOR);
  if (pp_cuda_discover(&cuda) != PP_OK) {
    tell(&listener, "not usable here%s", pp_note_take(note));
    tell(&listener,
         "libcuda.so.1 comes with NVIDIA's driver: install the package "
         "nvidia-driver, or what your distribution calls it");
    return;
  }
  tell(&listener, "libcuda.so.1 is here, of a driver for CUDA %d.%d",
       cuda->version / 1000, cuda->version % 1000 / 10);
  for (size_t i = 0; i < cuda->seen; i++)
    tell_device(&listener, cuda, i);
  tell_routes(&listener, cuda);
}
