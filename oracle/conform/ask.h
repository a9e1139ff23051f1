/* poolproof: what an implementation is asked, and what it may answer.
 *
 * One question (pp_ask) is one request of the protocol (oracle/PROTOCOL.md),
 * one vector, or one input of a campaign. SPDX-License-Identifier: MIT */
#ifndef PP_ASK_H
#define PP_ASK_H

#include "case.h"
#include "spoil.h"

#include "ref/spans.h"

#include <poolproof/footprint.h>

/* Enumerator, word on the wire, the rules that answer it. */
#define PP_ASK_VERBS(X)                                                        \
  X(SEGMENTS, segments, "SEG")                                                 \
  X(ARENA, arena, "ARN")                                                       \
  X(VALIDATE, validate, "VAL")                                                 \
  X(SPANS, spans, "RTN-6")                                                     \
  X(SCORE, score, "FPT")                                                       \
  X(RELEASE, release, "REL")

typedef enum pp_ask_verb {
#define PP_ASK_ENUM(NAME, name, rules) PP_ASK_##NAME,
  PP_ASK_VERBS(PP_ASK_ENUM)
#undef PP_ASK_ENUM
      PP_ASK_COUNT
} pp_ask_verb;

/* What an implementation may lack beside whole verbs: enumerator, word on the
 * wire, which requests need it. */
#define PP_FEATURES(X)                                                         \
  X(CLASSES, classes, "items or nodes of more than one class")                 \
  X(ALWAYS_LIVE, always_live, "an arena's items without a span")               \
  X(ANY_ALIGN, any_align, "an alignment that is 0 or no power of two")         \
  X(ZERO_SIZE, zero_size, "an item of no bytes")                               \
  X(U64, u64, "a number above 2^53, which travels as a string")

typedef enum pp_feature {
#define PP_FEATURE_ENUM(NAME, name, about) PP_FEATURE_##NAME,
  PP_FEATURES(PP_FEATURE_ENUM)
#undef PP_FEATURE_ENUM
      PP_FEATURE_COUNT
} pp_feature;

/* Capabilities as bits: bit v is verb v, bit PP_ASK_COUNT + f feature f. */
typedef uint32_t pp_capabilities;
enum { PP_CAPABILITY_COUNT = PP_ASK_COUNT + PP_FEATURE_COUNT };
#define PP_CAPABILITY_ALL ((pp_capabilities)((1U << PP_CAPABILITY_COUNT) - 1))

/* The word of capability `bit` (below PP_CAPABILITY_COUNT); static. */
const char *pp_capability_name(unsigned bit);
bool pp_capability_named(const char *name, unsigned *bit);
const char *pp_ask_verb_name(pp_ask_verb verb);
const char *pp_ask_verb_rules(pp_ask_verb verb);
bool pp_ask_verb_named(const char *name, pp_ask_verb *verb);

/* A node that a context of a release holds. */
typedef struct pp_held {
  uint64_t uid;
  pp_location at;
} pp_held;

/* Compares two pp_held by uid, for qsort and bsearch. */
int pp_held_by_uid(const void *a, const void *b);

/* parent  an earlier context, or SIZE_MAX for none
 * held    nodes of them, uids distinct, in any order; each node's place is
 *         where its bytes are. Owned */
typedef struct pp_holder {
  size_t parent;
  size_t nodes;
  pp_held *held;
} pp_holder;

typedef enum pp_act_kind {
  PP_ACT_RELEASE = 0, /* release a context */
  PP_ACT_TOUCH        /* use a node of it (REL-6) */
} pp_act_kind;

/* One step of a release script.
 * fail_await, fail_free  release: the n-th such call of this step fails, from
 *                        1; 0: none does
 * uid                    touch: a node of the context */
typedef struct pp_act {
  pp_act_kind kind;
  size_t context;
  uint64_t fail_await, fail_free;
  uint64_t uid;
} pp_act;

/* A question. What a verb does not use is zero.
 *
 * c          segments, arena, validate: items, cap, kind (of validate: how
 *            items conflict); classes are numbers. score: c.cap alone
 * claim      validate: the claimed layout; claim.cap is unused, room for
 *            c.n + 1 segments. Owned
 * node       spans, score: nodes with uid, dtype, rank, dims, intents and
 *            (score) span; data NULL, label unused. spans uses intents alone
 * in_context spans: is node i in context (materialised)? Owned
 * event      spans: accesses in the order in which they happen. Owned
 * opaque     spans: there is opaque code
 * alignment  score: bytes, of every node, at least 1
 * no_reuse   score: aliasing is off (FPT-3)
 * holder, constant, act   release. Owned */
