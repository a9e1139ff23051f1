// A planner and checker that follow the rules (SEG, ARN, VAL of ref/README.md)
// as they are written: put yours in its place. A BigInt has no end, so nothing
// wraps. SPDX-License-Identifier: MIT
'use strict';
const { Reject } = require('./poolproof_stdio');

const max = (a, b) => (a > b ? a : b);
const min = (a, b) => (a < b ? a : b);

/** SEG-1. */
function alignedUp(at, align) {
  return align <= 1n ? at : (at + align - 1n) / align * align;
}

/** SEG */
function segments(cap, items) {
  const large = items.findIndex((item) => item.size > cap);
  if (large >= 0) throw new Reject('item_over_cap', large);
  const made = { segment: [], offset: [], sizes: [] };
  for (const item of items) {
    let last = made.sizes.length - 1;
    let at = last < 0 ? 0n : alignedUp(made.sizes[last], item.align);
    if (last < 0 || at + item.size > cap) {
      last++;
      at = 0n;
    }
    made.segment.push(last);
    made.offset.push(at);
    made.sizes[last] = at + item.size;
  }
  return made;
}

/** ARN-1 */
function conflict(a, b) {
  if (!a.span || !b.span || a.itemClass !== b.itemClass) return true;
  return a.span[0] <= b.span[1] && b.span[0] <= a.span[1];
}

function refuseBadSpans(items) {
  const bad = items.findIndex(({ span }) => span && span[0] > span[1]);
  if (bad >= 0) throw new Reject('bad_span', bad);
}

/** ARN-3. taken: [start, end] of what may not be met, by start. */
function leastOffset(item, taken) {
  let at = 0n;
  for (const [start, end] of taken) {
    if (at + item.size <= start) break; // all that follow start no earlier
    if (end > at) at = alignedUp(end, item.align);
  }
  return at;
}

/** ARN */
function arena(cap, items) {
  refuseBadSpans(items);
  const size = (i) => items[i].size;
  const order = [...items.keys()]; // sort keeps ties in this order
  order.sort((a, b) => (size(a) < size(b) ? 1 : size(a) > size(b) ? -1 : 0));
  const offset = items.map(() => 0n);
  const placed = []; // [start, end, index], by start
  let total = 0n;
  for (const i of order) {
    const taken = placed.filter(([, , j]) => conflict(items[i], items[j]));
    const at = leastOffset(items[i], taken);
    const end = at + size(i);
    if (end > cap) throw new Reject('over_cap'); // ARN-4
    offset[i] = at;
    total = max(total, end);
    const next = placed.findIndex(([start]) => start > at);
    placed.splice(next < 0 ? placed.length : next, 0, [at, end, i]);
  }
  return { offset, total };
}

// VAL-1: what comes before the shared bytes, in its order.
function lookAlone(cap, items, { segment, offset, sizes }) {
  const all = [...items.keys()];
  const end = (i) => offset[i] + items[i].size;
  let at = all.find((i) => segment[i] >= sizes.length);
  if (at !== undefined) return { kind: 'no_such_segment', item: at };
  at = all.find((i) => alignedUp(offset[i], items[i].align) !== offset[i]);
  if (at !== undefined) return { kind: 'misaligned', item: at };
  at = all.find((i) => end(i) > sizes[segment[i]]);
  if (at !== undefined) return { kind: 'past_end', item: at };
  at = sizes.findIndex((size) => size > cap);
  return at < 0 ? null : { kind: 'segment_too_big', segment: at };
}

/** VAL */
function validate(kind, cap, items, layout) {
  if (kind === 'arena') refuseBadSpans(items);
  const alone = lookAlone(cap, items, layout);
  if (alone) return alone;
  const { segment, offset, sizes } = layout;
  const end = (i) => offset[i] + items[i].size;
  for (let j = 0; j < items.length; j++)
    for (let i = 0; i < j; i++) {
      if (segment[i] !== segment[j]) continue;
      if (kind === 'arena' && !conflict(items[i], items[j])) continue;
      const bytes = [max(offset[i], offset[j]), min(end(i), end(j))];
      if (bytes[0] < bytes[1])
        return { kind: 'shared_bytes', items: [i, j], bytes };
    }
  const ends = sizes.map(() => 0n);
  for (const i of items.keys())
    ends[segment[i]] = max(ends[segment[i]], end(i));
  const k = sizes.findIndex((size, at) => size !== ends[at]);
  if (k < 0) return null;
  return { kind: 'wrong_size', segment: k, claimed: sizes[k], end: ends[k] };
}

module.exports = { segments, arena, validate };
