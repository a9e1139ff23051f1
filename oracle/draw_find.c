/* poolproof: view.h, all violations of a layout, not the first alone. */
#include "draw_parts.h"

#include <stdlib.h>
#include <string.h>

/* Pairs looked at before the search for shared bytes gives up: about a
 * fifth of a second. */
#define PAIRS_MOST UINT64_C(50000000)

typedef struct place {
  size_t segment;
  uint64_t offset;
  size_t item;
} place;

typedef struct search {
  const pp_scene *scene;
  const pp_layout *layout;
  pp_findings *found;
  place *order;   /* items with a byte, by segment and offset */
  size_t *active; /* those that may still share a byte */
  size_t actives;
  uint64_t pairs;
} search;

static int by_place(const void *a, const void *b) {
  const place *x = a;
  const place *y = b;
  if (x->segment != y->segment) return x->segment < y->segment ? -1 : 1;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  return (x->item > y->item) - (x->item < y->item);
}

static uint64_t end_of(uint64_t offset, uint64_t size) {
  return size > UINT64_MAX - offset ? UINT64_MAX : offset + size;
}

static void keep(pp_findings *found, pp_violation violation) {
  found->total++;
  if (found->count < PP_KEEP) found->list[found->count++] = violation;
}

/* ARN-1, for PP_SEGMENTS: always. */
static bool conflict(pp_kind kind, const pp_item *a, const pp_item *b) {
  if (kind == PP_SEGMENTS || !a->has_span || !b->has_span) return true;
  return a->item_class != b->item_class || (a->lo <= b->hi && b->lo <= a->hi);
}

/* What is wrong with item i alone. */
static void find_alone(const search *s, size_t i) {
  const pp_item *item = &s->scene->problem->items[i];
  const pp_layout *layout = s->layout;
  uint64_t offset = layout->offset[i];
  pp_violation bad = {.kind = PP_VALID, .first = i};
  if (layout->segment[i] >= layout->segments) {
    bad.kind = PP_NO_SUCH_SEGMENT;
    keep(s->found, bad);
  } else {
    uint64_t size = layout->size[layout->segment[i]];
    if (item->size > size || offset > size - item->size) {
      bad.kind = PP_PAST_END;
      keep(s->found, bad);
    }
  }
  if (item->align > 1 && offset % item->align != 0) {
    bad.kind = PP_MISALIGNED;
    keep(s->found, bad);
  }
  s->found->red[i] = bad.kind != PP_VALID;
}

/* Item b against the active items, all of which begin at or before it. */
static void find_shared(search *s, size_t b) {
  const pp_problem *problem = s->scene->problem;
  const uint64_t *offset = s->layout->offset;
  for (size_t k = 0; k < s->actives;) {
    size_t a = s->active[k];
    s->pairs++;
    if (offset[b] - offset[a] >= problem->items[a].size) {
      s->active[k] = s->active[--s->actives];
      continue;
    }
    k++;
    if (!conflict(problem->kind, &problem->items[a], &problem->items[b]))
      continue;
    uint64_t end_a = end_of(offset[a], problem->items[a].size);
    uint64_t end_b = end_of(offset[b], problem->items[b].size);
    s->found->red[a] = 1;
    s->found->red[b] = 1;
    keep(s->found, (pp_violation){.kind = PP_SHARED_BYTES,
                                  .first = a < b ? a : b,
                                  .second = a < b ? b : a,
                                  .lo = offset[b],
                                  .hi = end_a < end_b ? end_a : end_b});
  }
}

static void find_pairs(search *s) {
  const pp_problem *problem = s->scene->problem;
  size_t n = 0;
  for (size_t i = 0; i < problem->n; i++)
    if (problem->items[i].size > 0 &&
        s->layout->segment[i] < s->layout->segments)
      s->order[n++] = (place){s->layout->segment[i], s->layout->offset[i], i};
  if (n > 0) qsort(s->order, n, sizeof *s->order, by_place);
  for (size_t k = 0; k < n; k++) {
    if (k > 0 && s->order[k].segment != s->order[k - 1].segment) s->actives = 0;
    if (s->pairs > PAIRS_MOST) {
      s->found->more = true;
      return;
    }
    find_shared(s, s->order[k].item);
    s->active[s->actives++] = s->order[k].item;
  }
}

