"""Faults of lowering, schedules, spans, score and fit.

What pp_routine_seal checks would find many of these by itself, so where it
would its check is out of the way as well: the oracles have to find them."""

D, FIT, FP, I, J, LAYOUT, LI, LIVES, R, REC, SCHED, SEAL, SINK = (
    f"backends/routine/{name}.c"
    for name in ("decide", "fit", "footprint", "inline", "joins", "layout",
                 "lineage", "lives", "recall", "record", "schedule", "spans",
                 "sink"))
# Seal believes every span, and every kernel.
SPANS = {"also": (
    SEAL, "  for (size_t i = 0; status == PP_OK && i < routine->nodes; i++)\n"
    "    if (routine->node[i].has_span) {",
    "  for (size_t i = routine->nodes; i < routine->nodes; i++)\n"
    "    if (routine->node[i].has_span) {")}
KERNELS = {"also": (J, "  return !touch->writes || !touch->mixed;",
                    "  return true;")}
INTENTS = "here->intents == 0 && !here->data && fact->used && fact->filled &&"
# name, then (file, what stands there exactly once, what is put instead) ...
FAULTS = [
    ("spans: last read one early", SPANS,
     (LIVES, "    if (!node->has_span) node->lo = node->hi = 0;",
      "    if (!node->has_span) node->lo = node->hi = 0;\n"
      "    if (node->hi > node->lo) node->hi--;")),
    ("spans: first write one late", SPANS,
     (LIVES, "    if (!node->has_span) node->lo = node->hi = 0;",
      "    if (!node->has_span) node->lo = node->hi = 0;\n"
      "    if (node->hi > node->lo) node->lo++;")),
    ("spans: one for a node without reader", SPANS,
     (LIVES, f"{INTENTS}\n         read[node];",
      f"{INTENTS}\n         read[node] == read[node];")),
    ("spans: one for a node that is read before it is written", SPANS,
     (LIVES, INTENTS, INTENTS.replace("fact->filled", "true"))),
    ("spans: one for an observable node", SPANS,
     (LIVES, INTENTS, INTENTS.replace(
         "here->intents == 0", "(here->intents & ~PP_OBSERVABLE) == 0"))),
    ("spans: one for a host-initialised node", SPANS,
     (LIVES, INTENTS, INTENTS.replace(
         "here->intents == 0", "(here->intents & ~PP_HOST) == 0"))),
    ("spans: one for a constant", SPANS,
     (LIVES, INTENTS,
      "(here->intents & ~PP_CONSTANT) == 0 && fact->used &&\n"
      "         (fact->filled || here->intents == PP_CONSTANT) &&")),
    ("spans: one for a merge node", SPANS,
     (LIVES, INTENTS,
      "(here->intents & ~PP_MERGE) == 0 && !here->data && fact->used &&\n"
      "         (fact->filled || here->intents == PP_MERGE) &&")),
    ("spans: one for a node with data", SPANS,
     (LIVES, INTENTS, INTENTS.replace("!here->data && ", ""))),
    ("spans: some beside opaque code", SPANS,
     (LIVES, "return !lowering->opaque && ", "return ")),
    ("spans: statements counted instead of kernels", SPANS,
     (LIVES, "if (!first && !lowering->joins[i]) position++;",
      "if (!first) position++;")),
    ("spans: barriers not counted", SPANS,
     (LIVES, "if (!first && !lowering->joins[i]) position++;",
      "if (!first && !lowering->joins[i] &&\n"
      "        pp_lowering_line(lowering, i)->kind != PP_BARRIER) position++;")),
    ("spans: an inlined operand's life not extended", SPANS,
     (LIVES, "statement = pp_lowering_line(lowering, i);",
      "statement = lowering->line[i];")),
    ("sinking: across a read",
     (SINK, "    ahead->access[statement->read[r].node] = at;", "    (void)r;")),
    ("sinking: across a write",
     (SINK, "  ahead->access[statement->target.node] = at;\n",
      "  if (statement->fold == PP_FOLD_SET)\n"
      "    ahead->access[statement->target.node] = at;\n")),
    ("sinking: across a barrier",
     (SINK, "if (statement->kind != PP_ASSIGN) ahead->fence = at;",
      "if (statement->kind == PP_OPAQUE) ahead->fence = at;")),
    ("sinking: across an opaque statement",
     (SINK, "if (statement->kind != PP_ASSIGN) ahead->fence = at;",
      "if (statement->kind == PP_BARRIER) ahead->fence = at;"),
     (SINK, "if (statement->kind == PP_OPAQUE) ahead->opaque = at;",
      "if (statement->kind == PP_BARRIER) ahead->opaque = SIZE_MAX;")),
    ("sinking: what does not zero all of its node sinks",
     (SINK, "pp_statement_fills(statement, "
      "&lowering->node[statement->target.node]);",
      "statement->fold == PP_FOLD_SET;")),
    ("sinking: any literal is a zero",
     (SINK, "statement->step[0].bits == 0", "true")),
    ("inlining: across a write to an operand",
     (D, "      if (written_between(lowering, leaf[k], at, fact->last_read))\n"
      "        return PP_REASON_OPERAND;\n", "")),
    ("inlining: across a write to an operand's operand",
     (D, "      if (written_between(lowering, leaf[k], at, ",
      "      if (!operand && written_between(lowering, leaf[k], at, ")),
    ("inlining: across a barrier",
     (D, "    return PP_REASON_BARRIER;", "    reason_ignored();"),
     (D, "/* What the law says of the node alone. */",
      "static void reason_ignored(void) {}\n")),
    ("inlining: beside opaque code",
     (D, "  if (lowering->opaque) return PP_REASON_OPAQUE;\n", "")),
    ("inlining: a node that is not filled",
     (D, "  if (!fact->filled) return PP_REASON_UNFILLED;\n", "")),
    ("inlining: a recurrence",
     (D, "  if (fact->recurrence) return PP_REASON_RECURRENCE;\n", "")),
    ("inlining: a node that is read before its last statement",
     (D, "  if (fact->first_read <= pp_last_write(lowering, fact))\n"
      "    return PP_REASON_INTERRUPTED;\n", "")),
    ("inlining: into another precision",
     (D, "  if (!fact->precise) return PP_REASON_PRECISION;\n", "")),
    ("inlining: a node with data",
     (D, "  if (node->data) return PP_REASON_DATA;\n", "")),
    ("inlining: an observable node",
     (D, "  if (node->intents != 0) return PP_REASON_INTENT;\n",
      "  if ((node->intents & ~PP_OBSERVABLE) != 0) return PP_REASON_INTENT;"
      "\n")),
    ("inlining: a node that the context holds",
     (D, "  if (pp_lowering_held(lowering, node->uid)) return PP_REASON_HELD;"
      "\n", "")),
    ("inlining: folds forgotten",
     (I, "  for (size_t w = 1; w < fact->writes && term != PP_NO_TERM; w++)",
      "  for (size_t w = 1; w < 1; w++)")),
    ("decisions: law overridden",
     (D, "  if (fact->reason != PP_REASON_POLICY) return;\n",
      "  if (fact->reason != PP_REASON_POLICY &&\n"
      "      fact->reason != PP_REASON_OPERAND) return;\n")),
    ("kernels: a cut dropped", KERNELS,
     (SCHED, "  if (!writes && !touch->writes) return true;",
      "  if (!writes || !touch->writes) return true;")),
    ("kernels: a cut before a write dropped", KERNELS,
     (SCHED, "  if (!writes && !touch->writes) return true;",
      "  if (!touch->writes) return true;")),
    ("kernels: other loops merged",
     (SCHED, "!pp_same_loops(kernel->last, statement))", "false)")),
    ("kernels: reductions merged",
     (SCHED, "statement->kind == PP_ASSIGN && !pp_statement_reduces("
      "statement, rank);", "statement->kind == PP_ASSIGN && rank < 9;"),
     (J, "  return pp_statement_reduces(statement,\n",
      "  return false && pp_statement_reduces(statement,\n")),
    ("footprint: constants counted as working",
     (FP, "bool constant = (node[i]->intents & PP_CONSTANT) != 0;",
      "bool constant = node[i]->intents == (PP_CONSTANT | PP_HOST);")),
    ("footprint: reuse where there is to be none",
     (FP, "bool reuse = !constant && !options->no_reuse;",
      "bool reuse = !constant;")),
    ("footprint: merge nodes counted",
     (FP, "    if ((node[i]->intents & PP_MERGE) != 0) continue;\n", "")),
    ("fit: reliefs ranked by products that overflow",
     (FIT, "__extension__ typedef unsigned __int128 pp_wide;",
      "typedef uint64_t pp_wide;"),
     (FIT, "  pp_wide left = (pp_wide)x.bytes * y_cost;",
      "  pp_probe_reached();\n  pp_wide left = (pp_wide)x.bytes * y_cost;")),
    ("fit: ties not by relief",
     (FIT, "  if (sign == 0) sign = compare_reliefs(x->solo, y->solo);\n",
      "  (void)compare_reliefs;\n")),
    ("fit: ties by the greater uid",
     (FIT, "return x->uid < y->uid ? -1 : x->uid > y->uid;",
      "return x->uid > y->uid ? -1 : x->uid < y->uid;")),
    ("fit: costs not looked at",
     (FIT, "(pp_wide)x.bytes * y_cost;", "(pp_wide)x.bytes + 0 * y_cost;"),
     (FIT, "(pp_wide)y.bytes * x_cost;", "(pp_wide)y.bytes + 0 * x_cost;")),
    ("fit: a flip without relief committed alone",
     (FIT, "  if (footprint.total < run->now.total) {",
      "  if (footprint.total <= run->now.total) {")),
    ("fit: a held flip committed alone",
     (FIT, "candidate->state.outcome = harms ? PP_FLIP_DROPPED : "
      "PP_FLIP_HELD;",
      "candidate->state.outcome = harms ? PP_FLIP_DROPPED : PP_FLIP_HELD;\n"
      "    run->flip[candidate->node] = !harms;")),
    ("fit: held flips never tried together",
     (FIT, "bool joint = status == PP_OK && !saves && "
      "flip_held(run, at, true);", "bool joint = status == PP_OK && false;")),
    ("fit: a group committed without those that were held",
     (FIT, "run->candidate[k].state.outcome = PP_FLIP_JOINED;",
      "run->candidate[k].state.outcome = PP_FLIP_UNTRIED;")),
    ("fit: a harmful group stays flipped",
     (FIT, "    (void)flip_held(run, at, false);\n", "")),
    ("fit: a dropped flip stays flipped",
     (FIT, "    run->flip[candidate->node] = false;\n    "
      "candidate->state.outcome",
      "    run->flip[candidate->node] = harms;\n    "
      "candidate->state.outcome")),
    ("fit: goes on after the budget is met",
     (FIT, "run->now.total <= budget->bytes", "run->now.total < "
      "budget->bytes")),
    ("fit: what changed is not rewritten",
     (I, "  bool keep = lowering->current[i] && !changed;",
      "  bool keep = lowering->current[i];")),
    ("recall: of what is computed from no constant",
     (REC, "    if ((node->intents & PP_CONSTANT) != 0) continue;\n",
      "    if (node) continue;\n"),
     (R, "        (grown[at].intents & PP_CONSTANT) == 0)",
      "        (grown[at].intents & PP_CONSTANT) == 99)")),
    ("recall: of what is written again",
     (R, "  if (need->written) return refuse(",
      "  if (need->written && false) return refuse(")),
    ("recall: of what the host fills by now",
     (R, "~(unsigned)PP_OBSERVABLE", "~(unsigned)(PP_OBSERVABLE | PP_HOST)")),
    ("recall: not of what is only observed by now",
     (R, "bool wanted = need->seen || here->intents != 0 || here->data;",
      "bool wanted = need->seen;")),
    ("recall: not done",
     (R, "  return pp_lineage_recall(lowering->options.lineage, here->uid);",
      "  return NULL;")),
    ("lineage: a decision leaks into what it came from",
     (LI, "  pp_lineage *own = pp_lineage_fork(lineage, &news);\n",
      "  if (lineage && lineage->decisions > 0)\n"
      "    lineage->decision[0].placement = decision->placement;\n"
      "  pp_lineage *own = pp_lineage_fork(lineage, &news);\n")),
    ("score: nothing in place of an arena over the cap",
     (LAYOUT, "if (status == PP_OVER_CAP) return pp_layout_segments(layout, "
      "cap, failure);",
      "if (status == PP_OVER_CAP && !spans)\n"
      "    return pp_layout_segments(layout, cap, failure);")),
    ("score: the dtype is no class",
     (LAYOUT, ".item_class = (uint32_t)node->dtype,", ".item_class = 0,")),
    ("score: nodes aligned to 64 whatever is asked",
     (LAYOUT, ".align = align,", ".align = 64,")),
    ("score: working and constants not summed",
     (FP, "!__builtin_add_overflow(footprint->working, footprint->constants,\n"
      "                                 &footprint->total)",
      "!__builtin_add_overflow(footprint->working, 0,\n"
      "                                 &footprint->total)")),
    ("score: dedicated wraps", {"demands": ("vectors",)},
     (FP, "    footprint->dedicated = UINT64_MAX;",
      "    footprint->dedicated += 0;")),
]

SECONDS = 120
DEMANDS = ("fuzz",)


def checks(name):
    table = {"fuzz": [("campaign", "fuzz-routine", "--seed", "1",
                       "--seconds", "{seconds}")],
             "tests": [("unit", "@(lower|lineage|footprint|routine*|loops|"
                        "plain_fit)/*")]}
    if name.startswith(("score", "footprint")):
        table["vectors"] = [("vectors",)]
    return table
