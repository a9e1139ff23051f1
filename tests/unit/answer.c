/* The answers of all three sides: worked out by hand from the rules, and the
 * same to random questions. */
#include "support.h"

#include "ask_generate.h"
#include "asking.h"

#include <string.h>

/* Requests and answers with ' for ". An answerer that a case is too large for,
 * or that lacks its verb, may say so. */
static const struct {
  const char *rule;
  const char *ask;
  const char *answer;
} cases[] = {
    {"SEG-2, SEG-3: 1 -> 4..7, then 7 + 2 > 8, then 2 -> 3..6",
     "{'verb':'segments','cap':8,'items':[{'size':1,'align':1},"
     "{'size':3,'align':4},{'size':2,'align':1},{'size':3,'align':3}]}",
     "{'result':{'segment':[0,0,1,1],'offset':[0,4,0,3],'sizes':[7,6]}}"},
    {"SEG-3: an end at the cap fits",
     "{'verb':'segments','cap':8,'items':[{'size':4,'align':4},"
     "{'size':4,'align':4}]}",
     "{'result':{'segment':[0,0],'offset':[0,4],'sizes':[8]}}"},
    {"SEG-5: the first that is over the cap",
     "{'verb':'segments','cap':8,'items':[{'size':8,'align':1},"
     "{'size':9,'align':1},{'size':10,'align':1}]}",
     "{'reject':'item_over_cap','index':1}"},
    {"SEG-6: nothing", "{'verb':'segments','cap':0,'items':[]}",
     "{'result':{'segment':[],'offset':[],'sizes':[]}}"},
    {"SEG-6: no bytes, past the cap by its alignment alone",
     "{'verb':'segments','cap':7,'items':[{'size':7,'align':1},"
     "{'size':0,'align':1},{'size':0,'align':4}]}",
     "{'result':{'segment':[0,0,1],'offset':[0,7,0],'sizes':[7,0]}}"},
    {"SEG-3: the sum is past 2^64",
     "{'verb':'segments','cap':'18446744073709551615','items':[{'size':"
     "'18446744073709551615','align':1},{'size':1,'align':1}]}",
     "{'result':{'segment':[0,1],'offset':[0,0],'sizes':["
     "'18446744073709551615',1]}}"},
    /* 1 goes first (8), at 0; 0 meets it at step 2: 8; 2 is clear of 1 and
     * meets 0, at 8..12: at 0. */
    {"ARN-2, ARN-3",
     "{'verb':'arena','cap':100,'items':[{'size':4,'align':1,'class':0,'span':"
     "[2,4]},{'size':8,'align':1,'class':0,'span':[0,2]},{'size':3,'align':1,"
     "'class':0,'span':[3,5]}]}",
     "{'result':{'offset':[8,0,0],'total':12}}"},
    {"ARN-1: another class; always live",
     "{'verb':'arena','cap':12,'items':[{'size':4,'align':1,'class':0,'span':"
     "[0,0]},{'size':4,'align':1,'class':1,'span':[1,1]},{'size':4,'align':1,"
     "'class':0}]}",
     "{'result':{'offset':[0,4,8],'total':12}}"},
    {"ARN-4: one byte over",
     "{'verb':'arena','cap':7,'items':[{'size':4,"
     "'align':1,'class':0,'span':[0,1]},{'size':4,'align':1,'class':0,'span':"
     "[1,2]}]}",
     "{'reject':'over_cap'}"},
    {"ARN-4: no item", "{'verb':'arena','cap':0,'items':[]}",
     "{'result':{'offset':[],'total':0}}"},
    {"ARN: the first bad span",
     "{'verb':'arena','cap':9,'items':[{'size':4,'align':1,'class':0},{'size':"
     "4,'align':1,'class':0,'span':[2,1]},{'size':4,'align':1,'class':0,'span':"
     "[9,1]}]}",
     "{'reject':'bad_span','index':1}"},
    {"VAL-1: valid, over two segments",
     "{'verb':'validate','kind':'segments','cap':8,'items':[{'size':8,'align':"
     "1},{'size':8,'align':1}],'layout':{'segment':[0,1],'offset':[0,0],"
     "'sizes':[8,8]}}",
     "{'result':{'valid':true}}"},
    {"VAL-1: SIZE_MAX is no segment, and that comes before alignment",
     "{'verb':'validate','kind':'segments','cap':8,'items':[{'size':4,'align':"
     "4},{'size':4,'align':1}],'layout':{'segment':[0,"
     "'18446744073709551615'],'offset':[1,0],'sizes':[8]}}",
     "{'result':{'valid':false,'violation':{'kind':'no_such_segment','item':1"
     "}}}"},
    {"VAL-1: the least second item, then the least first",
     "{'verb':'validate','kind':'arena','cap':9,'items':[{'size':4,'align':1,"
     "'class':0,'span':[0,1]},{'size':4,'align':1,'class':0,'span':[1,2]},{"
     "'size':9,'align':1,'class':1,'span':[5,6]}],'layout':{'segment':[0,0,0],"
     "'offset':[0,2,0],'sizes':[9]}}",
     "{'result':{'valid':false,'violation':{'kind':'shared_bytes','items':[0,1"
     "],'bytes':[2,4]}}}"},
    {"VAL-1: a size that is not the greatest end",
     "{'verb':'validate','kind':'segments','cap':9,'items':[{'size':4,'align':"
     "1}],'layout':{'segment':[0],'offset':[0],'sizes':[5]}}",
     "{'result':{'valid':false,'violation':{'kind':'wrong_size','segment':0,"
     "'claimed':5,'end':4}}}"},
    /* 0 is filled at 1, read at 5, written at 7; 1 is read first; 2 is never
     * read; 3 is observable; 4 is not in context. */
    {"RTN-6",
     "{'verb':'spans','nodes':[{'uid':9},{'uid':8},{'uid':7},{'uid':6,"
     "'intents':['observable']},{'uid':5,'in_context':false}],'accesses':[{"
     "'node':0,'position':1,'access':'fill'},{'node':1,'position':1,'access':"
     "'read'},{'node':1,'position':2,'access':'fill'},{'node':2,'position':2,"
     "'access':'fill'},{'node':3,'position':2,'access':'fill'},{'node':3,"
     "'position':3,'access':'read'},{'node':4,'position':2,'access':'fill'},{"
     "'node':4,'position':3,'access':'read'},{'node':0,'position':5,'access':"
     "'read'},{'node':0,'position':7,'access':'write'}]}",
     "{'result':{'spans':[[1,7],null,null,null,null]}}"},
    {"RTN-6: opaque code",
     "{'verb':'spans','opaque':true,'nodes':[{'uid':1}],'accesses':[{'node':0,"
     "'position':0,'access':'fill'},{'node':0,'position':1,'access':'read'}]}",
     "{'result':{'spans':[null]}}"},
    /* By uid: 1 (4 bytes, [0, 1]), 2 (4, [2, 2]), 3 (u8, 1, always): 1 and 2 at
     * 0, 3 at 4: 5 bytes, in segments 9. Constants 8 + 4, the merge node has
     * none. */
    {"FPT-1: an arena",
     "{'verb':'score','cap':100,'alignment':1,'nodes':[{'uid':3,'dtype':'u8',"
     "'dims':[1]},{'uid':2,'dtype':'f32','dims':[],'span':[2,2]},{'uid':5,"
     "'dtype':'f64','dims':[],'intents':['constant']},{'uid':4,'dtype':'i32',"
     "'dims':[1,1],'intents':['constant']},{'uid':1,'dtype':'f32','dims':[1],"
     "'span':[0,1]},{'uid':6,'dtype':'f64','dims':[9],'intents':['merge']}]}",
     "{'result':{'working':5,'constants':12,'total':17,'dedicated':9,'arena':"
     "true,'planned':2,'nodes':5}}"},
    {"FPT-3: no aliasing",
     "{'verb':'score','cap':100,'alignment':8,'aliasing':false,'nodes':[{"
     "'uid':1,'dtype':'f32','dims':[],'span':[0,0]},{'uid':2,'dtype':'f32',"
     "'dims':[],'span':[1,1]}]}",
     "{'result':{'working':12,'constants':0,'total':12,'dedicated':12,'arena':"
     "false,'planned':0,'nodes':2}}"},
    /* 1 (4 bytes) goes first, 2 and 3 (3 each) on top of each other behind it:
     * 7 > 6. In segments: 4; 3 + 3. */
    {"FPT-1: the arena is over the cap",
     "{'verb':'score','cap':6,'alignment':1,'nodes':[{'uid':1,'dtype':'u8',"
     "'dims':[4],'span':[0,1]},{'uid':2,'dtype':'u8','dims':[3],'span':[0,1]},"
     "{'uid':3,'dtype':'u8','dims':[3],'span':[2,2]}]}",
     "{'result':{'working':10,'constants':0,'total':10,'dedicated':10,'arena':"
     "false,'planned':3,'nodes':3}}"},
    {"FPT-1: the first over the cap by uid, working ones first",
     "{'verb':'score','cap':0,'alignment':1,'nodes':[{'uid':1,'dtype':'u8',"
     "'dims':[1],'intents':['constant']},{'uid':3,'dtype':'u8','dims':[1]},{"
     "'uid':2,'dtype':'u8','dims':[1]}]}",
     "{'reject':'item_over_cap','index':2}"},
    {"FPT-1: then constants, and what has no byte fits a cap of 0",
     "{'verb':'score','cap':0,'alignment':1,'nodes':[{'uid':2,'dtype':'u8',"
     "'dims':[1],'intents':['constant']},{'uid':1,'dtype':'u8','dims':[0],"
     "'span':[0,0]}]}",
     "{'reject':'item_over_cap','index':0}"},
    {"FPT-1: a cap of 0",
     "{'verb':'score','cap':0,'alignment':64,'nodes':[{'uid':1,'dtype':'u8',"
     "'dims':[0],'span':[0,0]}]}",
     "{'result':{'working':0,'constants':0,'total':0,'dedicated':0,'arena':"
     "true,'planned':1,'nodes':1}}"},
    /* 2^63 - 1 bytes each, one after the other; in segments the third one is
     * past 2^64 - 1. */
    {"FPT-1: dedicated stays at 2^64 - 1",
     "{'verb':'score','cap':'18446744073709551615','alignment':1,'nodes':[{"
     "'uid':1,'dtype':'u8','dims':['9223372036854775807'],'span':[0,0]},{"
     "'uid':2,'dtype':'u8','dims':['9223372036854775807'],'span':[1,1]},{"
     "'uid':3,'dtype':'u8','dims':['9223372036854775807'],'span':[2,2]}]}",
     "{'result':{'working':'9223372036854775807','constants':0,'total':"
     "'9223372036854775807','dedicated':'18446744073709551615','arena':true,"
     "'planned':3,'nodes':3}}"},
    {"FPT-1: over the cap is said before the sum is too large",
     "{'verb':'score','cap':'9223372036854775806','alignment':1,'nodes':[{"
     "'uid':1,'dtype':'u8','dims':['9223372036854775806']},{'uid':2,'dtype':"
     "'u8','dims':['9223372036854775806']},{'uid':3,'dtype':'u8','dims':["
     "'9223372036854775806']},{'uid':4,'dtype':'u8','dims':["
     "'9223372036854775807'],'intents':['constant']}]}",
     "{'reject':'item_over_cap','index':3}"},
    /* By uid: pool 5 (1), 3 (2, 7), 4 is a constant's, 0 the merge buffer. */
    {"REL-1, REL-2, REL-3",
     "{'verb':'release','contexts':[{'nodes':[{'uid':7,'pool':3,'offset':64},{"
     "'uid':2,'pool':3,'offset':0},{'uid':1,'pool':5,'offset':0},{'uid':9,"
     "'pool':4,'offset':8},{'uid':3,'pool':0,'offset':0}]}],'constants':[{"
     "'pool':4,'offset':0}],'script':[{'do':'release','context':0},{'do':"
     "'release','context':0},{'do':'touch','context':0,'uid':7},{'do':'touch',"
     "'context':0,'uid':9},{'do':'touch','context':0,'uid':3}]}",
     "{'result':{'steps':[{'status':'ok','calls':['await','free 5','free 3']},"
     "{'status':'ok','calls':[]},{'status':'pool_gone','calls':[]},{'status':"
     "'ok','calls':[]},{'status':'ok','calls':[]}],'live':[4]}}"},
    {"REL-4: the wait fails, then the second free",
     "{'verb':'release','contexts':[{'nodes':[{'uid':1,'pool':1,'offset':0},{"
     "'uid':2,'pool':2,'offset':0},{'uid':3,'pool':3,'offset':0}]}],"
     "'constants':[],'script':[{'do':'release','context':0,'fail_await':1},{"
     "'do':'release','context':0,'fail_free':2},{'do':'touch','context':0,"
     "'uid':1},{'do':'touch','context':0,'uid':2},{'do':'release','context':0,"
     "'fail_free':2}]}",
     "{'result':{'steps':[{'status':'failed','calls':['await']},{'status':"
     "'failed','calls':['await','free 1','free 2']},{'status':'pool_gone',"
     "'calls':[]},{'status':'ok','calls':[]},{'status':'failed','calls':["
     "'await','free 2','free 3']}],'live':[3]}}"},
    /* The child has 1 where its parent has it, and 2 elsewhere. When the parent
     * is released, what the child has of it is gone. */
    {"REL-1, REL-6: a child",
     "{'verb':'release','contexts':[{'nodes':[{'uid':1,'pool':1,'offset':0},{"
     "'uid':2,'pool':1,'offset':8}]},{'parent':0,'nodes':[{'uid':2,'pool':2,"
     "'offset':8},{'uid':1,'pool':1,'offset':0}]}],'constants':[],'script':[{"
     "'do':'release','context':1},{'do':'touch','context':1,'uid':1},{'do':"
     "'release','context':0},{'do':'touch','context':1,'uid':1}]}",
     "{'result':{'steps':[{'status':'ok','calls':['await','free 2']},{'status':"
     "'ok','calls':[]},{'status':'ok','calls':['await','free 1']},{'status':"
     "'pool_gone','calls':[]}],'live':[]}}"},
};

