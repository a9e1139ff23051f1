/* poolproof: copies between contexts: every ordered pair of ends, every dtype
 * and size; merges. SPDX-License-Identifier: MIT */
#include "copies.h"

#include <stdio.h>
#include <stdlib.h>

enum { TWICE = 2, TEXT = 4096, LARGE = (9 << 19) + 1 };

static const unsigned counts[] = {0, 1, 7, 64, 333};
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* Nodes of each dtype and size, so that most are not where a pool begins. */
static void write_nodes(char *text) {
  size_t used = (size_t)snprintf(text, TEXT, "routine nodes\n");
  unsigned uid = 0;
  for (pp_dtype dtype = 0; dtype < PP_DTYPE_COUNT; dtype++)
    for (size_t n = 0; n < COUNTS; n++) {
      used += (size_t)snprintf(text + used, TEXT - used,
                               "node %u n%u %s [%u] host\n", uid + 1, uid + 1,
                               pp_dtype_name(dtype), counts[n]);
      uid++;
    }
  snprintf(text + used, TEXT - used, "end\n");
}

/* The node of one end comes to the other one, from where it stays. */
static void copy(pp_copy_ends *ends, size_t to, size_t from, size_t n,
                 const char *what) {
  const pp_node *node = &ends->routine->node[n];
  pp_failure why;
  pp_copy_ends_fill(ends, from, n);
  pp_must_answer(
      pp_copy(ends->end[to].child, ends->end[from].child, node->uid, &why),
      PP_OK, &why, what);
  memcpy(ends->end[to].holds[n], ends->end[from].holds[n],
         (size_t)pp_node_bytes(node));
  pp_copy_ends_check(ends, to, n, what);
}

static void name_pair(const pp_copy_ends *ends, size_t to, size_t from,
                      char *text, size_t room) {
  const pp_context *a = ends->end[from].child;
  const pp_context *b = ends->end[to].child;
  snprintf(text, room, "copy from %s device %zu to %s device %zu",
           pp_context_backend(a)->name, pp_context_ordinal(a),
           pp_context_backend(b)->name, pp_context_ordinal(b));
}

/* Every ordered pair of ends, one end with itself too. */
static uint64_t try_pairs(const pp_copies_on *on, size_t each, const char *text,
                          unsigned times) {
  char what[160];
  pp_copy_ends ends;
  uint64_t cases = 0;
  pp_copy_ends_open(&ends, on, each, text);
  for (unsigned round = 0; round < times; round++)
    for (size_t to = 0; to < ends.count; to++) {
      for (size_t from = 0; from < ends.count; from++)
        for (size_t n = 0; n < ends.routine->nodes; n++, cases++) {
          name_pair(&ends, to, from, what, sizeof what);
          copy(&ends, to, from, n, what);
        }
      pp_copy_ends_check_all(&ends, what);
    }
  pp_copy_ends_close(&ends);
  return cases;
}

uint64_t pp_copies_pairs(const pp_copies_on *on) {
  static char text[TEXT];
  write_nodes(text);
  return try_pairs(on, 2, text, TWICE);
}

uint64_t pp_copies_large(const pp_copies_on *on) {
  char text[256];
  snprintf(text, sizeof text,
           "routine large\nnode 1 a u8 [%d] host\nnode 2 b f64 [%d] host\n"
           "node 3 c u8 [3] host\nend\n",
           LARGE, LARGE / 7);
  return try_pairs(on, 1, text, 1);
}

/* Adds what the merge buffer holds. Uids are those of the nodes sent. */
static void write_merge(char *text, size_t room, unsigned uid, unsigned count) {
  snprintf(text, room,
           "routine merging\nnode %u theirs i64 [%u] merge\n"
           "node 50 sum i64 [%u] host observable\n"
           "for i<%u: sum[i] += theirs[i]\nend\n",
           uid, count, count, count);
}

static void check_sum(pp_context *context, const uint64_t *sum, size_t count,
                      const char *what) {
  uint64_t *now = malloc(8 * count + 8);
  pp_failure why;
  if (now == NULL) pp_die("out of memory");
  pp_must_answer(pp_download(context, 50, now, 8 * count, &why), PP_OK, &why,
                 what);
  if (memcmp(now, sum, 8 * count) != 0)
    pp_die("%s: the merged values are wrong", what);
  free(now);
}

/* PP_WRAPS: the sums are modulo 2^64. */
PP_WRAPS static void merge(pp_copy_ends *ends, size_t to, size_t from, size_t n,
                           size_t count) {
  char text[256];
  char what[160];
  const pp_node *node = &ends->routine->node[n];
  uint64_t *sum = malloc(8 * count + 8);
  uint64_t *more = malloc(8 * count + 8);
  pp_failure why;
  if (sum == NULL || more == NULL) pp_die("out of memory");
  write_merge(text, sizeof text, (unsigned)node->uid, (unsigned)count);
  pp_routine *routine = pp_routine_of(text);
  pp_context *child = pp_child_of(ends->end[to].root, routine);
  name_pair(ends, to, from, what, sizeof what);
  pp_copy_ends_fill(ends, from, n);
  for (size_t i = 0; i < count; i++)
    sum[i] = pp_random_next(&ends->random);
  pp_must_answer(pp_upload(child, 50, sum, 8 * count, &why), PP_OK, &why, what);
  pp_must_answer(pp_merge(child, ends->end[from].child, node->uid, &why), PP_OK,
                 &why, what);
  pp_must_answer(pp_run(child, &why), PP_OK, &why, what);
  memcpy(more, ends->end[from].holds[n], 8 * count);
  for (size_t i = 0; i < count; i++)
    sum[i] += more[i];
  check_sum(child, sum, count, what);
  free(sum);
  free(more);
  pp_drop(child);
  pp_routine_free(routine);
}

/* Small, larger, small again, so that the buffer grows, and is too large. */
uint64_t pp_copies_merges(const pp_copies_on *on) {
  static const size_t sizes[] = {3, 0, 401, 1};
  pp_copy_ends ends;
  uint64_t cases = 0;
  pp_copy_ends_open(
      &ends, on, 1,
      "routine sent\nnode 1 a i64 [3] host\nnode 2 b i64 [0] host\n"
      "node 3 c i64 [401] host\nnode 4 d i64 [1] host\nend\n");
  for (size_t to = 0; to < ends.count; to++)
    for (size_t from = 0; from < ends.count; from++)
      for (size_t n = 0; n < 4; n++, cases++)
        merge(&ends, to, from, n, sizes[n]);
  pp_copy_ends_check_all(&ends, "merges");
  pp_copy_ends_close(&ends);
  return cases;
}
