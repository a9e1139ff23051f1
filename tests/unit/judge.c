/* Answers judged: what is wrong with each, by which rule, in which mode. The
 * reference's answer stands beside each question, worked out by hand. */
#include "support.h"

#include "asking.h"
#include "judge.h"

#include <string.h>

/* 7 + 2 > 8: [0, 0, 1], [0, 4, 0], [7, 2]. */
#define THE_SEGMENTS                                                           \
  "{'verb':'segments','cap':8,'items':[{'size':1,'align':1},{'size':3,"        \
  "'align':4},{'size':2,'align':1}]}"
/* 0, 2 at 0 and 1 at 4: [0, 4, 0], 8. */
#define THE_ARENA                                                              \
  "{'verb':'arena','cap':12,'items':[{'size':4,'align':1,'class':0,'span':[0," \
  "1]},{'size':4,'align':1,'class':0,'span':[1,2]},{'size':3,'align':1,"       \
  "'class':0,'span':[2,3]}]}"
/* 4 and 3 at 0; 2 at 4, since it meets both; the last one meets 3 and 2, and
 * goes to 6: 8 > 7. At 3, with 2 at 5, all would fit. */
#define THE_TIGHT                                                              \
  "{'verb':'arena','cap':7,'items':[{'size':4,'align':1,'class':0,'span':[1,"  \
  "2]},{'size':3,'align':1,'class':0,'span':[3,3]},{'size':2,'align':1,"       \
  "'class':0,'span':[2,3]},{'size':2,'align':1,'class':0,'span':[3,3]}]}"
#define THE_OVER                                                               \
  "{'verb':'segments','cap':8,'items':[{'size':1,'align':1},{'size':9,"        \
  "'align':1},{'size':10,'align':1}]}"
#define THE_BAD_SPAN                                                           \
  "{'verb':'arena','cap':8,'items':[{'size':1,'align':1,'class':0},{'size':1," \
  "'align':1,'class':0,'span':[1,0]},{'size':1,'align':1,'class':0,'span':[3," \
  "2]}]}"
/* Misaligned item 1, then items 0 and 1 share. */
#define THE_CLAIM                                                              \
  "{'verb':'validate','kind':'segments','cap':8,'items':[{'size':4,'align':"   \
  "1},{'size':4,'align':4}],'layout':{'segment':[0,0],'offset':[0,3],"         \
  "'sizes':[7]}}"
#define THE_GOOD_CLAIM                                                         \
  "{'verb':'validate','kind':'segments','cap':8,'items':[{'size':4,'align':"   \
  "1}],'layout':{'segment':[0],'offset':[0],'sizes':[4]}}"
/* [0, 2], none: nobody reads it. */
#define THE_SPANS                                                              \
  "{'verb':'spans','nodes':[{'uid':7},{'uid':8}],'accesses':[{'node':0,"       \
  "'position':0,'access':'fill'},{'node':1,'position':1,'access':'fill'},{"    \
  "'node':0,'position':2,'access':'read'}]}"
/* 4 + 4 one after the other, a constant of 8. */
#define THE_SCORE                                                              \
  "{'verb':'score','cap':100,'alignment':1,'nodes':[{'uid':1,'dtype':'f32',"   \
  "'dims':[],'span':[0,0]},{'uid':2,'dtype':'f32','dims':[],'span':[1,1]},{"   \
  "'uid':3,'dtype':'f64','dims':[],'intents':['constant']}]}"
#define SCORED(working, constants, total, dedicated, arena, planned, nodes)    \
  "{'result':{'working':" working ",'constants':" constants ",'total':" total  \
  ",'dedicated':" dedicated ",'arena':" arena ",'planned':" planned            \
  ",'nodes':" nodes "}}"
#define THE_BIG_SCORE                                                          \
  "{'verb':'score','cap':3,'alignment':1,'nodes':[{'uid':2,'dtype':'f32',"     \
  "'dims':[]},{'uid':1,'dtype':'f32','dims':[]}]}"
/* Pools 1, 2, 3; the second free fails, then a retry; then it is done. */
#define THE_RELEASE                                                            \
  "{'verb':'release','contexts':[{'nodes':[{'uid':1,'pool':1,'offset':0},{"    \
  "'uid':2,'pool':2,'offset':0},{'uid':3,'pool':3,'offset':0}]}],"             \
  "'constants':[],'script':[{'do':'release','context':0,'fail_free':2},{'do':" \
  "'release','context':0},{'do':'release','context':0},{'do':'touch',"         \
  "'context':0,'uid':1}]}"
