/* poolproof: what the answerers share.  SPDX-License-Identifier: MIT */
#ifndef PP_ANSWER_PARTS_H
#define PP_ANSWER_PARTS_H

#include "answer.h"

/* One side's answers; as pp_answer. What it leaves in a reply when it returns
 * false is given back by the caller. */
bool pp_answer_ref(const pp_ask *ask, pp_reply *reply);
bool pp_answer_fast(const pp_ask *ask, pp_reply *reply);
bool pp_answer_plain(const pp_ask *ask, pp_reply *reply);

/* The release questions of two of them. */
bool pp_answer_ref_release(const pp_ask *ask, pp_reply *reply);
bool pp_answer_plain_release(const pp_ask *ask, pp_reply *reply);

/* Room for a layout of the question's items, in segment, offset and size. */
bool pp_reply_room(const pp_ask *ask, pp_reply *reply);

/* Room for what became of the acts, and the pools that are live before them in
 * live. */
bool pp_reply_acts(const pp_ask *ask, pp_reply *reply);

/* Makes it a result (PP_OK) or a refusal, which names index unless it is
 * PP_OVER_CAP. False: the status is PP_NO_MEMORY. */
bool pp_reply_settle(pp_reply *reply, pp_status status, size_t index);

/* Makes it `unsupported`, of the question's verb. */
bool pp_reply_cannot(const pp_ask *ask, pp_reply *reply);

/* score: the node of that uid; nodes when there is none. */
size_t pp_score_node(const pp_ask *ask, uint64_t uid);

#endif
