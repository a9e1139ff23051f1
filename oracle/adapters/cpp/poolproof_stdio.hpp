// poolproof/1 on standard input and output, for C++17 and nlohmann-json. This
// is the file to take along.
//
//   poolproof::Planner mine;
//   mine.name = "my planner";
//   mine.arena = [](std::uint64_t cap, const poolproof::Items &items) {
//     ...
//     return poolproof::Arena{offset, total};
//   };                        // or: throw poolproof::Reject("over_cap")
//   return poolproof::serve(mine);
//
// A verb whose function is left empty is not claimed. Which numbers travel as
// strings is settled here: planners see std::uint64_t alone.
// oracle/PROTOCOL.md is the protocol. SPDX-License-Identifier: MIT
#ifndef POOLPROOF_STDIO_HPP
#define POOLPROOF_STDIO_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace poolproof {

// first and last step of its life, both in it; nothing: always live
using Span = std::optional<std::pair<std::uint64_t, std::uint64_t>>;

struct Item {
  std::uint64_t size;
  std::uint64_t align;
  std::uint64_t item_class;
  Span span;
};

struct Layout {
  std::vector<std::uint64_t> segment; // of each item
  std::vector<std::uint64_t> offset;  // of each item
  std::vector<std::uint64_t> sizes;   // of each segment
};

struct Arena {
  std::vector<std::uint64_t> offset;
  std::uint64_t total;
};

// What is wrong with a layout; which fields count depends on the kind.
struct Violation {
  std::string kind;
  std::size_t first = 0;  // item or segment
  std::size_t second = 0; // shared_bytes: the other item
  std::uint64_t lo = 0;   // shared_bytes: the bytes; wrong_size: claimed
  std::uint64_t hi = 0;   //                          wrong_size: end
};

// What the rules refuse: "item_over_cap" and "bad_span", which name the first
// such item, and "over_cap", which names none.
struct Reject : std::runtime_error {
  explicit Reject(const std::string &reason,
                  std::optional<std::size_t> item = std::nullopt)
      : std::runtime_error(reason), index(item) {}
  std::optional<std::size_t> index;
};

// Throw it with a capability: the request needs what the planner has not.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throw it with the URL of an issue: known to be wrong, not for now.
struct Skip : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Items = std::vector<Item>;

struct Planner {
  std::string name = "a planner";
  std::string version = "1";
  std::string homepage;
  std::vector<std::string> features = {"classes", "always_live", "any_align",
                                       "zero_size", "u64"};
  std::uint64_t items = 0;       // the most items of one request; 0: any number
  std::string compare = "exact"; // or "valid", "total"
  std::function<Layout(std::uint64_t cap, const Items &)> segments;
  std::function<Arena(std::uint64_t cap, const Items &)> arena;
  // arena: items conflict by span and class; otherwise all do
  std::function<std::optional<Violation>(bool arena, std::uint64_t cap,
                                         const Items &, const Layout &)>
      validate;
};

