/* poolproof: copies between contexts: their ends, each with what its nodes
 * should hold. SPDX-License-Identifier: MIT */
#include "copies.h"

#include <inttypes.h>
#include <stdlib.h>

void pp_must_answer(pp_status status, pp_status wanted, const pp_failure *why,
                    const char *what) {
  if (status == wanted) return;
  pp_die("%s answers %d, not %d: %s", what, (int)status, (int)wanted,
         status != PP_OK ? why->text : "");
}

static const char *name_of(const pp_end_of_copy *end) {
  return pp_context_backend(end->child)->name;
}

void pp_copy_ends_add(pp_copy_ends *ends, pp_backend *backend, size_t device) {
  pp_end_of_copy *end = &ends->end[ends->count++];
  *end = (pp_end_of_copy){.root = pp_root_on(backend, device)};
  end->child = pp_child_of(end->root, ends->routine);
  for (size_t n = 0; n < ends->routine->nodes; n++) {
    const pp_node *node = &ends->routine->node[n];
    size_t bytes = (size_t)pp_node_bytes(node);
    end->holds[n] = calloc(1, bytes + 1);
    if (end->holds[n] == NULL) pp_die("out of memory");
    if (node->data != NULL) memcpy(end->holds[n], node->data, bytes);
    pp_copy_ends_fill(ends, ends->count - 1, n);
  }
}

void pp_copy_ends_open(pp_copy_ends *ends, const pp_copies_on *on, size_t each,
                       const char *text) {
  uint64_t most = 0;
  *ends = (pp_copy_ends){.routine = pp_routine_of(text)};
  pp_random_start(&ends->random, on->seed, 77);
  for (size_t n = 0; n < ends->routine->nodes; n++) {
    uint64_t bytes = pp_node_bytes(&ends->routine->node[n]);
    if (bytes > most) most = bytes;
  }
  ends->host = malloc((size_t)most + 2);
  if (ends->host == NULL) pp_die("out of memory");
  for (size_t b = 0; b < on->count; b++) {
    size_t devices = on->devices[b];
    for (size_t d = 0; d<devices; d += devices> 2 ? devices - 1 : 1)
      for (size_t k = 0; k < each; k++)
        pp_copy_ends_add(ends, on->backend[b], d);
  }
}

void pp_copy_ends_close(pp_copy_ends *ends) {
  for (size_t e = 0; e < ends->count; e++) {
    pp_end_of_copy *end = &ends->end[e];
    pp_drop(end->child);
    pp_drop(end->root);
    for (size_t n = 0; n < ends->routine->nodes; n++)
      free(end->holds[n]);
  }
  pp_routine_free(ends->routine);
  free(ends->host);
}

void pp_copy_ends_fill(pp_copy_ends *ends, size_t e, size_t n) {
  pp_end_of_copy *end = &ends->end[e];
  const pp_node *node = &ends->routine->node[n];
  size_t bytes = (size_t)pp_node_bytes(node);
  pp_failure why;
  if ((node->intents & PP_CONSTANT) != 0 ||
      pp_context_shared(end->child, node->uid))
    return;
  for (size_t i = 0; i < bytes; i++)
    end->holds[n][i] = (unsigned char)(pp_random_next(&ends->random) >> 56);
  memcpy(ends->host, end->holds[n], bytes);
  pp_must_answer(pp_upload(end->child, node->uid, ends->host, bytes, &why),
                 PP_OK, &why, "upload");
  memset(ends->host, 0, bytes);
}

void pp_copy_ends_check(pp_copy_ends *ends, size_t e, size_t n,
                        const char *what) {
  const pp_end_of_copy *end = &ends->end[e];
  const pp_node *node = &ends->routine->node[n];
  size_t bytes = (size_t)pp_node_bytes(node);
  unsigned char *now = ends->host;
  pp_failure why;
  if (pp_context_shared(end->child, node->uid)) return;
  memset(now, 0x5e, bytes + 2);
  pp_must_answer(pp_download(end->child, node->uid, now + 1, bytes, &why),
                 PP_OK, &why, "download");
  if (now[0] != 0x5e || now[bytes + 1] != 0x5e)
    pp_die("%s, %s: download writes around node %s", name_of(end), what,
           node->label);
  if (memcmp(now + 1, end->holds[n], bytes) == 0) return;
  size_t i = 0;
  while (now[1 + i] == end->holds[n][i])
    i++;
  pp_die("%s, %s: byte %zu of %zu of node %s is %02x, not %02x", name_of(end),
         what, i, bytes, node->label, now[1 + i], end->holds[n][i]);
}

void pp_copy_ends_check_all(pp_copy_ends *ends, const char *what) {
  for (size_t e = 0; e < ends->count; e++)
    for (size_t n = 0; n < ends->routine->nodes; n++)
      pp_copy_ends_check(ends, e, n, what);
}
