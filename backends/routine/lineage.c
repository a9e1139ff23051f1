/* poolproof: lineages: made, forked, asked (RTN-1, RTN-3).
 * SPDX-License-Identifier: MIT */
#include "lineage.h"

#include "planner/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void hold(size_t *holders) {
  __atomic_fetch_add(holders, 1, __ATOMIC_RELAXED);
}

/* Was it the last one? */
static bool let_go(size_t *holders) {
  return __atomic_fetch_sub(holders, 1, __ATOMIC_ACQ_REL) == 1;
}

pp_shared_text *pp_shared_text_new(const char *text) {
  size_t size = strlen(text) + 1;
  pp_shared_text *own = malloc(sizeof *own + size);
  if (!own) return NULL;
  own->holders = 1;
  memcpy(own->text, text, size);
  return own;
}

void pp_shared_text_free(pp_shared_text *text) {
  if (text && let_go(&text->holders)) free(text);
}

void pp_record_free(pp_record *record) {
  if (!record || !let_go(&record->holders)) return;
  for (size_t i = 0; i < record->operands; i++)
    free((void *)record->operand[i].data);
  free(record->operand);
  free(record);
}

pp_lineage *pp_lineage_new(void) {
  pp_lineage *lineage = calloc(1, sizeof *lineage);
  if (lineage) lineage->holders = 1;
  return lineage;
}

pp_lineage *pp_lineage_hold(pp_lineage *lineage) {
  hold(&lineage->holders);
  return lineage;
}

void pp_lineage_free(pp_lineage *lineage) {
  if (!lineage || !let_go(&lineage->holders)) return;
  for (size_t i = 0; i < lineage->names; i++)
    pp_shared_text_free(lineage->name[i].text);
  for (size_t i = 0; i < lineage->recalls; i++)
    pp_record_free(lineage->recall[i].record);
  free(lineage->name);
  free(lineage->decision);
  free(lineage->place);
  free(lineage->recall);
  free(lineage);
}

/* The uid that an element begins with. */
static uint64_t uid_of(const unsigned char *element) {
  uint64_t uid = 0;
  memcpy(&uid, element, sizeof uid);
  return uid;
}