static void expect_answer(size_t k, pp_answerer side, const pp_ask *ask,
                          const pp_reply *right) {
  pp_reply reply = {0};
  pp_text text = {0};
  cr_assert(pp_answer(side, ask, &reply));
  bool can = (pp_answerer_can(side) >> ask->verb & 1) != 0;
  bool excused = side == PP_ANSWERER_PLAIN && reply.kind == PP_REPLY_ERROR;
  if (!can) cr_expect_eq(reply.kind, PP_REPLY_UNSUPPORTED, "%s", cases[k].rule);
  if (can && !excused) {
    pp_wire_expect(&text, ask, &reply);
    cr_expect(pp_reply_equal(ask, &reply, right), "%s: %s: %s", cases[k].rule,
              pp_answerer_name(side), text.at);
  }
  pp_text_free(&text);
  pp_reply_free(&reply);
}

Test(answer, names) {
  pp_answerer side = PP_ANSWERER_COUNT;
  for (int k = 0; k < PP_ANSWERER_COUNT; k++)
    cr_expect(pp_answerer_named(pp_answerer_name((pp_answerer)k), &side) &&
              side == (pp_answerer)k);
  cr_expect(!pp_answerer_named("slow", &side));
  cr_expect_eq(pp_answerer_can(PP_ANSWERER_REF), PP_CAPABILITY_ALL);
}

