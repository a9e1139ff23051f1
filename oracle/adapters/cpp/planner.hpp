// A planner and checker that follow the rules (SEG, ARN, VAL of ref/README.md)
// as they are written: put yours in its place. SPDX-License-Identifier: MIT
#ifndef PLANNER_HPP
#define PLANNER_HPP

#include "poolproof_stdio.hpp"

poolproof::Layout segments(std::uint64_t cap, const poolproof::Items &items);
poolproof::Arena arena(std::uint64_t cap, const poolproof::Items &items);
std::optional<poolproof::Violation> validate(bool in_arena, std::uint64_t cap,
                                             const poolproof::Items &items,
                                             const poolproof::Layout &layout);

#endif