/* The element of n that has the uid, or NULL. */
static const void *seek(const void *elements, size_t n, size_t bytes,
                        uint64_t uid) {
  const unsigned char *at = elements;
  size_t lo = 0;
  size_t hi = n;
  while (lo < hi) {
    size_t middle = lo + (hi - lo) / 2;
    if (uid_of(at + middle * bytes) < uid)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo < n && uid_of(at + lo * bytes) == uid ? at + lo * bytes : NULL;
}

bool pp_lineage_decision(const pp_lineage *lineage, uint64_t uid,
                         pp_placement *placement) {
  if (!lineage) return false;
  const pp_decision *found = seek(lineage->decision, lineage->decisions,
                                  sizeof *lineage->decision, uid);
  if (found) *placement = found->placement;
  return found != NULL;
}

bool pp_lineage_placed(const pp_lineage *lineage, uint64_t uid,
                       pp_provenance *provenance) {
  if (!lineage) return false;
  const pp_place_record *found =
      seek(lineage->place, lineage->places, sizeof *lineage->place, uid);
  if (found)
    *provenance =
        (pp_provenance){found->placement, found->reason, found->routine->text};
  return found != NULL;
}

const pp_recall *pp_lineage_recall(const pp_lineage *lineage, uint64_t uid) {
  if (!lineage) return NULL;
  return seek(lineage->recall, lineage->recalls, sizeof *lineage->recall, uid);
}

bool pp_lineage_recalls(const pp_lineage *lineage) {
  return lineage && lineage->recalls > 0;
}

/* The first name that is not below; *same: it is that one. */
static size_t seek_name(const pp_lineage *lineage, const char *name,
                        bool *same) {
  size_t lo = 0;
  size_t hi = lineage->names;
  while (lo < hi) {
    size_t middle = lo + (hi - lo) / 2;
    if (strcmp(lineage->name[middle].text->text, name) < 0)
      lo = middle + 1;
    else
      hi = middle;
  }
  *same =
      lo < lineage->names && strcmp(lineage->name[lo].text->text, name) == 0;
  return lo;
}

char *pp_lineage_name(const pp_lineage *lineage, const char *name) {
  enum { NUMBER = 24 };
  size_t size = strlen(name) + NUMBER;
  bool taken = false;
  char *own = malloc(size);
  if (!own) return NULL;
  snprintf(own, size, "%s", name);
  if (!lineage) return own;
  size_t at = seek_name(lineage, name, &taken);
  for (size_t k = taken ? lineage->name[at].next : 0; taken; k++) {
    snprintf(own, size, "%s_%zu", name, k);
    (void)seek_name(lineage, own, &taken);
  }
  return own;
}

/* Both lists in one, by uid; where both have it, b's. */
static size_t merge(void *to, const void *a, size_t n, const void *b, size_t m,
                    size_t bytes) {
  unsigned char *out = to;
  const unsigned char *x = a;
  const unsigned char *y = b;
  size_t count = 0;
  while (n > 0 || m > 0) {
    bool first = m == 0 || (n > 0 && uid_of(x) < uid_of(y));
    bool both = !first && n > 0 && uid_of(x) == uid_of(y);
    memcpy(out + count++ * bytes, first ? x : y, bytes);
    if (first || both) {
      x += bytes;
      n--;
    }
    if (!first) {
      y += bytes;
      m--;
    }
  }
  return count;
}

/* Forgets those that are gone; holds the records of the others that are from's
 * too. */
static void settle_recalls(pp_lineage *fork, const pp_lineage *from) {
  size_t kept = 0;
  for (size_t i = 0; i < fork->recalls; i++) {
    pp_recall *recall = &fork->recall[i];
    const pp_recall *old = pp_lineage_recall(from, recall->uid);
    if (recall->gone) continue;
    if (recall->record && old && old->record == recall->record)
      hold(&recall->record->holders);
    fork->recall[kept++] = *recall;
  }
  fork->recalls = kept;
}

/* The number behind the name's last _, when it was made by pp_lineage_name
 * from a name of the lineage: that one's next number is above it. */
static void count_name(pp_lineage *fork, const char *name) {
  const char *last = strrchr(name, '_');
  bool same = false;
  char *end = NULL;
  if (!last) return;
  unsigned long long number = strtoull(last + 1, &end, 10);
  pp_shared_text *base = pp_shared_text_new(name);
  if (!base) return; /* a number is tried once more than needed, then */
  base->text[last - name] = '\0';
  size_t at = seek_name(fork, base->text, &same);
  if (same && *end == '\0' && number == fork->name[at].next)
    fork->name[at].next++;
  pp_shared_text_free(base);
}

static void add_name(pp_lineage *fork, pp_shared_text *name) {
  bool same = false;
  size_t at = seek_name(fork, name->text, &same);
  if (same) return;
  memmove(&fork->name[at + 1], &fork->name[at],
          (fork->names - at) * sizeof *fork->name);
  hold(&name->holders);
  fork->name[at] = (pp_named){name, 2};
  fork->names++;
  count_name(fork, name->text);
}

static bool make_room(pp_lineage *fork, const pp_lineage *from,
                      const pp_news *news) {
  fork->decision = pp_scratch_new(NULL, from->decisions + news->decisions,
                                  sizeof *fork->decision);
  fork->place =
      pp_scratch_new(NULL, from->places + news->places, sizeof *fork->place);
  fork->recall =
      pp_scratch_new(NULL, from->recalls + news->recalls, sizeof *fork->recall);
  fork->name = pp_scratch_new(NULL, from->names + 1, sizeof *fork->name);
  return fork->decision && fork->place && fork->recall && fork->name;
}

pp_lineage *pp_lineage_fork(const pp_lineage *from, const pp_news *news) {
  static const pp_lineage empty;
  if (!from) from = &empty;
  pp_lineage *fork = pp_lineage_new();
  if (!fork || !make_room(fork, from, news)) {
    pp_lineage_free(fork);
    return NULL;
  }
  fork->decisions =
      merge(fork->decision, from->decision, from->decisions, news->decision,
            news->decisions, sizeof *fork->decision);
  fork->places = merge(fork->place, from->place, from->places, news->place,
                       news->places, sizeof *fork->place);
  fork->recalls = merge(fork->recall, from->recall, from->recalls, news->recall,
                        news->recalls, sizeof *fork->recall);
  settle_recalls(fork, from);
  for (size_t i = 0; i < from->names; i++) {
    fork->name[i] = from->name[i];
    hold(&fork->name[i].text->holders);
  }
  fork->names = from->names;
  if (news->name) add_name(fork, news->name);
  return fork;
}

static pp_status decide(const pp_lineage *lineage, const pp_decision *decision,
                        size_t n, pp_lineage **fork, pp_failure *failure) {
  const pp_news news = {.decisions = n, .decision = decision};
  pp_lineage *own = pp_lineage_fork(lineage, &news);
  if (!own)
    return pp_fail(failure, PP_NO_MEMORY, "no memory to fork the lineage");
  *fork = own;
  return PP_OK;
}

pp_status pp_decide_inline(const pp_lineage *lineage, uint64_t uid,
                           pp_lineage **fork, pp_failure *failure) {
  const pp_decision decision = {uid, PP_VIRTUAL};
  return decide(lineage, &decision, 1, fork, failure);
}

pp_status pp_decide_materialized(const pp_lineage *lineage, uint64_t uid,
                                 pp_lineage **fork, pp_failure *failure) {
  const pp_decision decision = {uid, PP_MATERIALISED};
  return decide(lineage, &decision, 1, fork, failure);
}

pp_status pp_lineage_inline(const pp_lineage *lineage, const uint64_t *uid,
                            size_t n, pp_lineage **fork, pp_failure *failure) {
  pp_decision *decision = pp_scratch_new(NULL, n, sizeof *decision);
  if (!decision)
    return pp_fail(failure, PP_NO_MEMORY, "no memory to fork the lineage");
  for (size_t i = 0; i < n; i++)
    decision[i] = (pp_decision){uid[i], PP_VIRTUAL};
  pp_status status = decide(lineage, decision, n, fork, failure);
  pp_scratch_free(NULL, decision);
  return status;
}