/* Sizes above the cap and sizes that are not the greatest end. */
static int find_sizes(const search *s, pp_diag *diag) {
  const pp_layout *layout = s->layout;
  const pp_problem *problem = s->scene->problem;
  uint64_t *end = pp_draw_alloc(layout->segments, sizeof *end);
  if (end == NULL) return pp_fail_memory(diag);
  memset(end, 0, layout->segments * sizeof *end);
  for (size_t i = 0; i < problem->n; i++) {
    size_t k = layout->segment[i];
    if (k >= layout->segments) continue;
    uint64_t e = end_of(layout->offset[i], problem->items[i].size);
    if (e > end[k]) end[k] = e;
  }
  for (size_t k = 0; k < layout->segments; k++) {
    if (layout->size[k] > s->scene->cap)
      keep(s->found, (pp_violation){.kind = PP_SEGMENT_TOO_BIG, .first = k});
    if (layout->size[k] != end[k])
      keep(s->found, (pp_violation){.kind = PP_WRONG_SIZE,
                                    .first = k,
                                    .lo = layout->size[k],
                                    .hi = end[k]});
  }
  free(end);
  return 0;
}

static int find_all(search *s, pp_diag *diag) {
  size_t n = s->scene->problem->n;
  for (size_t i = 0; i < n; i++)
    find_alone(s, i);
  if (find_sizes(s, diag) != 0) return diag->code;
  s->order = pp_draw_alloc(n, sizeof *s->order);
  s->active = pp_draw_alloc(n, sizeof *s->active);
  int code = 0;
  if (s->order == NULL || s->active == NULL)
    code = pp_fail_memory(diag);
  else
    find_pairs(s);
  free(s->order);
  free(s->active);
  return code;
}

/* What pp_check found is first in the list, whatever was cut. */
static void put_first(pp_findings *found) {
  size_t at = 0;
  while (at < found->count && (found->list[at].kind != found->first.kind ||
                               found->list[at].first != found->first.first ||
                               found->list[at].second != found->first.second))
    at++;
  if (at == found->count && found->count < PP_KEEP) found->count++;
  if (at >= PP_KEEP) at = PP_KEEP - 1;
  for (; at > 0; at--)
    found->list[at] = found->list[at - 1];
  found->list[0] = found->first;
  if (found->total == 0) found->total = 1;
  if (found->first.kind != PP_SHARED_BYTES) return;
  found->red[found->first.first] = 1;
  found->red[found->first.second] = 1;
}

int pp_find(const pp_scene *scene, const pp_layout *layout, pp_findings *found,
            pp_diag *diag) {
  const pp_problem *problem = scene->problem;
  size_t bad = 0;
  *found = (pp_findings){0};
  found->red = pp_draw_alloc(problem->n, 1);
  found->list = pp_draw_alloc(PP_KEEP, sizeof *found->list);
  if (found->red == NULL || found->list == NULL) return pp_fail_memory(diag);
  memset(found->red, 0, problem->n);
  pp_status status =
      pp_check(problem->kind, problem->items, problem->n, scene->cap,
               layout->segment, layout->offset, layout->size, layout->segments,
               NULL, &found->first, &bad);
  if (status == PP_NO_MEMORY) return pp_fail_memory(diag);
  if (status != PP_OK)
    return pp_diag_fail(diag, PP_EXIT_INPUT, "item %zu: its span is empty",
                        bad);
  if (found->first.kind == PP_VALID) return 0;
  search s = {.scene = scene, .layout = layout, .found = found};
  if (find_all(&s, diag) != 0) return diag->code;
  put_first(found);
  return 0;
}

void pp_find_free(pp_findings *found) {
  free(found->red);
  free(found->list);
  *found = (pp_findings){0};
}

/* "segment 3", or "the arena" when there is one. */
static const char *pool_name(const pp_scene *scene, const pp_layout *layout,
                             size_t k, char out[PP_NUMBER]) {
  if (scene->problem->kind == PP_ARENA && layout->segments == 1)
    return "the arena";
  (void)snprintf(out, PP_NUMBER, "segment %zu", k);
  return out;
}

