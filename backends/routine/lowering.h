/* poolproof: what the files of lowering share among themselves.
 * SPDX-License-Identifier: MIT */
#ifndef PP_LOWERING_H
#define PP_LOWERING_H

#include <poolproof/lower.h>

/* What virtual nodes make of an expression, at most: what it takes of a
 * statement's limits. */
typedef struct pp_bulk {
  unsigned steps;
  unsigned depth;
  unsigned slots;
  unsigned inner;
  unsigned reads;
  unsigned levels; /* of virtual nodes in virtual nodes */
} pp_bulk;

/* What is known of a node. Lines are those of pp_lowering; SIZE_MAX: none.
 * filled      the first access is a set that fills it
 * recurrence  a later write is no fold over all of it, or reads it
 * precise     all readers compute in its dtype
 * reached     all readers have points
 * seen        some line accesses it
 * writes      of it in pp_lowering.write, from `write` on
 * extent      reduction extent (RTN-4)
 * reads       of one cell
 * changed     since the last decisions: where it is, or how it is computed
 * The rest is what was decided; leaf, fan, bulk: of virtual nodes: the nodes
 * that their expression reads, how many elements, and what it takes. */
typedef struct pp_fact {
  size_t last_read;
  size_t first_read;
  size_t write, writes;
  bool seen, filled, recurrence, precise, reached;
  bool used;
  uint64_t extent;
  uint64_t reads;
  pp_placement placement;
  pp_reason reason;
  bool too_big;
  bool changed;
  uint64_t cost;
  uint64_t fan;
  pp_bulk bulk;
  unsigned leaves;
  size_t leaf[PP_READS];
} pp_fact;

/* One lowering on its way.
 * node      the source's, and behind them, by uid, those that only recalled
 *           statements read
 * recalled  statements of the lineage that go before the source's
 * line      the code: the source's statements or recalled ones, in order
 * made      line i rewritten, or NULL; the lowering's own
 * write     the lines that write a node, node by node
 * barriers  how many barriers are before line i
 * joins     line i is in the kernel of the last one before it that stays
 * gone      line i computes a virtual node
 * current   made[i] is what the decisions make of line i
 * flip      decide that these are virtual, by node; NULL: none */
typedef struct pp_lowering {
  const pp_routine *source;
  pp_lower_options options;
  pp_failure *failure;
  size_t nodes;
  pp_node *node;
  pp_statement *recalled;
  size_t recalls;
  size_t lines;
  const pp_statement **line;
  pp_statement **made;
  bool *gone;
  bool *current;
  const bool *flip;
  bool *joins;
  size_t *write;
  size_t *barriers;
  bool opaque;
  pp_fact *fact;
} pp_lowering;

/* The statements of the lineage that the source needs, and what they read. */
pp_status pp_recall_all(pp_lowering *lowering);

/* Prepares nodes and lines. Close it after an error too. */
pp_status pp_lowering_open(pp_lowering *lowering, const pp_routine *source,
                           const pp_lower_options *options,
                           pp_failure *failure);
void pp_lowering_close(pp_lowering *lowering);

pp_status pp_lowering_no_memory(const pp_lowering *lowering);

/* Everything up to the final lines, decisions included. */
pp_status pp_lowering_run(pp_lowering *lowering);

/* Decides again, with `flip` as it is now, and rewrites the lines that this
 * changes (FPT-4). */
pp_status pp_lowering_again(pp_lowering *lowering);

/* Line i as it stands in the final code. */
const pp_statement *pp_lowering_line(const pp_lowering *lowering, size_t i);

/* RTN-2. */
pp_status pp_sink(pp_lowering *lowering);

/* Accesses of each node, in the order of the lines. */
pp_status pp_facts_collect(pp_lowering *lowering);

/* RTN-3: placements, reasons, costs. */
void pp_decide(pp_lowering *lowering);

/* The last write of a node that has one. */
static inline size_t pp_last_write(const pp_lowering *lowering,
                                   const pp_fact *fact) {
  return lowering->write[fact->write + fact->writes - 1];
}

/* The node of that uid, no merge node; SIZE_MAX: there is none. */
size_t pp_lowering_find(const pp_lowering *lowering, uint64_t uid);

/* Rewrites the lines that read virtual nodes. *again: some did not fit after
 * all, what they read was marked as too big, decide again. */
pp_status pp_inline(pp_lowering *lowering, bool *again);

/* The one statement that computes a virtual node; *fits: is there one within
 * the limits? */
pp_status pp_inline_whole(const pp_lowering *lowering, size_t node,
                          pp_statement *statement, bool *fits);

/* RTN-5. */
pp_status pp_schedule(pp_lowering *lowering);

/* RTN-6: writes the spans of all nodes in the final code, or none, into them.
 * Positions count kernels. Sets fact.used. */
pp_status pp_lives(pp_lowering *lowering);

/* Does the node belong to the final code? */
bool pp_in_context(const pp_lowering *lowering, size_t node);

/* How far the code is. */
typedef enum pp_stage {
  PP_STAGE_SUNK,
  PP_STAGE_INLINED,
  PP_STAGE_FINAL
} pp_stage;

/* The code as a sealed routine. */
pp_status pp_lowering_build(const pp_lowering *lowering, pp_stage stage,
                            const char *name, pp_routine **routine);

/* RTN-1: how a virtual node is computed from constants alone. */
typedef struct pp_record {
  size_t holders;
  pp_node node;
  size_t operands;
  pp_node *operand;       /* their data is the record's own */
  pp_statement statement; /* node 0 is the target, operand i is node i + 1 */
} pp_record;

/* What a lineage knows of a virtual node.
 * record  NULL: it can only be computed in its own routine, because of what it
 *         reads there: `by`, when that is no constant; or because no one
 *         statement within the limits computes it
 * gone    it is in context from now on; only while a fork is made */
typedef struct pp_recall {
  uint64_t uid;
  pp_record *record;
  bool changes;
  uint64_t by;
  bool gone;
} pp_recall;

/* NULL: it has no virtual node of that uid. */
const pp_recall *pp_lineage_recall(const pp_lineage *lineage, uint64_t uid);
bool pp_lineage_recalls(const pp_lineage *lineage);

/* False, placement as it was: there is no decision. */
bool pp_lineage_decision(const pp_lineage *lineage, uint64_t uid,
                         pp_placement *placement);

/* *fork = lineage with the decision that these nodes, by uid, are virtual. */
pp_status pp_lineage_inline(const pp_lineage *lineage, const uint64_t *uid,
                            size_t n, pp_lineage **fork, pp_failure *failure);

/* RTN-1: the routine's name in this lineage; from malloc. */
char *pp_lineage_name(const pp_lineage *lineage, const char *name);

/* The fork that a child context gets. */
pp_status pp_lineage_after(const pp_lowering *lowering, const char *name,
                           pp_lineage **fork);

/* Does the context hold a node of that uid? */
bool pp_lowering_held(const pp_lowering *lowering, uint64_t uid);

/* RTN-1: source, sunk, inlined and final code as text, from malloc. */
pp_status pp_stages_text(const pp_lowering *lowering, const pp_routine *final,
                         char **text);

#endif
