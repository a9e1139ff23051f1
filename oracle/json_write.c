#include "json.h"
#include "output.h"

#include <inttypes.h>
#include <jansson.h>

bool pp_json_put_number(FILE *out, const char *before, uint64_t value) {
  const char *quote = value > UINT64_C(1) << 53 ? "\"" : "";
  return fprintf(out, "%s%s%" PRIu64 "%s", before, quote, value, quote) > 0;
}

bool pp_json_put_text(FILE *out, const char *before, const char *text) {
  json_t *string = json_string(text);
  bool good = string && fputs(before, out) >= 0 &&
              json_dumpf(string, out, JSON_ENCODE_ANY) == 0;
  json_decref(string);
  return good;
}

int pp_json_written(FILE *out, bool all, pp_diag *diag) {
  if (all) return 0;
  if (ferror(out)) return pp_fail_write(out, diag);
  return pp_fail_memory(diag);
}

static bool put_item(FILE *out, const pp_problem *problem, size_t i) {
  const pp_item *item = &problem->items[i];
  bool good = pp_json_put_text(
                  out, i ? ",\n{\"id\":" : "\n{\"id\":", problem->ids[i]) &&
              pp_json_put_number(out, ",\"size\":", item->size) &&
              pp_json_put_number(out, ",\"align\":", item->align) &&
              pp_json_put_text(
                  out, ",\"class\":", problem->class_names[item->item_class]);
  if (good && item->has_span)
    good = pp_json_put_number(out, ",\"span\":[", item->lo) &&
           pp_json_put_number(out, ",",
                              problem->half_open ? item->hi + 1 : item->hi) &&
           fputs("]", out) >= 0;
  return good && fputs("}", out) >= 0;
}

int pp_json_problem_write(FILE *out, const pp_problem *problem, pp_diag *diag) {
  bool good = fprintf(out, "{\"poolproof\":\"problem/1\",\"kind\":\"%s\"",
                      problem->kind == PP_ARENA ? "arena" : "segments") > 0 &&
              (!problem->has_cap ||
               pp_json_put_number(out, ",\"cap\":", problem->cap)) &&
              fprintf(out, ",\"spans\":\"%s\",\"items\":[",
                      problem->half_open ? "half-open" : "closed") > 0;
  for (size_t i = 0; good && i < problem->n; i++)
    good = put_item(out, problem, i);
  return pp_json_written(out, good && fputs("\n]}\n", out) >= 0, diag);
}

static bool put_peak(FILE *out, const pp_problem *problem,
                     const pp_facts *facts, size_t k, const char *before) {
  const pp_peak *peak = &facts->peak[k];
  bool first = true;
  bool good = fputs(before, out) >= 0;
  if (k > 0)
    good = good &&
           pp_json_put_text(
               out, "\"class\":", problem->class_names[peak->item_class]) &&
           pp_json_put_number(out, ",\"step\":", peak->step) &&
           fputs(",", out) >= 0;
  good = good && pp_json_put_number(out, "\"bytes\":", peak->bytes) &&
         fputs(",\"items\":[", out) >= 0;
  for (size_t m = facts->first[k]; good && m < facts->first[k + 1]; m++) {
    size_t i = facts->member[m];
    if (!pp_live_at(&problem->items[i], peak)) continue;
    good = pp_json_put_text(
               out, first ? "{\"id\":" : ",{\"id\":", problem->ids[i]) &&
           pp_json_put_number(out, ",\"size\":", problem->items[i].size) &&
           fputs("}", out) >= 0;
    first = false;
  }
  return good && fputs("]}", out) >= 0;
}

static bool put_placements(FILE *out, const pp_problem *problem,
                           const pp_layout *layout) {
  bool good = fputs(",\"items\":[", out) >= 0;
  for (size_t i = 0; good && i < layout->n; i++)
    good = pp_json_put_text(
               out, i ? ",\n{\"id\":" : "\n{\"id\":", problem->ids[i]) &&
           pp_json_put_number(out, ",\"segment\":", layout->segment[i]) &&
           pp_json_put_number(out, ",\"offset\":", layout->offset[i]) &&
           fputs("}", out) >= 0;
  return good && fputs("\n]", out) >= 0;
}

static bool put_facts(FILE *out, const pp_problem *problem,
                      const pp_facts *facts) {
  bool good = pp_json_put_number(out, ",\"lower_bound\":", facts->bound) &&
              pp_json_put_number(out, ",\"no_reuse\":", facts->no_reuse) &&
              fputs(",\"peaks\":[", out) >= 0;
  bool first = true;
  for (size_t k = 0; good && k < facts->peaks; k++) {
    if (facts->peak[k].bytes == 0) continue;
    good = put_peak(out, problem, facts, k, first ? "\n{" : ",\n{");
    first = false;
  }
  return good && fputs("]", out) >= 0;
}

int pp_layout_write_json(FILE *out, const pp_problem *problem,
                         const pp_layout *layout, const pp_facts *facts,
                         const char *kind, const char *planner, uint64_t cap,
                         pp_diag *diag) {
  bool good = fprintf(out, "{\"poolproof\":\"layout/1\",\"status\":\"%s\"",
                      pp_status_name(layout->status)) > 0 &&
              pp_json_put_text(out, ",\"kind\":", kind) &&
              pp_json_put_text(out, ",\"planner\":", planner) &&
              pp_json_put_number(out, ",\"cap\":", cap);
  if (layout->status == PP_ITEM_OVER_CAP || layout->status == PP_BAD_SPAN)
    good = good && pp_json_put_number(out, ",\"index\":", layout->index);
  if (layout->status == PP_OK) {
    good = good &&
           pp_json_put_number(out, ",\"total\":", pp_layout_total(layout)) &&
           fputs(",\"segments\":[", out) >= 0;
    for (size_t k = 0; good && k < layout->segments; k++)
      good = pp_json_put_number(out, k ? "," : "", layout->size[k]);
    good = good && fputs("]", out) >= 0;
  }
  if (layout->status != PP_BAD_SPAN)
    good = good && put_facts(out, problem, facts);
  if (layout->status == PP_OK)
    good = good && put_placements(out, problem, layout);
  return pp_json_written(out, good && fputs("}\n", out) >= 0, diag);
}
