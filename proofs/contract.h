/* poolproof: what the code that proofs/contracts makes is linked with.
 *
 * A violated clause prints one line on standard error and aborts:
 *
 *   contract: FUNCTION: ensures seg_4_sizes_exact (SEG-4) is violated
 *
 * PP_CONTRACT_ITEMS  static helpers check their contracts while the arrays
 *                    that they are given have at most so many entries (64;
 *                    -1: never); public functions always do
 * PP_CONTRACT_LOG    a file to which a process appends, when it exits, a line
 *                    for each function: NAME EVALUATED LEFT-OUT
 *
 * Thread-safe. SPDX-License-Identifier: MIT */
#ifndef PP_CONTRACT_H
#define PP_CONTRACT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ACSL's integers: sums of 64-bit values do not wrap. */
typedef __int128 pp_int;

/* A function with a contract, and how often it was called. */
typedef struct pp_contract_site {
  const char *name; /* FILE:FUNCTION, or FUNCTION when it is public */
  bool always;      /* it is public */
  atomic_size_t evaluated;
  atomic_size_t left_out;
  struct pp_contract_site *next;
} pp_contract_site;

/* The cells first to last of an array; none when last < first. */
typedef struct pp_contract_set {
  const void *base;
  size_t cell;
  pp_int first;
  pp_int last;
} pp_contract_set;

/* Cells and what was in them when the function was called. */
typedef struct pp_contract_kept {
  const unsigned char *begin;
  size_t bytes;
  size_t cell;
  unsigned char *copy;
} pp_contract_kept;

/* Cells that a list of assigns names: list 0 is the contract's, the others
 * are its behaviors'. */
typedef struct pp_contract_allowed {
  int list;
  const unsigned char *begin;
  size_t bytes;
} pp_contract_allowed;

enum { PP_CONTRACT_ALLOWED = 16, PP_CONTRACT_FEW = 8, PP_CONTRACT_ROOM = 512 };

/* One call of a function while its contract is looked at. */
typedef struct pp_contract_frame {
  pp_contract_kept *kept;
  size_t count;
  size_t room;
  size_t used; /* bytes of small that are taken */
  size_t lists;
  pp_contract_kept few[PP_CONTRACT_FEW];
  pp_contract_allowed allowed[PP_CONTRACT_ALLOWED];
  _Alignas(16) unsigned char small[PP_CONTRACT_ROOM];
} pp_contract_frame;

/* Prints the line and aborts. */
_Noreturn void pp_contract_failed(const char *function, const char *clause);

/* Makes the function known to the log. */
void pp_contract_register(pp_contract_site *site);

/* Counts the call; whether its contract is to be looked at, given that it
 * speaks of arrays of size cells. */
bool pp_contract_enter(pp_contract_site *site, pp_int size);

void pp_contract_open(pp_contract_frame *frame);
void pp_contract_close(pp_contract_frame *frame);

/* Copies the cells first to last of base, and returns the copy of base[first],
 * NULL when there is none. Reading them all is what makes AddressSanitizer
 * see what is not valid; it also knows where the copy ends. */
const void *pp_contract_keep(pp_contract_frame *frame, const void *base,
                             size_t cell, pp_int first, pp_int last);

/* Copies one cell, base[index], whose copy no clause reads. */
void pp_contract_keep_cell(pp_contract_frame *frame, const void *base,
                           size_t cell, pp_int index);

/* The cells first to last of base may change. */
void pp_contract_allow(pp_contract_frame *frame, int list, const void *base,
                       size_t cell, pp_int first, pp_int last);

/* Fails unless all kept cells are as they were but those of the list. */
void pp_contract_unchanged(const pp_contract_frame *frame, int list,
                           const char *function, const char *clause);

/* Whether no two of the sets share a byte. */
bool pp_contract_separated(const pp_contract_set *sets, size_t count);

/* The index; aborts at one that no array has. */
size_t pp_ix(pp_int index);

static inline pp_int pp_max(pp_int a, pp_int b) {
  return a > b ? a : b;
}

static inline pp_int pp_min(pp_int a, pp_int b) {
  return a < b ? a : b;
}

#endif