Test(answer, by_hand) {
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    pp_ask ask = pp_must_ask(cases[k].ask);
    pp_reply right = pp_must_reply(&ask, cases[k].answer);
    for (int side = 0; side < PP_ANSWERER_COUNT; side++)
      expect_answer(k, (pp_answerer)side, &ask, &right);
    pp_reply_free(&right);
    pp_ask_free(&ask);
  }
  pp_expect_no_leak();
}

/* Does the side answer as the reference? False: it does not answer at all. */
static bool agrees(pp_answerer side, const pp_ask *ask, const pp_reply *right) {
  pp_reply reply = {0};
  cr_assert(pp_answer(side, ask, &reply));
  bool answers = reply.kind == PP_REPLY_RESULT || reply.kind == PP_REPLY_REJECT;
  if (answers && !pp_reply_equal(ask, &reply, right)) {
    pp_text text = {0};
    pp_wire_canonical(&text, ask);
    pp_text_put(&text, "\n", 1);
    pp_wire_expect(&text, ask, &reply);
    pp_text_put(&text, "\n", 1);
    pp_wire_expect(&text, ask, right);
    cr_expect(false, "%s against ref: %s", pp_answerer_name(side), text.at);
    pp_text_free(&text);
  }
  pp_reply_free(&reply);
  return answers;
}

