#include "formats/xla.h"

#include <inttypes.h>

enum { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_GROUP, WIRE_GROUP_END, WIRE_32 };

typedef struct pp_wire_reader {
  const pp_bytes *bytes;
  size_t at;
  pp_xla *xla;
  pp_diag *diag;
} pp_wire_reader;

static int wrong(const pp_wire_reader *reader, size_t at, const char *what) {
  return pp_diag_fail(reader->diag, PP_EXIT_INPUT,
                      "%s: byte %zu: %s; an HloProto is wanted",
                      reader->bytes->name, at, what);
}

/* Ten bytes at most, the tenth 0 or 1. */
static int varint(pp_wire_reader *reader, size_t end, uint64_t *value) {
  uint64_t sum = 0;
  size_t start = reader->at;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (reader->at == end) return wrong(reader, start, "a number is cut off");
    unsigned byte = reader->bytes->at[reader->at++];
    if (shift == 63 && byte > 1) break;
    sum |= (uint64_t)(byte & 127) << shift;
    if (byte > 127) continue;
    *value = sum;
    return 0;
  }
  return wrong(reader, start, "a number is longer than 64 bits");
}

/* A field that is not kept. */
static int skip(pp_wire_reader *reader, size_t start, size_t end,
                unsigned wire) {
  uint64_t size = 0;
  switch (wire) {
  case WIRE_VARINT:
    return varint(reader, end, &size);
  case WIRE_64:
    size = 8;
    break;
  case WIRE_32:
    size = 4;
    break;
  case WIRE_BYTES:
    if (varint(reader, end, &size) != 0) return reader->diag->code;
    break;
  case WIRE_GROUP:
  case WIRE_GROUP_END:
    return wrong(reader, start, "a group, which such files do not have");
  default:
    return wrong(reader, start, "a field of no kind that there is");
  }
  if (size > end - reader->at)
    return wrong(reader, start, "a field ends after the message that it is in");
  reader->at += size;
  return 0;
}

static int read_message(pp_wire_reader *reader, size_t end,
                        pp_xla_message message, size_t parent);

static int read_field(pp_wire_reader *reader, size_t end, pp_xla_message in,
                      pp_xla_record *record) {
  uint64_t tag = 0;
  uint64_t size = 0;
  size_t start = reader->at;
  if (varint(reader, end, &tag) != 0) return reader->diag->code;
  if (tag >> 3 == 0 || tag > UINT32_MAX)
    return wrong(reader, start, "no field's number");
  const pp_xla_field *field = pp_xla_numbered(in, tag >> 3);
  unsigned wire = (unsigned)(tag & 7);
  if (!field) return skip(reader, start, end, wire);
  if (wire != (field->holds == PP_XLA_NUMBER ? WIRE_VARINT : WIRE_BYTES)) {
    char what[80];
    snprintf(what, sizeof what, "field %u, %s, is written as something else",
             field->number, field->name);
    return wrong(reader, start, what);
  }
  if (field->holds == PP_XLA_NUMBER)
    return varint(reader, end, &record->value[field->slot]);
  if (varint(reader, end, &size) != 0) return reader->diag->code;
  if (size > end - reader->at)
    return wrong(reader, start, "a field ends after the message that it is in");
  return read_message(reader, reader->at + (size_t)size, field->holds,
                      reader->xla->list[in].n);
}

static int read_message(pp_wire_reader *reader, size_t end,
                        pp_xla_message message, size_t parent) {
  pp_xla_record record = {.parent = parent};
  while (reader->at < end)
    if (read_field(reader, end, message, &record) != 0)
      return reader->diag->code;
  return pp_xla_add(reader->xla, message, &record, reader->diag);
}

int pp_xla_binary(const pp_bytes *bytes, pp_xla *xla, pp_diag *diag) {
  pp_wire_reader reader = {.bytes = bytes, .xla = xla, .diag = diag};
  return read_message(&reader, bytes->size, PP_XLA_HLO, 0);
}
