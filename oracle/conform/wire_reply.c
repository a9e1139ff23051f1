#include "wire_parts.h"

#include <string.h>

static void put_layout(pp_text *text, const pp_ask *ask,
                       const pp_reply *reply) {
  if (ask->verb == PP_ASK_SEGMENTS) {
    pp_text_word(text, "\"segment\":");
    pp_text_numbers(text, reply->segment, ask->c.n);
    pp_text_word(text, ",");
  }
  pp_text_word(text, "\"offset\":");
  pp_text_numbers(text, reply->offset, ask->c.n);
  if (ask->verb == PP_ASK_SEGMENTS) {
    pp_text_word(text, ",\"sizes\":");
    pp_text_numbers(text, reply->size, reply->segments);
  } else {
    pp_text_pair(text, ",\"total\":", reply->size[0]);
  }
}

static void put_violation(pp_text *text, const pp_violation *violation) {
  pp_text_word(text, "\"valid\":false,\"violation\":{\"kind\":\"");
  pp_text_word(text, pp_wire_violations[violation->kind]);
  switch (violation->kind) {
  case PP_SHARED_BYTES:
    pp_text_pair(text, "\",\"items\":[", violation->first);
    pp_text_pair(text, ",", violation->second);
    pp_text_pair(text, "],\"bytes\":[", violation->lo);
    pp_text_pair(text, ",", violation->hi);
    pp_text_word(text, "]");
    break;
  case PP_WRONG_SIZE:
    pp_text_pair(text, "\",\"segment\":", violation->first);
    pp_text_pair(text, ",\"claimed\":", violation->lo);
    pp_text_pair(text, ",\"end\":", violation->hi);
    break;
  case PP_SEGMENT_TOO_BIG:
    pp_text_pair(text, "\",\"segment\":", violation->first);
    break;
  default:
    pp_text_pair(text, "\",\"item\":", violation->first);
  }
  pp_text_word(text, "}");
}

static void put_lives(pp_text *text, const pp_ask *ask, const pp_reply *reply) {
  pp_text_word(text, "\"spans\":[");
  for (size_t i = 0; i < ask->nodes; i++) {
    const pp_ref_life *life = &reply->life[i];
    pp_text_word(text, i > 0 ? "," : "");
    if (!life->has_span) {
      pp_text_word(text, "null");
      continue;
    }
    pp_text_pair(text, "[", life->lo);
    pp_text_pair(text, ",", life->hi);
    pp_text_word(text, "]");
  }
  pp_text_word(text, "]");
}

static void put_footprint(pp_text *text, const pp_footprint *footprint) {
  pp_text_pair(text, "\"working\":", footprint->working);
  pp_text_pair(text, ",\"constants\":", footprint->constants);
  pp_text_pair(text, ",\"total\":", footprint->total);
  pp_text_pair(text, ",\"dedicated\":", footprint->dedicated);
  pp_text_word(text, footprint->arena ? ",\"arena\":true" : ",\"arena\":false");
  pp_text_pair(text, ",\"planned\":", footprint->planned);
  pp_text_pair(text, ",\"nodes\":", footprint->nodes);
}

static void put_calls(pp_text *text, const char *calls) {
  const char *end = calls ? strchr(calls, '\n') : NULL;
  for (bool first = true; end; first = false) {
    pp_text_word(text, first ? "\"" : ",\"");
    pp_text_put(text, calls, (size_t)(end - calls));
    pp_text_word(text, "\"");
    calls = end + 1;
    end = strchr(calls, '\n');
  }
}

static void put_done(pp_text *text, const pp_reply *reply) {
  pp_text_word(text, "\"steps\":[");
  for (size_t k = 0; k < reply->acts; k++) {
    const pp_done *done = &reply->done[k];
    pp_text_word(text, k > 0 ? ",{\"status\":" : "{\"status\":");
    pp_text_word(text, done->status == PP_OK          ? "\"ok\""
                       : done->status == PP_POOL_GONE ? "\"pool_gone\""
                                                      : "\"failed\"");
    pp_text_word(text, ",\"calls\":[");
    put_calls(text, done->calls);
    pp_text_word(text, "]}");
  }
  pp_text_word(text, "],\"live\":");
  pp_text_numbers(text, reply->live, reply->lives);
}

static void put_result(pp_text *text, const pp_ask *ask,
                       const pp_reply *reply) {
  pp_text_word(text, "\"result\":{");
  switch (ask->verb) {
  case PP_ASK_VALIDATE:
    if (reply->violation.kind == PP_VALID)
      pp_text_word(text, "\"valid\":true");
    else
      put_violation(text, &reply->violation);
    break;
  case PP_ASK_SPANS:
    put_lives(text, ask, reply);
    break;
  case PP_ASK_SCORE:
    put_footprint(text, &reply->footprint);
    break;
  case PP_ASK_RELEASE:
    put_done(text, reply);
    break;
  default:
    put_layout(text, ask, reply);
  }
  pp_text_word(text, "}");
}

/* Behind the "{" and what the caller put there. */
static void put_rest(pp_text *text, const pp_ask *ask, const pp_reply *reply) {
  switch (reply->kind) {
  case PP_REPLY_RESULT:
    put_result(text, ask, reply);
    break;
  case PP_REPLY_REJECT:
    pp_text_word(text, "\"reject\":");
    pp_text_string(text, pp_status_name(reply->status));
    if (reply->index != SIZE_MAX)
      pp_text_pair(text, ",\"index\":", reply->index);
    break;
  case PP_REPLY_UNSUPPORTED:
    pp_text_word(text, "\"unsupported\":");
    pp_text_string(text, reply->text);
    break;
  case PP_REPLY_SKIP:
    pp_text_word(text, "\"skip\":");
    pp_text_string(text, reply->text);
    break;
  default:
    pp_text_word(text, "\"error\":");
    pp_text_string(text, reply->text);
  }
  pp_text_word(text, "}");
}

void pp_wire_reply(pp_text *text, const pp_ask *ask, const pp_reply *reply,
                   uint64_t id) {
  pp_text_pair(text, "{\"id\":", id);
  pp_text_word(text, ",");
  put_rest(text, ask, reply);
  pp_text_word(text, "\n");
}

void pp_wire_expect(pp_text *text, const pp_ask *ask, const pp_reply *reply) {
  pp_text_word(text, "{");
  put_rest(text, ask, reply);
}
