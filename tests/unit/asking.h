/* Questions and answers for the unit tests, from JSON with ' for ". */
#ifndef PP_ASKING_H
#define PP_ASKING_H

#include "answer.h"
#include "wire.h"

/* The caller frees them; the test ends when they cannot be read. */
pp_ask pp_must_ask(const char *text);
pp_reply pp_must_reply(const pp_ask *ask, const char *text);

#endif
