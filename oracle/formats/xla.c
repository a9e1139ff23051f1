#include "formats/xla.h"

#include <stdlib.h>
#include <string.h>

static const pp_xla_field fields[] = {
    {PP_XLA_HLO, 3, "buffer_assignment", PP_XLA_ASSIGNMENT, 0},
    {PP_XLA_ASSIGNMENT, 1, "logical_buffers", PP_XLA_BUFFER, 0},
    {PP_XLA_ASSIGNMENT, 3, "buffer_allocations", PP_XLA_ALLOCATION, 0},
    {PP_XLA_ASSIGNMENT, 4, "heap_simulator_traces", PP_XLA_TRACE, 0},
    {PP_XLA_BUFFER, 1, "id", PP_XLA_NUMBER, 0},
    {PP_XLA_BUFFER, 2, "size", PP_XLA_NUMBER, 1},
    {PP_XLA_ALLOCATION, 1, "index", PP_XLA_NUMBER, 0},
    {PP_XLA_ALLOCATION, 2, "size", PP_XLA_NUMBER, 1},
    {PP_XLA_ALLOCATION, 9, "assigned", PP_XLA_PLACE, 0},
    {PP_XLA_PLACE, 1, "logical_buffer_id", PP_XLA_NUMBER, 0},
    {PP_XLA_PLACE, 2, "offset", PP_XLA_NUMBER, 1},
    {PP_XLA_PLACE, 3, "size", PP_XLA_NUMBER, 2},
    {PP_XLA_TRACE, 1, "events", PP_XLA_EVENT, 0},
    {PP_XLA_TRACE, 3, "buffer_allocation_index", PP_XLA_NUMBER, 0},
    {PP_XLA_EVENT, 1, "kind", PP_XLA_NUMBER, 0},
    {PP_XLA_EVENT, 2, "buffer_id", PP_XLA_NUMBER, 1},
    {PP_XLA_EVENT, 5, "share_with_canonical_id", PP_XLA_NUMBER, 2},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

const pp_xla_field *pp_xla_numbered(pp_xla_message in, uint64_t number) {
  for (size_t k = 0; k < FIELDS; k++)
    if (fields[k].in == in && fields[k].number == number) return &fields[k];
  return NULL;
}

const pp_xla_field *pp_xla_named(pp_xla_message in, const char *name,
                                 size_t length) {
  for (size_t k = 0; k < FIELDS; k++)
    if (fields[k].in == in && strlen(fields[k].name) == length &&
        memcmp(fields[k].name, name, length) == 0)
      return &fields[k];
  return NULL;
}

int pp_xla_add(pp_xla *xla, pp_xla_message message, const pp_xla_record *record,
               pp_diag *diag) {
  pp_xla_list *list = &xla->list[message];
  if (list->n == list->room) {
    size_t room = list->room > 0 ? 2 * list->room : 16;
    if (room > SIZE_MAX / sizeof *list->record) return pp_fail_memory(diag);
    pp_xla_record *more = realloc(list->record, room * sizeof *more);
    if (!more) return pp_fail_memory(diag);
    list->record = more;
    list->room = room;
  }
  list->record[list->n++] = *record;
  return 0;
}

int pp_import_xla(const pp_bytes *bytes, bool text,
                  const pp_import_options *options, pp_import *import,
                  pp_diag *diag) {
  pp_xla xla = {0};
  int status =
      text ? pp_xla_text(bytes, &xla, diag) : pp_xla_binary(bytes, &xla, diag);
  if (status == 0)
    status = pp_xla_problem(bytes->name, &xla, options, import, diag);
  for (size_t k = 0; k < PP_XLA_MESSAGES; k++)
    free(xla.list[k].record);
  return status;
}
