/* poolproof: which backends are here.  SPDX-License-Identifier: MIT */
#include "here.h"

#include <stdio.h>

unsigned pp_backend_bit(const pp_backend *backend) {
  unsigned id = 0;
  while (id + 1 < PP_BACKEND_COUNT &&
         pp_backend_module((pp_backend_id)id) != backend)
    id++;
  return 1U << id;
}

pp_status pp_backend_drop(pp_context *context, pp_failure *failure) {
  pp_status status = pp_context_free(context, failure);
  if (status != PP_OK) (void)pp_context_free(context, NULL);
  return status;
}

pp_status pp_backend_end(pp_backend *backend, pp_failure *failure) {
  pp_status status = pp_teardown(backend, failure);
  if (status != PP_OK) (void)pp_teardown(backend, NULL);
  return status;
}

pp_status pp_backend_look(pp_backend *backend, size_t *devices,
                          pp_failure *failure) {
  pp_context *root = NULL;
  bool used = __atomic_load_n(&backend->runtime, __ATOMIC_ACQUIRE) != NULL;
  pp_status status = pp_make_context(backend, 0, &root, failure);
  if (status == PP_OK) status = pp_backend_drop(root, failure);
  if (!used && status == PP_OK)
    status = pp_backend_end(backend, failure);
  else if (!used)
    (void)pp_backend_end(backend, NULL);
  if (status != PP_OK) return status;
  status = backend->call->devices(backend, devices);
  if (status != PP_OK)
    pp_fail(failure, status, "devices of %s: %s", pp_backend_name(backend),
            pp_status_text(status));
  return status;
}

int pp_backends_look(const pp_backend_choice *choice, pp_backends_here *found,
                     pp_diag *diag) {
  *found = (pp_backends_here){.here = 0};
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++) {
    pp_failure failure;
    if ((choice->backends >> id & 1) == 0) continue;
    pp_status status = pp_backend_look(pp_backend_module((pp_backend_id)id),
                                       &found->devices[id], &failure);
    if (status == PP_NO_DEVICE && choice->named)
      return pp_diag_fail(diag, PP_EXIT_INPUT, "%s", failure.text);
    if (status != PP_OK && status != PP_NO_DEVICE)
      return pp_diag_fail(diag, PP_EXIT_RESOURCE, "%s", failure.text);
    *(status == PP_OK ? &found->here : &found->missing) |= 1U << id;
  }
  return 0;
}

bool pp_backend_driven(const pp_backend *backend) {
  return backend->examine != NULL;
}

bool pp_device_computes(const pp_limits *limits, const pp_node *node,
                        size_t nodes) {
  bool can = true;
  for (size_t i = 0; i < nodes && can; i++)
    can = limits->f64 || node[i].dtype != PP_F64;
  return can;
}

int pp_backends_compute(const pp_backend_choice *choice,
                        const pp_routine *routine, pp_backends_here *found,
                        pp_diag *diag) {
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++) {
    pp_backend *backend = pp_backend_module((pp_backend_id)id);
    pp_limits limits = {.f64 = false};
    if ((found->here >> id & 1) == 0) continue;
    pp_status status = backend->call->limits(backend, 0, &limits);
    if (status != PP_OK)
      return pp_diag_fail(diag, PP_EXIT_RESOURCE, "limits of %s: %s",
                          pp_backend_name(backend), pp_status_text(status));
    if (pp_device_computes(&limits, routine->node, routine->nodes)) continue;
    if (choice->named || found->here == 1U << id)
      return pp_diag_fail(diag, PP_EXIT_INPUT,
                          "%s of %s has no doubles, and routine %s has f64 "
                          "nodes (BKD-6)",
                          limits.name, pp_backend_name(backend), routine->name);
    found->here &= ~(1U << id);
    found->missing |= 1U << id;
  }
  return 0;
}

uint64_t pp_backend_align(const pp_backend *backend, const pp_limits *limits,
                          uint64_t wanted) {
  return pp_backend_driven(backend) && wanted > limits->alignment
             ? limits->alignment
             : wanted;
}

const char *pp_backend_names(unsigned backends, const char *separator,
                             char text[PP_BACKEND_NAMES]) {
  size_t used = 0;
  text[0] = '\0';
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++) {
    if ((backends >> id & 1) == 0) continue;
    int n = snprintf(text + used, PP_BACKEND_NAMES - used, "%s%s",
                     used > 0 ? separator : "",
                     pp_backend_id_name((pp_backend_id)id));
    if (n > 0) used += (size_t)n;
  }
  return text;
}
