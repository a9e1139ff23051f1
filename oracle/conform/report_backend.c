#include "backend_conform.h"

#include "reports.h"

#include <inttypes.h>

static void put_head(pp_sheet *sheet, const pp_backend_conformance *all) {
  pp_sheet_put(sheet, "backend \"");
  pp_sheet_text(sheet, PP_FORM_PLAIN, all->name, 128);
  pp_sheet_put(sheet, "\" ");
  pp_sheet_text(sheet, PP_FORM_PLAIN, all->version, 128);
  pp_sheet_print(sheet, ", %zu device%s, the first is \"", all->devices,
                 all->devices == 1 ? "" : "s");
  pp_sheet_text(sheet, PP_FORM_PLAIN, all->device, 128);
  pp_sheet_print(sheet, "\", alignment %" PRIu64 ", %s\n", all->alignment,
                 all->asynchronous ? "asynchronous" : "synchronous");
}

static void put_row(pp_sheet *sheet, const pp_backend_outcome *outcome) {
  const char *word = outcome->sentence[0]  ? "FOUND"
                     : outcome->cases == 0 ? "not tried"
                                           : "good";
  pp_sheet_print(sheet, "  %-12s %9" PRIu64 "  %-9s  %s\n", outcome->name,
                 outcome->cases, word, outcome->about);
}

static void put_again(pp_sheet *sheet, const pp_backend_conformance *all) {
  pp_sheet_put(sheet, "again: poolproof conform --plugin ");
  pp_sheet_text(sheet, PP_FORM_PLAIN, all->library, 4096);
  pp_sheet_print(sheet, " --seed %" PRIu64 "\n", all->seed);
}

int pp_backend_report_text(FILE *out, const pp_backend_conformance *all,
                           pp_diag *diag) {
  pp_sheet sheet = {.pen = {.out = out}, .diag = diag};
  put_head(&sheet, all);
  for (size_t k = 0; k < all->outcomes; k++)
    put_row(&sheet, &all->outcome[k]);
  for (size_t k = 0; k < all->outcomes; k++) {
    const pp_backend_outcome *outcome = &all->outcome[k];
    if (!outcome->sentence[0]) continue;
    pp_sheet_print(&sheet, "\nfound: %s: ", outcome->name);
    pp_sheet_text(&sheet, PP_FORM_PLAIN, outcome->sentence, PP_APART_TEXT);
    pp_sheet_put(&sheet, "\n");
  }
  put_again(&sheet, all);
  pp_sheet_put(&sheet, all->found > 0 ? "DOES NOT CONFORM\n" : "conforms\n");
  return pp_sheet_end(&sheet);
}

int pp_backend_report_json(FILE *out, const pp_backend_conformance *all,
                           pp_diag *diag) {
  pp_sheet sheet = {.pen = {.out = out}, .diag = diag};
  pp_sheet_put(&sheet, "{\"poolproof\":\"backend-conformance/1\"");
  pp_sheet_string(&sheet, ",\n\"library\":", all->library);
  pp_sheet_string(&sheet, ",\n\"name\":", all->name);
  pp_sheet_string(&sheet, ",\n\"version\":", all->version);
  pp_sheet_string(&sheet, ",\n\"device\":", all->device);
  pp_sheet_number(&sheet, ",\n\"devices\":", all->devices);
  pp_sheet_number(&sheet, ",\n\"alignment\":", all->alignment);
  pp_sheet_put(&sheet, ",\n\"asynchronous\":");
  pp_sheet_put(&sheet, all->asynchronous ? "true" : "false");
  pp_sheet_number(&sheet, ",\n\"seed\":", all->seed);
  pp_sheet_put(&sheet, ",\n\"conforms\":");
  pp_sheet_put(&sheet, all->found > 0 ? "false" : "true");
  pp_sheet_put(&sheet, ",\n\"parts\":[");
  for (size_t k = 0; k < all->outcomes; k++) {
    const pp_backend_outcome *outcome = &all->outcome[k];
    pp_sheet_string(&sheet,
                    k ? ",\n{\"part\":" : "\n{\"part\":", outcome->name);
    pp_sheet_number(&sheet, ",\"cases\":", outcome->cases);
    pp_sheet_put(&sheet, ",\"seconds\":");
    pp_sheet_real(&sheet, outcome->seconds);
    if (outcome->sentence[0])
      pp_sheet_string(&sheet, ",\"found\":", outcome->sentence);
    pp_sheet_put(&sheet, "}");
  }
  pp_sheet_put(&sheet, "]}\n");
  return pp_sheet_end(&sheet);
}
