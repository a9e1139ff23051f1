#include "contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(pp_contract_site *) all;
static pp_int most = 64;

_Noreturn void pp_contract_failed(const char *function, const char *clause) {
  (void)fprintf(stderr, "contract: %s: %s is violated\n", function, clause);
  abort();
}

static _Noreturn void no_memory(void) {
  (void)fprintf(stderr, "contract: no memory to look at one\n");
  abort();
}

static void write_log(void) {
  const char *path = getenv("PP_CONTRACT_LOG");
  FILE *out = path ? fopen(path, "a") : NULL;
  if (!out) return;
  char text[8192];
  size_t used = 0;
  for (pp_contract_site *site = all; site; site = site->next) {
    int more =
        snprintf(text + used, sizeof text - used, "%s %zu %zu\n", site->name,
                 atomic_load(&site->evaluated), atomic_load(&site->left_out));
    if (more > 0 && (size_t)more < sizeof text - used) used += (size_t)more;
  }
  /* One write, so that the lines of two processes do not mix. */
  (void)setvbuf(out, NULL, _IONBF, 0);
  (void)fwrite(text, 1, used, out);
  (void)fclose(out);
}

void pp_contract_register(pp_contract_site *site) {
  const char *items = getenv("PP_CONTRACT_ITEMS");
  if (!all && atexit(write_log) != 0) no_memory();
  if (items) most = strtoll(items, NULL, 10);
  site->next = all;
  all = site;
}

bool pp_contract_enter(pp_contract_site *site, pp_int size) {
  bool looked = site->always || size <= most;
  atomic_fetch_add_explicit(looked ? &site->evaluated : &site->left_out, 1,
                            memory_order_relaxed);
  return looked;
}

void pp_contract_open(pp_contract_frame *frame) {
  frame->kept = frame->few;
  frame->count = frame->used = frame->lists = 0;
  frame->room = PP_CONTRACT_FEW;
}

static bool is_small(const pp_contract_frame *frame, const void *copy) {
  return (uintptr_t)copy >= (uintptr_t)frame->small &&
         (uintptr_t)copy < (uintptr_t)(frame->small + PP_CONTRACT_ROOM);
}

void pp_contract_close(pp_contract_frame *frame) {
  for (size_t k = 0; k < frame->count; k++)
    if (!is_small(frame, frame->kept[k].copy)) free(frame->kept[k].copy);
  if (frame->kept != frame->few) free(frame->kept);
}

/* The first byte of the set and how many there are. */
static const unsigned char *span_of(pp_contract_set set, size_t *bytes) {
  *bytes = 0;
  if (set.last < set.first) return set.base;
  *bytes = pp_ix((set.last - set.first + 1) * (pp_int)set.cell);
  pp_int begin = (pp_int)(uintptr_t)set.base + set.first * (pp_int)set.cell;
  return (const unsigned char *)set.base + (pp_ix(begin) - (uintptr_t)set.base);
}

/* A cell that nothing reads but the comparison fits in the frame. What clauses
 * read has memory of its own, be it one cell: AddressSanitizer knows where it
 * ends. */
static unsigned char *new_copy(pp_contract_frame *frame, size_t bytes,
                               bool in_frame) {
  if (in_frame && bytes <= PP_CONTRACT_ROOM - frame->used) {
    unsigned char *copy = frame->small + frame->used;
    frame->used += (bytes + 15) / 16 * 16;
    return copy;
  }
  unsigned char *copy = malloc(bytes);
  if (!copy) no_memory();
  return copy;
}

static void grow(pp_contract_frame *frame) {
  size_t room = 2 * frame->room;
  pp_contract_kept *more = malloc(room * sizeof *more);
  if (!more) no_memory();
  memcpy(more, frame->kept, frame->count * sizeof *more);
  if (frame->kept != frame->few) free(frame->kept);
  frame->kept = more;
  frame->room = room;
}

static const void *keep(pp_contract_frame *frame, pp_contract_set set,
                        bool in_frame) {
  size_t bytes;
  const unsigned char *begin = span_of(set, &bytes);
  if (bytes == 0) return NULL;
  if (frame->count == frame->room) grow(frame);
  unsigned char *copy = new_copy(frame, bytes, in_frame);
  memcpy(copy, begin, bytes);
  frame->kept[frame->count++] =
      (pp_contract_kept){begin, bytes, set.cell, copy};
  return copy;
}

const void *pp_contract_keep(pp_contract_frame *frame, const void *base,
                             size_t cell, pp_int first, pp_int last) {
  return keep(frame, (pp_contract_set){base, cell, first, last}, false);
}

void pp_contract_keep_cell(pp_contract_frame *frame, const void *base,
                           size_t cell, pp_int index) {
  (void)keep(frame, (pp_contract_set){base, cell, index, index}, true);
}

void pp_contract_allow(pp_contract_frame *frame, int list, const void *base,
                       size_t cell, pp_int first, pp_int last) {
  size_t bytes;
  const unsigned char *begin =
      span_of((pp_contract_set){base, cell, first, last}, &bytes);
  if (bytes == 0) return;
  if (frame->lists == PP_CONTRACT_ALLOWED) no_memory();
  frame->allowed[frame->lists++] = (pp_contract_allowed){list, begin, bytes};
}

static bool is_allowed(const pp_contract_frame *frame, int list,
                       const unsigned char *begin, size_t bytes) {
  for (size_t k = 0; k < frame->lists; k++) {
    const pp_contract_allowed *set = &frame->allowed[k];
    if (set->list == list && (uintptr_t)begin >= (uintptr_t)set->begin &&
        (uintptr_t)begin + bytes <= (uintptr_t)set->begin + set->bytes)
      return true;
  }
  return false;
}

void pp_contract_unchanged(const pp_contract_frame *frame, int list,
                           const char *function, const char *clause) {
  for (size_t k = 0; k < frame->count; k++) {
    const pp_contract_kept *kept = &frame->kept[k];
    if (memcmp(kept->begin, kept->copy, kept->bytes) == 0) continue;
    for (size_t at = 0; at < kept->bytes; at += kept->cell)
      if (memcmp(kept->begin + at, kept->copy + at, kept->cell) != 0 &&
          !is_allowed(frame, list, kept->begin + at, kept->cell))
        pp_contract_failed(function, clause);
  }
}

bool pp_contract_separated(const pp_contract_set *sets, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++) {
      size_t bytes[2];
      uintptr_t a = (uintptr_t)span_of(sets[i], &bytes[0]);
      uintptr_t b = (uintptr_t)span_of(sets[j], &bytes[1]);
      if (bytes[0] > 0 && bytes[1] > 0 && a < b + bytes[1] && b < a + bytes[0])
        return false;
    }
  return true;
}

size_t pp_ix(pp_int index) {
  if (index >= 0 && index <= SIZE_MAX) return (size_t)index;
  (void)fprintf(stderr, "contract: a clause reads where no memory can be\n");
  abort();
}
