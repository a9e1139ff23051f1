/* poolproof: plugins: a planner or a backend of yours in a shared library, held
 * to the rules by `poolproof conform --plugin LIBRARY`.
 *
 * A plugin needs these headers and links nothing of poolproof's. It exports
 * one of the two functions below, with C linkage. It is always loaded into a
 * process of its own, so that a crash or a hang is a finding, not the end.
 * The rules (SEG, ARN, VAL, BKD) are in ref/README.md; oracle/adapters/plugin
 * has a small planner and a small backend. SPDX-License-Identifier: MIT */
#ifndef PP_PLUGIN_H
#define PP_PLUGIN_H

#include <poolproof/backend.h>
#include <poolproof/code.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of what is below. It changes only when a plugin must change: a
 * struct may grow at its end without, which `bytes` tells. */
enum { PP_PLUGIN_ABI = 1 };

/* A planner. The struct and its strings stay as they are until the process
 * ends. Strings are UTF-8, of at most 127 bytes, and may be NULL.
 *
 * abi           PP_PLUGIN_ABI
 * bytes         sizeof(pp_planner_plugin), as the plugin was compiled
 * name          what people call it; not NULL
 * version       its own
 * homepage      a URL
 * compare       how its plans are compared: "exact" (the specified plan, byte
 *               for byte; also NULL), "valid" (any plan that VAL accepts),
 *               "total" (a valid one whose total is no larger)
 * capabilities  which of the features it has, words with commas between them:
 *               classes, always_live, any_align, zero_size, u64 (see
 *               oracle/PROTOCOL.md); NULL: all
 *
 * The three functions are called from one thread, one at a time, any number of
 * times; NULL: it does not have that one. Sizes, offsets, caps are bytes, any
 * 64-bit value; spans are closed steps [lo, hi]. The caller owns every array;
 * inputs stay as they are; nothing is kept. n may be 0. What is written
 * outside the outputs is found, as is an item that does not exist in *bad.
 *
 * segments  SEG: places n items in input order in segments of at most cap
 *           bytes. Of an item size and align count. Writes of each item
 *           segment[i], from 0 on, and offset[i]; of each segment size[s];
 *           and *segments, how many, at most n.
 *           PP_OK; PP_ITEM_OVER_CAP: *bad is the first item that is larger
 *           than cap (SEG-5). The other outputs are then not looked at
 * arena     ARN: places n items in one arena. Writes offset[i] and *total.
 *           PP_OK; PP_BAD_SPAN: *bad is the first item with lo > hi;
 *           PP_OVER_CAP: the plan ends above cap or 2^64 - 1 (ARN-4);
 *           PP_ITEM_OVER_CAP is never right
 * validate  VAL: judges the layout that is claimed, in which segment[i] may be
 *           any number. kind: PP_ARENA, or PP_SEGMENTS, where no two items
 *           share bytes. Writes *violation, PP_VALID included (VAL-1, and
 *           pp_violation for what its fields are).
 *           PP_OK; PP_BAD_SPAN: as above, PP_ARENA alone
 * Each may also answer PP_NO_MEMORY: an error, which is counted as one. */
typedef struct pp_planner_plugin {
  uint32_t abi;
  uint32_t bytes;
  const char *name;
  const char *version;
  const char *homepage;
  const char *compare;
  const char *capabilities;
  pp_status (*segments)(const pp_item *items, size_t n, uint64_t cap,
                        size_t *segment, uint64_t *offset, uint64_t *size,
                        size_t *segments, size_t *bad);
  pp_status (*arena)(const pp_item *items, size_t n, uint64_t cap,
                     uint64_t *offset, uint64_t *total, size_t *bad);
  pp_status (*validate)(pp_kind kind, const pp_item *items, size_t n,
                        uint64_t cap, const size_t *segment,
                        const uint64_t *offset, const uint64_t *size,
                        size_t segments, pp_violation *violation, size_t *bad);
} pp_planner_plugin;

/* A backend. Strings as above.
 *
 * abi, bytes, name, version, homepage   as above
 * open   hands out a backend and answers PP_OK; or PP_NO_DEVICE when what it
 *        needs is not here, and any other status for what failed. Called once
 *        in a process, before any other call.
 *        The plugin owns the backend: name and call must be set, state is its
 *        own, examine may be NULL, runtime must be NULL and is left alone.
 *        Every call of the table gets that very pointer
 * close  takes it back: all pools and kernels were given back, or the process
 *        ends. NULL: nothing is to be done
 *
 * backend.h says what each call of the table must do (BKD-5): the order of a
 * device's work, what may fail and how, what is refused; two calls never run
 * on one device at one time, but calls come from several threads. What compile
 * gets is code.h's pp_code; what its steps mean, bit for bit, is in types.h at
 * PP_OPS and PP_FOLDS (BKD-6): no contraction, no other order of a reduction.
 * Above its own alignment a backend may refuse to base a pool. */
typedef struct pp_backend_plugin {
  uint32_t abi;
  uint32_t bytes;
  const char *name;
  const char *version;
  const char *homepage;
  pp_status (*open)(pp_backend **backend);
  void (*close)(pp_backend *backend);
} pp_backend_plugin;

/* What a plugin exports: one of these, or both. Neither answers NULL. */
#define PP_PLANNER_PLUGIN "pp_planner_plugin_v1"
#define PP_BACKEND_PLUGIN "pp_backend_plugin_v1"
const pp_planner_plugin *pp_planner_plugin_v1(void);
const pp_backend_plugin *pp_backend_plugin_v1(void);

#ifdef __cplusplus
}
#endif

#endif
