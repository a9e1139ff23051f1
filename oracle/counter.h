/* poolproof: an allocator that counts, and fails where told.
 * SPDX-License-Identifier: MIT */
#ifndef PP_COUNTER_H
#define PP_COUNTER_H

#include <poolproof/planner.h>

/* Cheap: hands out a block of its own front to back and starts over when all
 * is given back. Under sanitizers plain malloc, so that they see each
 * allocation. Belongs to one thread. */
typedef struct pp_counter {
  unsigned char *block;
  size_t room; /* of block */
  size_t used;
  long live;      /* allocations less releases, since it was opened */
  size_t calls;   /* allocations asked for since the last start */
  size_t bytes;   /* bytes asked for since the last start */
  bool empty;     /* the system itself had none, once */
  size_t fail_at; /* the call that answers NULL, from 1; 0: none does */
} pp_counter;

/* The allocator whose state is counter (zeroed before its first use). */
pp_allocator pp_counter_allocator(pp_counter *counter);

/* Starts a count: calls and bytes 0, fail_at as given, live kept. */
void pp_counter_start(pp_counter *counter, size_t fail_at);

/* Whether fail_at was reached since the start. */
bool pp_counter_failed(const pp_counter *counter);

/* Gives back the block. */
void pp_counter_close(pp_counter *counter);

#endif
