/* poolproof: everything of the proved reference in one include.
 * SPDX-License-Identifier: MIT */
#ifndef PP_REF_H
#define PP_REF_H

#include "align.h"
#include "arena.h"
#include "budget.h"
#include "release.h"
#include "segments.h"
#include "spans.h"
#include "validate.h"

#endif
