// No sum below may pass 2^64 - 1: each is compared as a difference first.
// SPDX-License-Identifier: MIT
#include "planner.hpp"

#include <algorithm>
#include <numeric>

using poolproof::Item;
using poolproof::Items;
using poolproof::Layout;
using poolproof::Reject;
using poolproof::Violation;
using std::size_t;
using std::uint64_t;

// SEG-1: the bytes to skip at `at`. A pad, since at + pad may be past the end.
static uint64_t padding(uint64_t at, uint64_t align) {
  if (align <= 1 || at % align == 0) return 0;
  return align - at % align;
}

Layout segments(uint64_t cap, const Items &items) {
  for (size_t i = 0; i < items.size(); i++)
    if (items[i].size > cap) throw Reject("item_over_cap", i); // SEG-5
  Layout made;
  for (const Item &item : items) {
    uint64_t at = 0;
    bool fits = false;
    if (!made.sizes.empty()) {
      const uint64_t end = made.sizes.back(); // never above the cap
      const uint64_t pad = padding(end, item.align);
      fits = pad <= cap - end && item.size <= cap - end - pad;
      if (fits) at = end + pad;
    }
    if (!fits) made.sizes.push_back(0); // SEG-3
    made.segment.push_back(made.sizes.size() - 1);
    made.offset.push_back(at);
    made.sizes.back() = at + item.size; // SEG-4
  }
  return made;
}

// ARN-1.
static bool conflict(const Item &a, const Item &b) {
  if (!a.span || !b.span || a.item_class != b.item_class) return true;
  return a.span->first <= b.span->second && b.span->first <= a.span->second;
}

static void refuse_bad_spans(const Items &items) {
  for (size_t i = 0; i < items.size(); i++)
    if (items[i].span && items[i].span->first > items[i].span->second)
      throw Reject("bad_span", i);
}

namespace {
struct Taken {
  uint64_t start, end;
  size_t item;
};
} // namespace

// ARN-3: the least offset at which the item meets nothing that it conflicts
// with. placed: what stands, by start.
static uint64_t least_offset(uint64_t cap, const Items &items, size_t i,
                             const std::vector<Taken> &placed) {
  const Item &item = items[i];
  if (item.size > cap) throw Reject("over_cap");
  uint64_t at = 0; // at + item.size never passes the cap
  for (const Taken &other : placed) {
    if (!conflict(item, items[other.item])) continue;
    if (at + item.size <= other.start) break; // the rest starts no earlier
    if (other.end <= at) continue;
    const uint64_t pad = padding(other.end, item.align);
    const uint64_t room = cap - item.size;
    if (other.end > room || pad > room - other.end) throw Reject("over_cap");
    at = other.end + pad;
  }
  return at;
}

poolproof::Arena arena(uint64_t cap, const Items &items) {
  refuse_bad_spans(items);
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return items[a].size > items[b].size; // ARN-2; ties stay by index
  });
  poolproof::Arena made{std::vector<uint64_t>(items.size()), 0};
  std::vector<Taken> placed;
  for (size_t i : order) {
    const uint64_t at = least_offset(cap, items, i, placed);
    const Taken here{at, at + items[i].size, i};
    placed.insert(std::upper_bound(placed.begin(), placed.end(), here,
                                   [](const Taken &a, const Taken &b) {
                                     return a.start < b.start;
                                   }),
                  here);
    made.offset[i] = at;
    made.total = std::max(made.total, here.end);
  }
  return made;
}

// VAL-1: what comes before the shared bytes, in its order.
static std::optional<Violation> look_alone(uint64_t cap, const Items &items,
                                           const Layout &layout) {
  for (size_t i = 0; i < items.size(); i++)
    if (layout.segment[i] >= layout.sizes.size())
      return Violation{"no_such_segment", i};
  for (size_t i = 0; i < items.size(); i++)
    if (padding(layout.offset[i], items[i].align) != 0)
      return Violation{"misaligned", i};
  for (size_t i = 0; i < items.size(); i++) {
    const uint64_t size = layout.sizes[layout.segment[i]];
    if (items[i].size > size || layout.offset[i] > size - items[i].size)
      return Violation{"past_end", i};
  }
  for (size_t k = 0; k < layout.sizes.size(); k++)
    if (layout.sizes[k] > cap) return Violation{"segment_too_big", k};
  return std::nullopt;
}

std::optional<Violation> validate(bool in_arena, uint64_t cap,
                                  const Items &items, const Layout &layout) {
  if (in_arena) refuse_bad_spans(items);
  if (auto found = look_alone(cap, items, layout)) return found;
  const auto end = [&](size_t i) { return layout.offset[i] + items[i].size; };
  for (size_t j = 0; j < items.size(); j++)
    for (size_t i = 0; i < j; i++) {
      if (layout.segment[i] != layout.segment[j]) continue;
      if (in_arena && !conflict(items[i], items[j])) continue;
      const uint64_t lo = std::max(layout.offset[i], layout.offset[j]);
      const uint64_t hi = std::min(end(i), end(j));
      if (lo < hi) return Violation{"shared_bytes", i, j, lo, hi};
    }
  std::vector<uint64_t> ends(layout.sizes.size());
  for (size_t i = 0; i < items.size(); i++)
    ends[layout.segment[i]] = std::max(ends[layout.segment[i]], end(i));
  for (size_t k = 0; k < ends.size(); k++)
    if (layout.sizes[k] != ends[k])
      return Violation{"wrong_size", k, 0, layout.sizes[k], ends[k]};
  return std::nullopt;
}