enum { RUNS = 2000, ITEMS = 12, LEAST = 300 };

Test(answer, all_agree) {
  const pp_capabilities features =
      PP_CAPABILITY_ALL & ~((1U << PP_ASK_COUNT) - 1);
  for (int verb = 0; verb < PP_ASK_COUNT; verb++) {
    size_t answered[PP_ANSWERER_COUNT] = {0};
    for (uint64_t run = 0; run < RUNS; run++) {
      pp_ask ask = {0};
      pp_reply right = {0};
      cr_assert(pp_ask_generate(&ask, 1, run, features | 1U << verb, ITEMS));
      cr_assert(pp_answer(PP_ANSWERER_REF, &ask, &right));
      for (int side = 1; side < PP_ANSWERER_COUNT; side++)
        if (agrees((pp_answerer)side, &ask, &right)) answered[side]++;
      pp_reply_free(&right);
      pp_ask_free(&ask);
    }
    for (int side = 1; side < PP_ANSWERER_COUNT; side++) {
      bool can = (pp_answerer_can((pp_answerer)side) >> verb & 1) != 0;
      cr_expect(can ? answered[side] >= LEAST : answered[side] == 0,
                "%s answers %s %zu times", pp_answerer_name((pp_answerer)side),
                pp_ask_verb_name((pp_ask_verb)verb), answered[side]);
    }
  }
  pp_expect_no_leak();
}
