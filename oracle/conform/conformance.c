#include "conformance.h"

#include <stdlib.h>

void pp_finding_free(pp_finding *finding) {
  pp_ask_free(&finding->ask);
  pp_reply_free(&finding->said);
  pp_reply_free(&finding->expected);
}

bool pp_finding_alike(const pp_finding *a, const pp_finding *b) {
  return a->misdeed == b->misdeed && a->judgement.wrong == b->judgement.wrong &&
         a->ask.verb == b->ask.verb;
}

size_t pp_conformance_open(const pp_conformance *conformance) {
  size_t open = 0;
  for (size_t k = 0; k < conformance->findings; k++)
    open += !conformance->finding[k].waived;
  return open;
}

/* Was it put off more often than it was answered? */
static bool evaded(const pp_tally *tally) {
  return tally->skipped + tally->unsupported > tally->agreed;
}

bool pp_conforms(const pp_conformance *conformance) {
  bool agreed = false;
  for (size_t v = 0; v < PP_ASK_COUNT; v++) {
    const pp_tally *vectors = &conformance->vectors[v];
    const pp_tally *fuzz = &conformance->fuzz[v];
    if (evaded(vectors) || evaded(fuzz)) return false;
    agreed = agreed || vectors->agreed > 0 || fuzz->agreed > 0;
  }
  return agreed && pp_conformance_open(conformance) == 0;
}

void pp_conformance_free(pp_conformance *conformance) {
  for (size_t k = 0; k < conformance->findings; k++)
    pp_finding_free(&conformance->finding[k]);
  free(conformance->finding);
  free(conformance->outcome);
  free(conformance->stale);
  *conformance = (pp_conformance){0};
}