namespace wire {

using Json = nlohmann::ordered_json;

inline std::uint64_t number(const Json &value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  const std::string digits = value.get<std::string>();
  std::size_t used = 0;
  const unsigned long long read = std::stoull(digits, &used);
  if (used != digits.size()) throw std::invalid_argument(digits);
  return read;
}

inline Json number(std::uint64_t value) {
  if (value > std::uint64_t{1} << 53) return std::to_string(value);
  return value;
}

inline std::vector<std::uint64_t> numbers(const Json &values) {
  std::vector<std::uint64_t> read;
  for (const Json &value : values)
    read.push_back(number(value));
  return read;
}

inline Json numbers(const std::vector<std::uint64_t> &values) {
  Json written = Json::array();
  for (std::uint64_t value : values)
    written.push_back(number(value));
  return written;
}

inline Items items(const Json &request) {
  Items read;
  for (const Json &item : request.at("items")) {
    Item one{number(item.at("size")), number(item.at("align")), 0, {}};
    if (item.contains("class")) one.item_class = number(item["class"]);
    if (item.contains("span"))
      one.span = {number(item["span"].at(0)), number(item["span"].at(1))};
    read.push_back(one);
  }
  return read;
}

inline Json violation(const Violation &found) {
  Json said = {{"kind", found.kind}};
  if (found.kind == "shared_bytes") {
    said["items"] = {found.first, found.second};
    said["bytes"] = {number(found.lo), number(found.hi)};
  } else if (found.kind == "segment_too_big") {
    said["segment"] = found.first;
  } else if (found.kind == "wrong_size") {
    said["segment"] = found.first;
    said["claimed"] = number(found.lo);
    said["end"] = number(found.hi);
  } else {
    said["item"] = found.first;
  }
  return said;
}

inline Json plan(const Planner &planner, const std::string &verb,
                 const Json &request) {
  const std::uint64_t cap = number(request.at("cap"));
  if (verb == "segments") {
    const Layout made = planner.segments(cap, items(request));
    return {{"segment", numbers(made.segment)},
            {"offset", numbers(made.offset)},
            {"sizes", numbers(made.sizes)}};
  }
  if (verb == "arena") {
    const Arena made = planner.arena(cap, items(request));
    return {{"offset", numbers(made.offset)}, {"total", number(made.total)}};
  }
  const Json &claim = request.at("layout");
  const Layout layout{numbers(claim.at("segment")), numbers(claim.at("offset")),
                      numbers(claim.at("sizes"))};
  const auto found = planner.validate(request.at("kind") == "arena", cap,
                                      items(request), layout);
  if (!found) return {{"valid", true}};
  return {{"valid", false}, {"violation", violation(*found)}};
}

inline std::vector<std::string> verbs(const Planner &planner) {
  std::vector<std::string> known;
  if (planner.segments) known.push_back("segments");
  if (planner.arena) known.push_back("arena");
  if (planner.validate) known.push_back("validate");
  return known;
}

inline Json hello(const Planner &planner, const Json &request) {
  const Json &versions = request.at("protocol");
  if (number(versions.at("min")) > 1 || number(versions.at("max")) < 1)
    throw std::runtime_error("only poolproof/1 is spoken here");
  Json about = {
      {"protocol", 1}, {"name", planner.name}, {"version", planner.version}};
  if (!planner.homepage.empty()) about["homepage"] = planner.homepage;
  about["capabilities"] = verbs(planner);
  for (const std::string &feature : planner.features)
    about["capabilities"].push_back(feature);
  if (planner.items != 0) about["limits"] = {{"items", planner.items}};
  about["compare"] = planner.compare;
  return about;
}

// Adds what is said to the request.
inline void answer(const Planner &planner, const Json &request, Json &said) {
  const std::string verb = request.at("verb").get<std::string>();
  try {
    if (verb == "hello") {
      said["result"] = hello(planner, request);
    } else if (verb == "bye") {
      said["result"] = Json::object();
    } else {
      bool known = false;
      for (const std::string &one : verbs(planner))
        known = known || one == verb;
      if (!known) throw Unsupported(verb);
      said["result"] = plan(planner, verb, request);
    }
  } catch (const Reject &no) {
    said["reject"] = no.what();
    if (no.index) said["index"] = *no.index;
  } catch (const Unsupported &no) {
    said["unsupported"] = no.what();
  } catch (const Skip &no) {
    said["skip"] = no.what();
  }
}

} // namespace wire

// Answers until bye, or the end of the input; what main returns.
inline int serve(const Planner &planner) {
  std::ios::sync_with_stdio(false);
  std::string line;
  while (std::getline(std::cin, line)) {
    wire::Json said = {{"id", 0}};
    bool last = false;
    try {
      const wire::Json request = wire::Json::parse(line);
      said["id"] = request.at("id");
      wire::answer(planner, request, said);
      last = request["verb"] == "bye";
    } catch (const std::exception &wrong) { // one bad request is not the end
      said["error"] = wrong.what();
    }
    using Replace = nlohmann::detail::error_handler_t;
    std::cout << said.dump(-1, ' ', false, Replace::replace) << std::endl;
    if (last) break;
  }
  return 0;
}

} // namespace poolproof

#endif