typedef struct pp_ask {
  pp_ask_verb verb;
  pp_case c;
  pp_claim claim;
  size_t nodes;
  pp_node *node;
  bool *in_context;
  size_t events;
  pp_ref_event *event;
  bool opaque;
  uint64_t alignment;
  bool no_reuse;
  size_t holders;
  pp_holder *holder;
  size_t constants;
  pp_location *constant;
  size_t acts;
  pp_act *act;
} pp_ask;

/* Gives back what the question owns and clears it. A zeroed struct is fine. */
void pp_ask_free(pp_ask *ask);

/* Copies from into *to, which is live or zeroed. False: out of memory, to
 * unchanged. */
bool pp_ask_copy(pp_ask *to, const pp_ask *from);

/* What is wrong with a question as a question (not what its answer is): a
 * parent that is no earlier context, an act on a context that is not there, a
 * node twice, a touched node that is not held, an event of no node, a node of
 * more than 2^63 - 1 bytes, a merge node with another intent, a node's span
 * that ends before it begins, a score's alignment of 0, a uid twice, a pool
 * that two contexts would both own by REL-1 (each would free it). NULL:
 * nothing; static. */
const char *pp_ask_wrong(const pp_ask *ask);

/* What pp_ask_wrong answers when it could not look: out of memory. */
extern const char pp_ask_no_memory[];

/* The capabilities that the question needs. */
pp_capabilities pp_ask_needs(const pp_ask *ask);

/* How large it is: items, nodes plus events, or nodes plus acts. */
size_t pp_ask_size(const pp_ask *ask);

/* Bytes of a node of spans and score; saturates at 2^64 - 1. */
uint64_t pp_ask_node_bytes(const pp_node *node);

/* The pools that a release question names, ascending, each once: those that
 * are live at its start, pool 0 left out. Writes at most `room`; returns how
 * many there are. */
size_t pp_ask_pools(const pp_ask *ask, uint64_t *pool, size_t room);

/* Kinds of answer: enumerator, key on the wire. */
#define PP_REPLIES(X)                                                          \
  X(RESULT, result)                                                            \
  X(REJECT, reject)                                                            \
  X(UNSUPPORTED, unsupported)                                                  \
  X(SKIP, skip)                                                                \
  X(ERROR, error)

typedef enum pp_reply_kind {
#define PP_REPLY_ENUM(NAME, name) PP_REPLY_##NAME,
  PP_REPLIES(PP_REPLY_ENUM)
#undef PP_REPLY_ENUM
      PP_REPLY_COUNT
} pp_reply_kind;

/* What became of one act. calls: "await" and "free POOL", in order, each with
 * a line end behind it. Owned; NULL: none */
typedef struct pp_done {
  pp_status status; /* PP_OK, PP_BACKEND_FAILED, PP_POOL_GONE */
  char *calls;
} pp_done;

/* An answer. Arrays are owned and as long as the question says.
 * kind       which of the fields below mean something
 * status     REJECT: PP_ITEM_OVER_CAP, PP_OVER_CAP or PP_BAD_SPAN
 * index      REJECT: the item or node that it names, SIZE_MAX for none
 * text       UNSUPPORTED: a capability; SKIP: a URL; ERROR: what went wrong
 * segment, offset, size, segments   segments and arena (one segment: the
 *            total, also without items)
 * violation  validate
 * life       spans
 * footprint  score
 * done       release, one for each act
 * live       release: pools that are live at the end, ascending */
typedef struct pp_reply {
  pp_reply_kind kind;
  pp_status status;
  size_t index;
  char text[400];
  size_t segments;
  size_t *segment;
  uint64_t *offset;
  uint64_t *size;
  pp_violation violation;
  pp_ref_life *life;
  pp_footprint footprint;
  size_t acts;
  pp_done *done;
  size_t lives;
  uint64_t *live;
} pp_reply;

/* Gives back what the answer owns and clears it. A zeroed struct is fine. */
void pp_reply_free(pp_reply *reply);

/* Are they the same answer, all of it? (text is not looked at) */
bool pp_reply_equal(const pp_ask *ask, const pp_reply *a, const pp_reply *b);

#endif
