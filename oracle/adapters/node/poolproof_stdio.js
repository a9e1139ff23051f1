// poolproof/1 on standard input and output, for Node without packages. This is
// the file to take along.
//
//   const poolproof = require('./poolproof_stdio');
//   poolproof.serve({
//     name: 'my planner',
//     arena(cap, items) {
//       ...
//       return { offset, total };
//     },                       // or: throw new poolproof.Reject('over_cap')
//   });
//
// A verb that is not there is not claimed. Byte counts, steps and classes are
// BigInt both ways; indices of items and segments in what is returned are
// plain numbers. Which numbers travel as strings is settled here.
// oracle/PROTOCOL.md is the protocol. SPDX-License-Identifier: MIT
'use strict';
const fs = require('fs');

const FEATURES = ['classes', 'always_live', 'any_align', 'zero_size', 'u64'];

/** What the rules refuse: 'item_over_cap' and 'bad_span', which name the first
 * such item, and 'over_cap', which names none. */
class Reject extends Error {
  constructor(reason, index) {
    super(reason);
    this.index = index;
  }
}

/** Throw it with a capability: the request needs what the planner has not. */
class Unsupported extends Error {}

/** Throw it with the URL of an issue: known to be wrong, not for now. */
class Skip extends Error {}

// What travels as a number is at most 2^53, so JSON.parse loses nothing of it.
function number(value) {
  if (typeof value === 'string' || Number.isInteger(value))
    return BigInt(value);
  throw new TypeError(`${value} is no whole number`);
}

// JSON.stringify's: a BigInt above 2^53 becomes its digits.
function wire(key, value) {
  if (typeof value !== 'bigint') return value;
  return value > 2n ** 53n ? String(value) : Number(value);
}

// span: [first, last], both in it, or null: always live.
function readItem(item) {
  return {
    size: number(item.size),
    align: number(item.align),
    itemClass: number(item.class ?? 0),
    span: item.span ? item.span.map(number) : null,
  };
}

const VERBS = {
  /** Gives { segment, offset, sizes }: arrays. */
  segments: (planner, request) =>
    planner.segments(number(request.cap), request.items.map(readItem)),

  /** Gives { offset, total }. */
  arena: (planner, request) =>
    planner.arena(number(request.cap), request.items.map(readItem)),

  /** kind: 'segments' or 'arena'. layout: { segment, offset, sizes }, where a
   * claimed segment may be any number. Gives null, or the first violation as
   * the protocol says it. */
  validate(planner, request) {
    const layout = {};
    for (const key of ['segment', 'offset', 'sizes'])
      layout[key] = request.layout[key].map(number);
    const violation = planner.validate(request.kind, number(request.cap),
      request.items.map(readItem), layout);
    return violation ? { valid: false, violation } : { valid: true };
  },
};

function hello(planner, request) {
  if (request.protocol.min > 1 || request.protocol.max < 1)
    throw new Error('only poolproof/1 is spoken here');
  const verbs = Object.keys(VERBS).filter((verb) => planner[verb]);
  return {
    protocol: 1,
    name: planner.name,
    version: planner.version ?? '1',
    homepage: planner.homepage,
    capabilities: [...verbs, ...(planner.features ?? FEATURES)],
    limits: planner.items ? { items: planner.items } : undefined,
    compare: planner.compare ?? 'exact',
  };
}

function answer(planner, request) {
  const verb = request.verb;
  try {
    if (verb === 'hello') return { result: hello(planner, request) };
    if (verb === 'bye') return { result: {} };
    if (!Object.hasOwn(VERBS, verb) || !planner[verb])
      return { unsupported: verb };
    return { result: VERBS[verb](planner, request) };
  } catch (no) {
    if (no instanceof Reject) return { reject: no.message, index: no.index };
    if (no instanceof Unsupported) return { unsupported: no.message };
    if (no instanceof Skip) return { skip: no.message };
    throw no;
  }
}

function say(text) {
  const bytes = Buffer.from(text + '\n');
  for (let sent = 0; sent < bytes.length;) {
    try {
      sent += fs.writeSync(1, bytes, sent);
    } catch (wrong) {
      if (wrong.code !== 'EAGAIN') throw wrong; // a full pipe: once more
    }
  }
}

/** Answers until bye, or the end of the input. planner's other properties:
 * version, homepage, features (all), items (the most items of one request;
 * any number) and compare ('exact', 'valid' or 'total'). */
function serve(planner) {
  const lines = require('readline').createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    let id = 0;
    let verb = null;
    let said;
    try {
      const request = JSON.parse(line);
      ({ id, verb } = request);
      said = answer(planner, request);
    } catch (wrong) { // one bad request is not the end
      said = { error: String(wrong) };
    }
    say(JSON.stringify({ id, ...said }, wire));
    if (verb === 'bye') process.exit(0);
  });
}

module.exports = { serve, Reject, Unsupported, Skip, FEATURES };
