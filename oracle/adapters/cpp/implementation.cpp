// planner.cpp, held to the rules:
//
//   make -C oracle/adapters/cpp
//   poolproof conform --impl oracle/adapters/cpp/implementation
//
// SPDX-License-Identifier: MIT
#include "planner.hpp"

int main() {
  poolproof::Planner planner;
  planner.name = "poolproof's C++ example";
  planner.segments = segments;
  planner.arena = arena;
  planner.validate = validate;
  return poolproof::serve(planner);
}
