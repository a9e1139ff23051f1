/* poolproof: what is kept of an HloProto, however it is written.
 * SPDX-License-Identifier: MIT */
#ifndef PP_XLA_H
#define PP_XLA_H

#include "formats/parts.h"

/* The messages that are looked into. */
typedef enum pp_xla_message {
  PP_XLA_HLO,
  PP_XLA_ASSIGNMENT,
  PP_XLA_BUFFER,     /* logical buffer: id, size */
  PP_XLA_ALLOCATION, /* index, size */
  PP_XLA_PLACE,      /* of an allocation: buffer, offset, size */
  PP_XLA_TRACE,      /* allocation */
  PP_XLA_EVENT,      /* of a trace: kind, buffer, canonical buffer */
  PP_XLA_MESSAGES,
  PP_XLA_NUMBER = PP_XLA_MESSAGES /* a field's value is a number */
} pp_xla_message;

enum { PP_XLA_ALLOC, PP_XLA_FREE, PP_XLA_SHARE_WITH };

/* One message's numbers; absent ones are 0, negative ones in two's
 * complement. parent: its position among the messages that it is in. */
typedef struct pp_xla_record {
  size_t parent;
  uint64_t value[3];
} pp_xla_record;

/* A field that is kept: of which message, its number and its name, and what it
 * holds: a message, or the number for value[slot]. */
typedef struct pp_xla_field {
  pp_xla_message in;
  unsigned number;
  const char *name;
  pp_xla_message holds;
  unsigned slot;
} pp_xla_field;

typedef struct pp_xla_list {
  pp_xla_record *record; /* owned */
  size_t n, room;
} pp_xla_list;

/* All messages in the order in which they end. */
typedef struct pp_xla {
  pp_xla_list list[PP_XLA_MESSAGES];
} pp_xla;

/* The field of that number, or called that (length bytes); NULL: not kept. */
const pp_xla_field *pp_xla_numbered(pp_xla_message in, uint64_t number);
const pp_xla_field *pp_xla_named(pp_xla_message in, const char *name,
                                 size_t length);

/* Adds a message that has ended. */
int pp_xla_add(pp_xla *xla, pp_xla_message message, const pp_xla_record *record,
               pp_diag *diag);

/* Read an HloProto in wire format, in text. Return 0 or diag's status. */
int pp_xla_binary(const pp_bytes *bytes, pp_xla *xla, pp_diag *diag);
int pp_xla_text(const pp_bytes *bytes, pp_xla *xla, pp_diag *diag);

/* The problem and, where one is assigned, the layout of an allocation. */
int pp_xla_problem(const char *name, const pp_xla *xla,
                   const pp_import_options *options, pp_import *import,
                   pp_diag *diag);

#endif
