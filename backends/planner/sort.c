#include "internal.h"

#include <string.h>

enum { PP_RUN = 16 }; /* shorter runs are quicker sorted by insertion */

static void sort_run(pp_pair *a, size_t n) {
  for (size_t i = 1; i < n; i++) {
    pp_pair x = a[i];
    size_t j = i;
    for (; j > 0 && a[j - 1].key > x.key; j--)
      a[j] = a[j - 1];
    a[j] = x;
  }
}

static void merge(const pp_pair *a, size_t na, const pp_pair *b, size_t nb,
                  pp_pair *to) {
  size_t i = 0;
  size_t j = 0;
  while (i < na && j < nb)
    *to++ = b[j].key < a[i].key ? b[j++] : a[i++];
  memcpy(to, a + i, (na - i) * sizeof *a);
  memcpy(to + (na - i), b + j, (nb - j) * sizeof *b);
}

void pp_sort_pairs(pp_pair *a, pp_pair *scratch, size_t n) {
  for (size_t i = 0; i < n; i += PP_RUN)
    sort_run(a + i, n - i < PP_RUN ? n - i : PP_RUN);

  pp_pair *from = a;
  pp_pair *to = scratch;
  for (size_t width = PP_RUN; width < n; width *= 2) {
    for (size_t i = 0; i < n;) {
      size_t na = n - i < width ? n - i : width;
      size_t nb = n - i - na < width ? n - i - na : width;
      merge(from + i, na, from + i + na, nb, to + i);
      i += na + nb;
    }
    pp_pair *other = from;
    from = to;
    to = other;
  }
  if (from != a) memcpy(a, from, n * sizeof *a);
}

size_t pp_count_below(const pp_pair *sorted, size_t n, uint64_t key) {
  size_t lo = 0;
  while (lo < n) {
    size_t middle = lo + (n - lo) / 2;
    if (sorted[middle].key < key)
      lo = middle + 1;
    else
      n = middle;
  }
  return lo;
}

size_t pp_count_up_to(const pp_pair *sorted, size_t n, uint64_t key) {
  return key == UINT64_MAX ? n : pp_count_below(sorted, n, key + 1);
}