#define FIRST "{'status':'failed','calls':['await','free 1','free 2']}"
#define SECOND "{'status':'ok','calls':['await','free 2','free 3']}"
#define THIRD "{'status':'ok','calls':[]}"
#define LAST "{'status':'pool_gone','calls':[]}"
#define RELEASED(first, second, third, last, live)                             \
  "{'result':{'steps':[" first "," second "," third "," last "],'live':[" live \
  "]}}"

typedef struct pp_verdict {
  pp_wrong wrong;
  const char *rule;
} pp_verdict;

#define RIGHT                                                                  \
  { PP_RIGHT, "" }
#define WRONG(NAME, rule)                                                      \
  { PP_WRONG_##NAME, rule }
#define EVER(NAME, rule)                                                       \
  { WRONG(NAME, rule), WRONG(NAME, rule), WRONG(NAME, rule) }

/* The verdicts in the modes exact, valid, total; words of the sentence of the
 * first that is wrong. */
static const struct {
  const char *what;
  const char *ask;
  const char *said;
  pp_verdict verdict[PP_COMPARE_COUNT];
  const char *words;
} cases[] = {
    /* -- what is no answer -- */
    {"an error", THE_ARENA, "{'error':'no\\nmemory'}", EVER(FAILED, ""),
     "it failed: no\\x0amemory"},
    {"unsupported, but declared", THE_ARENA, "{'unsupported':'arena'}",
     EVER(CONTRADICTED, ""), "\"arena\", which hello declared"},
    {"unsupported, but not needed", THE_ARENA, "{'unsupported':'zero_size'}",
     EVER(CONTRADICTED, ""), "\"zero_size\", which the request does not need"},
    {"unsupported, needed and not declared",
     "{'verb':'segments','cap':1,'items':[{'size':0,'align':1}]}",
     "{'unsupported':'zero_size'}",
     {RIGHT, RIGHT, RIGHT},
     ""},
    {"skipped without a URL", THE_ARENA, "{'skip':'soon'}",
     EVER(CONTRADICTED, ""), "\"soon\" is no http or https URL"},
    {"skipped",
     THE_ARENA,
     "{'skip':'https://example.org/1'}",
     {RIGHT, RIGHT, RIGHT},
     ""},

    /* -- refusals -- */
    {"answered, over the cap", THE_OVER,
     "{'result':{'segment':[0,1,2],'offset':[0,0,0],'sizes':[1,9,10]}}",
     EVER(ANSWERED, "SEG-5"),
     "refuse it as item_over_cap of item 1 (size 9, align 1), cap 8 (SEG-5)"},
    {"answered, a bad span", THE_BAD_SPAN,
     "{'result':{'offset':[0,1,2],'total':3}}", EVER(ANSWERED, "ARN"),
     "bad_span of item 1 (size 1, align 1, class 0, span [1, 0]) (ARN)"},
    {"refused, but it fits", THE_ARENA, "{'reject':'over_cap'}",
     EVER(REFUSED, "ARN-4"),
     "refused as over_cap, cap 12; the rules give an answer (ARN-4)"},
    {"another refusal", THE_BAD_SPAN, "{'reject':'over_cap'}",
     EVER(REFUSED, "ARN"), "refuse it as bad_span of item 1"},
    {"not the first over the cap",
     THE_OVER,
     "{'reject':'item_over_cap','index':2}",
     {WRONG(NAMED, "SEG-5"), RIGHT, RIGHT},
     "the first, item_over_cap of item 1 (size 9"},
    {"one that is not over the cap", THE_OVER,
     "{'reject':'item_over_cap','index':0}", EVER(NAMED, "SEG-5"),
     "item 0 (size 1"},
    {"not the first bad span",
     THE_BAD_SPAN,
     "{'reject':'bad_span','index':2}",
     {WRONG(NAMED, "ARN"), RIGHT, RIGHT},
     "item 2 "},
    {"a span that is none", THE_BAD_SPAN, "{'reject':'bad_span','index':0}",
     EVER(NAMED, "ARN"), "item 0 "},
    {"a node over the cap, not by uid",
     THE_BIG_SCORE,
     "{'reject':'item_over_cap','index':0}",
     {WRONG(NAMED, "FPT-1"), RIGHT, RIGHT},
     "node 1 (uid 1, 4 bytes), cap 3"},

    /* -- segments -- */
    {"the next one too soon",
     THE_SEGMENTS,
     "{'result':{'segment':[0,1,1],'offset':[0,0,3],'sizes':[1,5]}}",
     {WRONG(DIFFERENT, "SEG-3"), RIGHT, RIGHT},
     "item 1 (size 3, align 4): segment 1, offset 0, the rules give segment 0, "
     "offset 4; valid, and 6 bytes in all, less than by the rules (SEG-3)"},
    {"aligned to more than is asked for",
     "{'verb':'segments','cap':99,'items':[{'size':1,'align':1},{'size':1,"
     "'align':3}]}",
     "{'result':{'segment':[0,0],'offset':[0,6],'sizes':[7]}}",
     {WRONG(LARGER, "SEG-1"), RIGHT, WRONG(LARGER, "VAL-3")},
     "offset 6, the rules give segment 0, offset 3; valid, and 7 bytes in all, "
     "the "
     "rules give 4 (SEG-1)"},
    {"not aligned", THE_SEGMENTS,
     "{'result':{'segment':[0,0,1],'offset':[0,1,0],'sizes':[4,2]}}",
     EVER(INVALID, "SEG-1"),
     "item 1 (offset 1, size 3) is at no multiple of its alignment 4"},
    {"tail padding", THE_SEGMENTS,
     "{'result':{'segment':[0,0,1],'offset':[0,4,0],'sizes':[8,2]}}",
     EVER(INVALID, "SEG-4"),
     "segment 0 claims 8 bytes, its items end at 7 (SEG-4, VAL-1)"},
    {"in reverse",
     "{'verb':'segments','cap':99,'items':[{'size':1,'align':1},{'size':2,"
     "'align':1}]}",
     "{'result':{'segment':[0,0],'offset':[2,0],'sizes':[3]}}",
     {WRONG(DIFFERENT, "SEG-2"), RIGHT, RIGHT},
     "offset 2, the rules give"},
    {"past the cap", THE_SEGMENTS,
     "{'result':{'segment':[0,0,0],'offset':[0,4,7],'sizes':[9]}}",
     EVER(INVALID, "SEG-3"),
     "segment 0 of 9 bytes is over the cap 8 (SEG-3, VAL-1)"},
    {"a segment that nobody is in",
     "{'verb':'segments','cap':9,'items':[]}",
     "{'result':{'segment':[],'offset':[],'sizes':[0]}}",
     {WRONG(DIFFERENT, "SEG-6"), RIGHT, RIGHT},
     "1 segment of 0 bytes"},
    {"no such segment", THE_SEGMENTS,
     "{'result':{'segment':[0,0,1],'offset':[0,4,0],'sizes':[7]}}",
     EVER(INVALID, "VAL-1"), "2 (offset 0, size 2) is in segment 1 of 1"},

    {"a new segment does not begin at 0",
     THE_SEGMENTS,
     "{'result':{'segment':[0,0,1],'offset':[0,4,1],'sizes':[7,3]}}",
     {WRONG(LARGER, "SEG-3"), RIGHT, WRONG(LARGER, "VAL-3")},
     "item 2 (size 2, align 1): segment 1, offset 1, the rules give segment 1, "
     "offset 0"},

    /* -- arenas -- */
    {"ties the other way round",
     THE_ARENA,
     "{'result':{'offset':[4,0,4],'total':8}}",
     {WRONG(DIFFERENT, "ARN-2"), RIGHT, RIGHT},
     "item 0 (size 4, align 1, class 0, span [0, 1]): offset 4, the rules give "
     "0; "
     "valid, and 8 bytes in all in both (ARN-2)"},
    {"the first in order of placement is told",
     "{'verb':'arena','cap':12,'items':[{'size':3,'align':1,'class':0,'span':"
     "[2,3]},{'size':4,'align':1,'class':0,'span':[0,1]},{'size':4,'align':1,"
     "'class':0,'span':[1,2]}]}",
     "{'result':{'offset':[4,4,0],'total':8}}",
     {WRONG(DIFFERENT, "ARN-2"), RIGHT, RIGHT},
     "item 1 (size 4"},
    {"classes ignored",
     "{'verb':'arena','cap':12,'items':[{'size':4,'align':1,'class':0,'span':"
     "[0,0]},{'size':4,'align':1,'class':1,'span':[1,1]}]}",
     "{'result':{'offset':[0,0],'total':4}}", EVER(INVALID, "ARN-1"),
     "though their classes differ (ARN-1, VAL-1)"},
    {"the always live ignored",
     "{'verb':'arena','cap':12,'items':[{'size':4,'align':1,'class':0,'span':"
     "[0,0]},{'size':4,'align':1,'class':0}]}",
     "{'result':{'offset':[0,0],'total':4}}", EVER(INVALID, "ARN-1"),
     "and 1 (always live, offset 0, size 4) share bytes [0, 4) though one is "
     "always live"},
    {"not the least offset",
     THE_ARENA,
     "{'result':{'offset':[0,4,1],'total':8}}",
     {WRONG(DIFFERENT, "ARN-3"), RIGHT, RIGHT},
     "item 2 (size 3"},
    {"no reuse",
     THE_ARENA,
     "{'result':{'offset':[0,4,8],'total':11}}",
     {WRONG(LARGER, "ARN-3"), RIGHT, WRONG(LARGER, "VAL-3")},
     "11 bytes in all"},
    {"spans taken as half-open", THE_ARENA,
     "{'result':{'offset':[0,0,4],'total':7}}", EVER(INVALID, "ARN-1"),
     "the rules give 4 (ARN-3); items 0 (span [0, 1], class 0, offset 0, size "
     "4) "
     "and 1 (span [1, 2], class 0, offset 0, size 4) share bytes [0, 4) while "
     "both "
     "live (ARN-1, VAL-1)"},
    {"a total that is none", THE_ARENA,
     "{'result':{'offset':[0,4,0],'total':9}}", EVER(INVALID, "ARN-4"),
     "1 segment of 9 bytes in all, the rules give 1 of 8 (ARN-4); segment 0 "
     "claims "
     "9 bytes"},
    {"past the total", THE_ARENA, "{'result':{'offset':[0,4,0],'total':7}}",
     EVER(INVALID, "VAL-1"), "ends past the 7 bytes"},
    /* -- arenas over the cap -- */
    {"another order fits",
     THE_TIGHT,
     "{'result':{'offset':[0,0,5,3],'total':7}}",
     {WRONG(ANSWERED, "ARN-4"), RIGHT, RIGHT},
     "refuse it as over_cap, cap 7"},
    {"over the cap all the same",
     THE_TIGHT,
     "{'result':{'offset':[0,0,4,6],'total':8}}",
     {WRONG(ANSWERED, "ARN-4"), WRONG(INVALID, "ARN-4"),
      WRONG(INVALID, "ARN-4")},
     "refuse it as over_cap"},

    /* -- validate -- */
    {"valid for invalid", THE_CLAIM, "{'result':{'valid':true}}",
     EVER(VERDICT, "VAL-2"),
     "valid, but item 1 (offset 3, size 4) is at no multiple of its alignment "
     "4"},
    {"invalid for valid", THE_GOOD_CLAIM,
     "{'result':{'valid':false,'violation':{'kind':'past_end','item':0}}}",
     EVER(VERDICT, "VAL-2"),
     "past_end of item 0, but the layout is valid (VAL-2)"},
    {"not the first violation",
     THE_CLAIM,
     "{'result':{'valid':false,'violation':{'kind':'shared_bytes','items':[0,1]"
     ","
     "'bytes':[3,4]}}}",
     {WRONG(VIOLATION, "VAL-1"), RIGHT, RIGHT},
     "shared_bytes of items 0 and 1, bytes [3, 4), but the first violation is "
     "that "
     "item 1"},
    {"of another item",
     THE_CLAIM,
     "{'result':{'valid':false,'violation':{'kind':'misaligned','item':0}}}",
     {WRONG(VIOLATION, "VAL-1"), RIGHT, RIGHT},
     "misaligned of item 0"},

    /* -- spans -- */
    {"the last read one early", THE_SPANS, "{'result':{'spans':[[0,1],null]}}",
     EVER(SPANS, "RTN-6"),
     "node 0 (uid 7): span [0, 1], the rules give span [0, 2] (RTN-6)"},
    {"a span for what nobody reads", THE_SPANS,
     "{'result':{'spans':[[0,2],[1,1]]}}", EVER(SPANS, "RTN-6"),
     "span [1, 1], the rules give no span, since nobody reads it"},
    {"no span", THE_SPANS, "{'result':{'spans':[null,null]}}",
     EVER(SPANS, "RTN-6"), "no span, the rules give span [0, 2]"},

    /* -- score: 4, 8, 12, 8, an arena, 2 of 3 -- */
    {"an arena smaller than a node", THE_SCORE,
     SCORED("3", "8", "11", "8", "true", "2", "3"), EVER(SCORE, "FPT-1"),
     "working is 3, the rules give 4"},
    {"no arena, and larger",
     THE_SCORE,
     SCORED("8", "8", "16", "8", "false", "2", "3"),
     {WRONG(SCORE, "FPT-1"), RIGHT, WRONG(SCORE, "FPT-1")},
     "arena is 0, the rules give 1"},
    {"larger",
     THE_SCORE,
     SCORED("5", "8", "13", "8", "true", "2", "3"),
     {WRONG(SCORE, "FPT-1"), RIGHT, WRONG(SCORE, "FPT-1")},
     "working is 5, the rules give 4 (FPT-1)"},
    {"not the sum", THE_SCORE, SCORED("4", "8", "13", "8", "true", "2", "3"),
     EVER(SCORE, "FPT-1"), "total is 13, the rules give 12"},
    {"constants", THE_SCORE, SCORED("4", "9", "13", "8", "true", "2", "3"),
     EVER(SCORE, "FPT-1"), "constants is 9"},
    {"dedicated", THE_SCORE, SCORED("4", "8", "12", "4", "true", "2", "3"),
     EVER(SCORE, "FPT-1"), "dedicated is 4"},
    {"planned", THE_SCORE, SCORED("4", "8", "12", "8", "true", "3", "3"),
     EVER(SCORE, "FPT-1"), "planned is 3"},
    {"nodes", THE_SCORE, SCORED("4", "8", "12", "8", "true", "2", "2"),
     EVER(SCORE, "FPT-1"), "nodes is 2"},

    /* -- release -- */
    {"no wait", THE_RELEASE,
     RELEASED("{'status':'failed','calls':['free 1','free 2']}", SECOND, THIRD,
              LAST, ""),
     EVER(RELEASE, "REL-2"),
     "step 0 (release of context 0): call 1 is \"free 1\", the rules give "
     "\"await\" (REL-2)"},
    {"another order", THE_RELEASE,
     RELEASED("{'status':'failed','calls':['await','free 2','free 1']}", SECOND,
              THIRD, LAST, ""),
     EVER(RELEASE, "REL-2"), "call 2 is \"free 2\", the rules give \"free 1\""},
    {"not its pool", THE_RELEASE,
     RELEASED("{'status':'failed','calls':['await','free 1','free 9']}", SECOND,
              THIRD, LAST, ""),
     EVER(RELEASE, "REL-1"), "call 3 is \"free 9\""},
    {"goes on after a failure", THE_RELEASE,
     RELEASED(
         "{'status':'failed','calls':['await','free 1','free 2','free 3']}",
         SECOND, THIRD, LAST, ""),
     EVER(RELEASE, "REL-4"), "call 4 is \"free 3\", the rules give no call"},
    {"frees the prefix again", THE_RELEASE,
     RELEASED(FIRST,
              "{'status':'ok','calls':['await','free 1','free 2','free 3']}",
              THIRD, LAST, ""),
     EVER(RELEASE, "REL-4"),
     "step 1 (release of context 0): call 2 is \"free 1\""},
    {"a retry that does nothing", THE_RELEASE,
     RELEASED(FIRST, "{'status':'ok','calls':[]}", THIRD, LAST, "2,3"),
     EVER(RELEASE, "REL-4"), "call 1 is no call, the rules give \"await\""},
    {"the failure is not told", THE_RELEASE,
     RELEASED("{'status':'ok','calls':['await','free 1','free 2']}", SECOND,
              THIRD, LAST, ""),
     EVER(RELEASE, "REL-4"),
     "step 0 (release of context 0): ok, the rules give failed"},
    {"released once more", THE_RELEASE,
     RELEASED(FIRST, SECOND, "{'status':'ok','calls':['await']}", LAST, ""),
     EVER(RELEASE, "REL-3"),
     "step 2 (release of context 0): call 1 is \"await\", the rules give no "
     "call"},
    {"a pool that is gone is used", THE_RELEASE,
     RELEASED(FIRST, SECOND, THIRD, THIRD, ""), EVER(RELEASE, "REL-6"),
     "step 3 (touch of uid 1 in context 0): ok, the rules give pool_gone"},
    {"a pool left over", THE_RELEASE, RELEASED(FIRST, SECOND, THIRD, LAST, "2"),
     EVER(RELEASE, "REL-4"),
     "pool 2 is live at the end, by the rules it is gone"},
    {"one pool too few",
     "{'verb':'release','contexts':[{'nodes':[{'uid':1,'pool':"
     "1,'offset':0},{'uid':2,'pool':2,'offset':0}]}],'constants':[],'script':[{"
     "'do':'release','context':0}]}",
     "{'result':{'steps':[{'status':'ok','calls':['await','free "
     "1']}],'live':[2]}}",
     EVER(RELEASE, "REL-1"),
     "call 3 is no call, the rules give \"free 2\" (REL-1)"},
    {"a constant's pool",
     "{'verb':'release','contexts':[{'nodes':[{'uid':1,'pool':"
     "1,'offset':0}]}],'constants':[{'pool':1,'offset':8}],'script':[{'do':"
     "'release','context':0}]}",
     "{'result':{'steps':[{'status':'ok','calls':['await','free "
     "1']}],'live':[]}}",
     EVER(RELEASE, "REL-1"),
     "call 2 is \"free 1\", the rules give no call (REL-1)"},
};

static const pp_hello hello = {
    .protocol = 1,
    .capabilities = PP_CAPABILITY_ALL &
                    ~(1U << (PP_ASK_COUNT + PP_FEATURE_CLASSES)) &
                    ~(1U << (PP_ASK_COUNT + PP_FEATURE_ZERO_SIZE))};

Test(judge, cases) {
  bool seen[PP_WRONG_COUNT] = {false};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    pp_ask ask = pp_must_ask(cases[k].ask);
    pp_reply said = pp_must_reply(&ask, cases[k].said);
    pp_reply right = {0};
    const char *words = cases[k].words;
    cr_assert(pp_answer(PP_ANSWERER_REF, &ask, &right));
    for (int mode = 0; mode < PP_COMPARE_COUNT; mode++) {
      const pp_verdict *verdict = &cases[k].verdict[mode];
      pp_judgement is;
      pp_judge(&ask, &said, &right, &hello, (pp_compare)mode, &is);
      cr_expect(is.wrong == verdict->wrong &&
                    strcmp(is.rule, verdict->rule) == 0,
                "%s, %s: %s (%s): %s", cases[k].what,
                pp_compare_name((pp_compare)mode), pp_wrong_name(is.wrong),
                is.rule, is.sentence);
      if (is.wrong != PP_RIGHT && words)
        cr_expect(strstr(is.sentence, words) != NULL, "%s: %s", cases[k].what,
                  is.sentence);
      if (is.wrong != PP_RIGHT) words = NULL;
      seen[is.wrong] = true;
    }
    pp_reply_free(&right);
    pp_reply_free(&said);
    pp_ask_free(&ask);
  }
  for (int wrong = 0; wrong < PP_WRONG_COUNT; wrong++)
    cr_expect(seen[wrong], "%s never came up", pp_wrong_name((pp_wrong)wrong));
  pp_expect_no_leak();
}

/* What a side answers is right, in every mode. */
Test(judge, sides) {
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    pp_ask ask = pp_must_ask(cases[k].ask);
    pp_reply right = {0};
    cr_assert(pp_answer(PP_ANSWERER_REF, &ask, &right));
    for (int mode = 0; mode < PP_COMPARE_COUNT; mode++) {
      pp_judgement is;
      pp_judge(&ask, &right, &right, &hello, (pp_compare)mode, &is);
      cr_expect_eq(is.wrong, PP_RIGHT, "%s: %s", cases[k].what, is.sentence);
    }
    pp_reply_free(&right);
    pp_ask_free(&ask);
  }
}
