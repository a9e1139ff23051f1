/* poolproof: a routine used from make_context to teardown.
 * SPDX-License-Identifier: MIT */
#include "failures.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 3, LARGE = 8 };

/* -- the routine -- */

/* Extents, after "<" and in a node's brackets, are made small: equal ones stay
 * equal. */
static char *smaller(const char *text) {
  char *small = malloc(strlen(text) + 1);
  char *out = small;
  bool is_node = false;
  bool inside = false;
  char before = '\n';
  if (small == NULL) pp_die("out of memory");
  while (*text != '\0') {
    if (before == '\n') is_node = strncmp(text, "node ", 5) == 0;
    if (*text == '[' || *text == ']') inside = is_node && *text == '[';
    bool begins = isdigit((unsigned char)*text) != 0 &&
                  isalnum((unsigned char)before) == 0;
    if (!begins || (!inside && before != '<')) {
      before = *out++ = *text++;
      continue;
    }
    char *end = NULL;
    unsigned long extent = strtoul(text, &end, 10);
    if (extent > LARGE) extent = 3 + extent % 5;
    out += sprintf(out, "%lu", extent);
    before = '0';
    text = end;
  }
  *out = '\0';
  return small;
}

static pp_routine *only(const pp_node *node) {
  pp_node host = *node;
  size_t index = 0;
  pp_failure why;
  pp_routine *routine = pp_routine_new("only");
  host.intents = PP_HOST;
  if (routine == NULL || pp_routine_node(routine, &host, &index, &why) != 0 ||
      pp_routine_seal(routine, &why) != PP_OK)
    pp_die("a routine of %s alone: refused", node->label);
  return routine;
}

void pp_work_open(const char *name, const char *text, bool small,
                  pp_work *work) {
  pp_lowered *lowered = NULL;
  pp_failure why;
  char *used = small ? smaller(text) : NULL;
  *work = (pp_work){.name = name};
  work->source = pp_routine_of(used != NULL ? used : text);
  free(used);
  if (pp_lower(work->source, NULL, &lowered, &why) != PP_OK)
    pp_die("%s: %s", name, why.text);
  work->final = pp_routine_hold(lowered->routine);
  pp_lowered_free(lowered);
  if (pp_truth_make(work->source, 1, SEED, &work->truth) != PP_OK)
    pp_die("out of memory");
  work->node = work->source->nodes;
  for (size_t i = work->source->nodes; i > 0;) {
    i--;
    const pp_node *node = &work->source->node[i];
    if ((node->intents & PP_MERGE) != 0) pp_die("%s: has a merge node", name);
    if (pp_truth_looks(node) && pp_node_bytes(node) > 0 &&
        (node->intents & PP_CONSTANT) == 0)
      work->node = i;
  }
  if (work->node == work->source->nodes) pp_die("%s: nothing to see", name);
  work->only = only(&work->source->node[work->node]);
}

void pp_work_close(pp_work *work) {
  pp_truth_free(&work->truth);
  pp_routine_free(work->only);
  pp_routine_free(work->final);
  pp_routine_free(work->source);
}

/* -- one use -- */

static bool settle(pp_attempt *attempt, const char *stage, pp_status status) {
  if (attempt->status != PP_OK) return false;
  attempt->status = status;
  if (status != PP_OK) attempt->stage = stage;
  return status == PP_OK;
}

static bool open_context(pp_attempt *attempt, pp_backend *backend,
                         size_t ordinal) {
  pp_context **context = &attempt->context[attempt->contexts];
  if (!settle(attempt, "make_context",
              pp_make_context(backend, ordinal, context, &attempt->why)))
    return false;
  attempt->contexts++;
  return true;
}

static bool link_context(pp_attempt *attempt, pp_context *parent,
                         pp_routine *routine) {
  pp_context **context = &attempt->context[attempt->contexts];
  if (!settle(attempt, "link",
              pp_link(parent, routine, NULL, context, &attempt->why)))
    return false;
  attempt->contexts++;
  return true;
}

static bool fill(const pp_work *work, pp_attempt *attempt,
                 pp_context *context) {
  for (size_t i = 0; i < work->source->nodes; i++) {
    const pp_node *node = &work->source->node[i];
    if (pp_truth_draws(node) &&
        !settle(attempt, "upload",
                pp_upload(context, node->uid, work->truth.start.bytes[i],
                          pp_node_bytes(node), &attempt->why)))
      return false;
  }
  return true;
}