/* The item's id, cut; its span; its class. */
static void describe(const pp_problem *problem, size_t i, char *text,
                     size_t size) {
  const pp_item *item = &problem->items[i];
  const char *name = "";
  char span[80] = "always live";
  char cut[280];
  if (item->item_class < problem->classes)
    name = problem->class_names[item->item_class];
  if (item->has_span)
    (void)snprintf(span, sizeof span, "span [%llu, %llu]",
                   (unsigned long long)item->lo, (unsigned long long)item->hi);
  (void)snprintf(cut, sizeof cut, "%.*s",
                 (int)pp_text_prefix(problem->ids[i], 60), problem->ids[i]);
  if (problem->kind == PP_SEGMENTS)
    (void)snprintf(text, size, "\"%s\"", cut);
  else
    (void)snprintf(text, size, "\"%s\" (%s, class %.*s)", cut, span,
                   (int)pp_text_prefix(name, 20), name);
}

/* PP_NO_SUCH_SEGMENT, PP_MISALIGNED, PP_PAST_END. */
static void tell_item(const pp_scene *scene, const pp_layout *layout,
                      const pp_violation *violation, char *text, size_t size) {
  size_t i = violation->first;
  const pp_problem *problem = scene->problem;
  const pp_item *item = &problem->items[i];
  char cut[280];
  char number[PP_NUMBER];
  char pool[PP_NUMBER];
  (void)snprintf(cut, sizeof cut, "%.*s",
                 (int)pp_text_prefix(problem->ids[i], 60), problem->ids[i]);
  if (violation->kind == PP_NO_SUCH_SEGMENT) {
    (void)snprintf(text, size,
                   "item \"%s\" names segment %zu, but the layout has %zu", cut,
                   layout->segment[i], layout->segments);
  } else if (violation->kind == PP_MISALIGNED) {
    (void)snprintf(text, size,
                   "item \"%s\": offset %llu is no multiple of its alignment "
                   "%llu",
                   cut, (unsigned long long)layout->offset[i],
                   (unsigned long long)item->align);
  } else {
    const char *end = "2^64 or later";
    if (item->size <= UINT64_MAX - layout->offset[i])
      end = pp_count_text(layout->offset[i] + item->size, number);
    (void)snprintf(text, size,
                   "item \"%s\" ends at byte %s, past the claimed size %llu "
                   "of %s",
                   cut, end,
                   (unsigned long long)layout->size[layout->segment[i]],
                   pool_name(scene, layout, layout->segment[i], pool));
  }
}

void pp_find_text(const pp_scene *scene, const pp_layout *layout,
                  const pp_violation *violation, char *text, size_t size) {
  size_t k = violation->first;
  char pool[PP_NUMBER];
  char one[500];
  char two[500];
  if (violation->kind == PP_SEGMENT_TOO_BIG) {
    (void)snprintf(text, size, "%s claims %llu bytes, above the cap %llu",
                   pool_name(scene, layout, k, pool),
                   (unsigned long long)layout->size[k],
                   (unsigned long long)scene->cap);
  } else if (violation->kind == PP_WRONG_SIZE) {
    (void)snprintf(
        text, size, "%s claims %llu bytes, but its items end at %llu",
        pool_name(scene, layout, k, pool), (unsigned long long)violation->lo,
        (unsigned long long)violation->hi);
  } else if (violation->kind == PP_SHARED_BYTES) {
    describe(scene->problem, violation->first, one, sizeof one);
    describe(scene->problem, violation->second, two, sizeof two);
    (void)snprintf(
        text, size,
        "items %s and %s conflict and share %llu bytes, [%llu, "
        "%llu) of %s",
        one, two, (unsigned long long)(violation->hi - violation->lo),
        (unsigned long long)violation->lo, (unsigned long long)violation->hi,
        pool_name(scene, layout, layout->segment[k], pool));
  } else {
    tell_item(scene, layout, violation, text, size);
  }
}
