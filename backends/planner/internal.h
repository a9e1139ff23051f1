/* poolproof: what the planner's files share among themselves. */
#ifndef PP_PLANNER_INTERNAL_H
#define PP_PLANNER_INTERNAL_H

#include <poolproof/planner.h>

/* A sort key and what it belongs to, or the two ends of a byte range. */
typedef struct pp_pair {
  uint64_t key;
  uint64_t value;
} pp_pair;

/* Sorts a[0..n) by key, stably (ARN-2 leans on it). scratch holds n pairs. */
void pp_sort_pairs(pp_pair *a, pp_pair *scratch, size_t n);

/* How many of the n sorted keys are < key; and how many are <= key. */
size_t pp_count_below(const pp_pair *sorted, size_t n, uint64_t key);
size_t pp_count_up_to(const pp_pair *sorted, size_t n, uint64_t key);

/* count * bytes from the allocator (NULL: malloc); at least one byte. NULL on
 * failure or when the product does not fit. */
void *pp_scratch_new(const pp_allocator *allocator, size_t count, size_t bytes);
void pp_scratch_free(const pp_allocator *allocator, void *memory);

/* Fills error (may be NULL) and returns status. */
pp_status pp_refuse(pp_error *error, pp_status status,
                    const pp_plan_options *options, const pp_item *items,
                    size_t index);

/* The first item with lo > hi, or n. */
size_t pp_first_bad_span(const pp_item *items, size_t n);

/* SEG-1. True and *up = the least multiple of align that is not below x;
 * false when that passes 2^64 - 1. */
static inline bool pp_align_up(uint64_t x, uint64_t align, uint64_t *up) {
  if (align <= 1) {
    *up = x;
    return true;
  }
  uint64_t below = (align & (align - 1)) == 0 ? x & (align - 1) : x % align;
  return !__builtin_add_overflow(x, below == 0 ? 0 : align - below, up);
}

/* True when size bytes from offset end at or before limit. */
static inline bool pp_fits(uint64_t offset, uint64_t size, uint64_t limit) {
  return size <= limit && offset <= limit - size;
}

#endif
