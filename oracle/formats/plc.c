#include "formats/parts.h"
#include "number.h"
#include "output.h"

#include <endian.h>
#include <inttypes.h>
#include <string.h>

enum {
  PP_PLC_ID,
  PP_PLC_BIRTH,
  PP_PLC_DEATH,
  PP_PLC_SIZE,
  PP_PLC_ALIGN = 6,
  PP_PLC_REQUESTED,
  PP_PLC_WORDS,
  PP_PLC_BYTES = 8 * PP_PLC_WORDS
};

static uint64_t word(const unsigned char *record, unsigned k) {
  uint64_t big = 0;
  memcpy(&big, record + (size_t)8 * k, sizeof big);
  return be64toh(big);
}

static int add_record(pp_builder *builder, const char *name,
                      const unsigned char *record, pp_ends ends,
                      pp_diag *diag) {
  size_t at = builder->problem->n;
  uint64_t lower = word(record, PP_PLC_BIRTH);
  uint64_t upper = word(record, PP_PLC_DEATH);
  uint64_t asked = word(record, PP_PLC_REQUESTED);
  pp_item item = {.size = word(record, PP_PLC_SIZE),
                  .align = word(record, PP_PLC_ALIGN),
                  .lo = lower,
                  .hi = upper,
                  .has_span = true};
  char where[32];
  snprintf(where, sizeof where, "record %zu", at);
  if (asked > item.size)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: %s: requested size %" PRIu64
                        " is above its size %" PRIu64,
                        name, where, asked, item.size);
  if (!pp_ends_close(ends, &item.lo, &item.hi))
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: %s: life from %" PRIu64 " to %" PRIu64
                        " is empty: %s (ARN, BAD_SPAN)",
                        name, where, lower, upper, pp_ends_rule(ends));
  return pp_import_add(builder, name, where, word(record, PP_PLC_ID),
                       PP_DEFAULT_CLASS, item, diag);
}

int pp_import_plc(const pp_bytes *bytes, const pp_import_options *options,
                  pp_problem *problem, pp_diag *diag) {
  pp_builder builder = {.problem = problem};
  *problem = (pp_problem){.kind = PP_ARENA, .cap = PP_CAP_USUAL};
  if (bytes->size % PP_PLC_BYTES != 0)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: %zu bytes are no whole number of records of 64",
                        bytes->name, bytes->size);
  int status = 0;
  for (size_t at = 0; status == 0 && at < bytes->size; at += PP_PLC_BYTES)
    status =
        add_record(&builder, bytes->name, bytes->at + at, options->ends, diag);
  return pp_builder_end(&builder, status);
}

/* Is the id a number as pp_import_add writes it? */
static bool numbered(const char *id, uint64_t *number) {
  return !pp_parse_u64(id, number) && (id[0] != '0' || id[1] == '\0');
}

static bool all_numbered(const pp_problem *problem) {
  uint64_t ignored = 0;
  size_t i = 0;
  while (i < problem->n && numbered(problem->ids[i], &ignored))
    i++;
  return i == problem->n;
}

/* What .plc cannot say of the item; NULL: nothing. */
static const char *unsayable(const pp_problem *problem, size_t i) {
  uint64_t ignored = 0;
  if (problem->items[i].item_class != problem->items[0].item_class)
    return ".plc has no classes; --flatten drops them";
  if (!pp_has_life(problem, i))
    return ".plc knows no items that are always live; --flatten lets them "
           "live from the first step to the last";
  if (!numbered(problem->ids[i], &ignored))
    return ".plc ids are whole numbers from 0 to 2^64 - 1; --flatten takes "
           "positions";
  return NULL;
}

static int put_record(FILE *out, const char *name, const pp_problem *problem,
                      size_t i, bool ids, const pp_export_options *options,
                      pp_diag *diag) {
  const pp_item *item = &problem->items[i];
  uint64_t words[PP_PLC_WORDS] = {i};
  uint64_t lower = item->lo;
  uint64_t upper = item->hi;
  const char *wrong = options->flatten ? NULL : unsayable(problem, i);
  if (wrong) return pp_item_fail(diag, name, problem, i, wrong);
  if (ids) numbered(problem->ids[i], &words[PP_PLC_ID]);
  if (!pp_has_life(problem, i)) pp_steps_of(problem, &lower, &upper);
  if (!pp_ends_open(options->ends, &lower, &upper))
    return pp_item_fail(diag, name, problem, i,
                        "its life takes in step 0 or 2^64 - 1, beyond which "
                        "exclusive ends cannot be; --write-spans inclusive "
                        "has none");
  words[PP_PLC_BIRTH] = lower;
  words[PP_PLC_DEATH] = upper;
  words[PP_PLC_SIZE] = words[PP_PLC_REQUESTED] = item->size;
  words[PP_PLC_ALIGN] = item->align;
  for (size_t k = 0; k < PP_PLC_WORDS; k++)
    words[k] = htobe64(words[k]);
  if (fwrite(words, sizeof words, 1, out) == 1) return 0;
  return pp_fail_write(out, diag);
}

int pp_export_plc(FILE *out, const char *name, const pp_problem *problem,
                  const pp_export_options *options, pp_diag *diag) {
  bool ids = all_numbered(problem);
  if (options->ends == PP_ENDS_SAID)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        ".plc does not say how lives end; --write-spans "
                        "exclusive, half-open or inclusive does");
  for (size_t i = 0; i < problem->n; i++)
    if (put_record(out, name, problem, i, ids, options, diag) != 0)
      return diag->code;
  return 0;
}