static bool look_at(const pp_work *work, pp_attempt *attempt,
                    pp_context *context, size_t i) {
  const pp_node *node = &work->source->node[i];
  uint64_t bytes = pp_node_bytes(node);
  unsigned char *found = malloc(bytes > 0 ? bytes : 1);
  if (found == NULL) pp_die("out of memory");
  pp_status status =
      pp_download(context, node->uid, found, bytes, &attempt->why);
  bool fine = settle(attempt, "download", status);
  if (fine && !pp_same_values(node->dtype, found, work->truth.after[i],
                              pp_node_elements(node), NULL))
    attempt->wrong = true;
  free(found);
  return fine;
}

static bool look(const pp_work *work, pp_attempt *attempt,
                 pp_context *context) {
  for (size_t i = 0; i < work->source->nodes; i++)
    if (pp_truth_looks(&work->source->node[i]) &&
        !look_at(work, attempt, context, i))
      return false;
  return true;
}

static bool copy(const pp_work *work, pp_attempt *attempt, pp_backend *backend,
                 pp_context *from) {
  size_t count = 0;
  pp_status status = backend->call->devices(backend, &count);
  if (status != PP_OK) pp_fail(&attempt->why, status, "no devices any more");
  if (!settle(attempt, "devices", status)) return false;
  if (!open_context(attempt, backend, count > 0 ? count - 1 : 0)) return false;
  pp_context *root = attempt->context[attempt->contexts - 1];
  if (!link_context(attempt, root, work->only)) return false;
  pp_context *to = attempt->context[attempt->contexts - 1];
  uint64_t uid = work->source->node[work->node].uid;
  return settle(attempt, "copy", pp_copy(to, from, uid, &attempt->why)) &&
         look_at(work, attempt, to, work->node);
}

void pp_work_try(const pp_work *work, pp_backend *backend,
                 pp_attempt *attempt) {
  *attempt = (pp_attempt){.stage = ""};
  if (!open_context(attempt, backend, 0)) return;
  if (!link_context(attempt, attempt->context[0], work->final)) return;
  pp_context *context = attempt->context[1];
  if (fill(work, attempt, context) &&
      settle(attempt, "run", pp_run(context, &attempt->why)) &&
      look(work, attempt, context) && copy(work, attempt, backend, context))
    settle(attempt, "await", pp_await(context, &attempt->why));
}

/* A second try must succeed: the fault has struck. */
static void free_context(pp_attempt *attempt, pp_context *context) {
  pp_failure why;
  pp_status status = pp_context_free(context, &why);
  if (status == PP_OK) return;
  if (attempt->status == PP_OK) attempt->why = why;
  settle(attempt, "context_free", status);
  if (pp_context_free(context, &why) != PP_OK)
    pp_die("a context cannot be freed: %s", why.text);
}

void pp_work_end(pp_backend *backend, pp_attempt *attempt) {
  pp_failure why;
  char text[PP_CENSUS_TEXT];
  while (attempt->contexts > 0)
    free_context(attempt, attempt->context[--attempt->contexts]);
  for (size_t d = 0; d < 4; d++) {
    pp_census census;
    pp_device_census(backend, d, &census);
    if (census.contexts + census.working_pools > 0)
      pp_die("after all is freed, device %zu has %s", d,
             pp_census_text(&census, text));
  }
  pp_status status = pp_teardown(backend, &why);
  if (status == PP_OK) return;
  if (attempt->status == PP_OK) attempt->why = why;
  settle(attempt, "teardown", status);
  if (pp_teardown(backend, &why) != PP_OK)
    pp_die("it cannot be torn down: %s", why.text);
}

void pp_work_must(const pp_work *work, pp_backend *backend) {
  pp_attempt attempt;
  pp_work_try(work, backend, &attempt);
  pp_work_end(backend, &attempt);
  if (attempt.status != PP_OK)
    pp_die("%s on %s: %s: %s", work->name, backend->name, attempt.stage,
           attempt.why.text);
  if (attempt.wrong)
    pp_die("%s on %s: values differ from the interpreter's", work->name,
           backend->name);
}
