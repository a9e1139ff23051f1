"""poolproof/1 on standard input and output. This is the file to take along.

    import poolproof_stdio as poolproof

    def arena(cap, items):
        ...
        return offset, total        # or: raise poolproof.Reject("over_cap")

    poolproof.serve("my planner", "1.0", {"arena": arena})

Your functions get whole numbers and the tuples below, and give whole numbers
back; which of them travel as strings is settled here. What each verb is given
and what it returns:

    segments(cap, items)          segment, offset, sizes: three lists
    arena(cap, items)             offset, total
    validate(kind, cap, items, layout)
                                  None, or the first violation as the dict that
                                  the protocol says; kind: "segments", "arena"
    spans(opaque, nodes, accesses)
                                  for each node a pair (first, last), or None
    score(cap, alignment, aliasing, nodes)
                                  the dict that the protocol says
    release(contexts, constants, script)
                                  steps, live: the lists that it says

oracle/PROTOCOL.md is the protocol. SPDX-License-Identifier: MIT
"""
import json
import sys
from collections import namedtuple

FEATURES = ("classes", "always_live", "any_align", "zero_size", "u64")

# span: a pair (first, last), both in it, or None: always live.
Item = namedtuple("Item", "size align item_class span")
Layout = namedtuple("Layout", "segment offset sizes")
SpanNode = namedtuple("SpanNode", "uid intents in_context")
Access = namedtuple("Access", "node position access")
ScoreNode = namedtuple("ScoreNode", "uid dtype dims intents span")
# parent: the index of an earlier context, or None.
Context = namedtuple("Context", "parent nodes")
Held = namedtuple("Held", "uid pool offset")
Place = namedtuple("Place", "pool offset")
# do: "release" (uid is None), or "touch" (nothing fails).
Act = namedtuple("Act", "do context fail_await fail_free uid")


class Reject(Exception):
    """What the rules refuse: "item_over_cap" and "bad_span", which name the
    first such item, and "over_cap", which names none."""

    def __init__(self, reason, index=None):
        super().__init__(reason, index)
        self.reason = reason
        self.index = index


class Unsupported(Exception):
    """Raise it with a capability: the request needs what you do not have."""


class Skip(Exception):
    """Raise it with the URL of an issue: known to be wrong, not for now."""


def number(value):
    """A whole number as it travels: itself, or above 2^53 its digits."""
    return value if isinstance(value, int) else int(value, 10)


def wire(value):
    """The other way, for whatever is in an answer."""
    if isinstance(value, int):
        return str(value) if value > 2**53 else value
    if isinstance(value, (list, tuple)):
        return [wire(part) for part in value]
    if isinstance(value, dict):
        return {key: wire(part) for key, part in value.items()}
    return value


def _span(span):
    return span and (number(span[0]), number(span[1]))


def _items(request):
    return [Item(number(item["size"]), number(item["align"]),
                 number(item.get("class", 0)), _span(item.get("span")))
            for item in request["items"]]


def _segments(function, request):
    segment, offset, sizes = function(number(request["cap"]), _items(request))
    return {"segment": segment, "offset": offset, "sizes": sizes}


def _arena(function, request):
    offset, total = function(number(request["cap"]), _items(request))
    return {"offset": offset, "total": total}


def _validate(function, request):
    claim = request["layout"]
    layout = Layout(*([number(value) for value in claim[key]]
                      for key in Layout._fields))
    violation = function(request["kind"], number(request["cap"]),
                         _items(request), layout)
    if violation is None:
        return {"valid": True}
    return {"valid": False, "violation": violation}


def _spans(function, request):
    nodes = [SpanNode(number(node["uid"]), frozenset(node.get("intents", ())),
                      node.get("in_context", True))
             for node in request["nodes"]]
    accesses = [Access(number(one["node"]), number(one["position"]),
                       one["access"])
                for one in request["accesses"]]
    return {"spans": function(request.get("opaque", False), nodes, accesses)}


def _score(function, request):
    nodes = [ScoreNode(number(node["uid"]), node["dtype"],
                       [number(dim) for dim in node["dims"]],
                       frozenset(node.get("intents", ())),
                       _span(node.get("span")))
             for node in request["nodes"]]
    return function(number(request["cap"]), number(request["alignment"]),
                    request.get("aliasing", True), nodes)


def _release(function, request):
    contexts = []
    for context in request["contexts"]:
        parent = context.get("parent")
        contexts.append(Context(
            parent if parent is None else number(parent),
            [Held(number(node["uid"]), number(node["pool"]),
                  number(node["offset"])) for node in context["nodes"]]))
    constants = [Place(number(place["pool"]), number(place["offset"]))
                 for place in request["constants"]]
    script = [Act(act["do"], number(act["context"]),
                  number(act.get("fail_await", 0)),
                  number(act.get("fail_free", 0)),
                  number(act["uid"]) if "uid" in act else None)
              for act in request["script"]]
    steps, live = function(contexts, constants, script)
    return {"steps": steps, "live": live}


_VERBS = {"segments": _segments, "arena": _arena, "validate": _validate,
          "spans": _spans, "score": _score, "release": _release}


def _hello(request, about):
    versions = request["protocol"]
    if not versions["min"] <= 1 <= versions["max"]:
        return {"error": "only poolproof/1 is spoken here"}
    return {"result": about}


def _answer(request, verbs, about):
    verb = request["verb"]
    if verb == "hello":
        return _hello(request, about)
    if verb == "bye":
        return {"result": {}}
    if verb not in verbs:
        return {"unsupported": verb}
    try:
        return {"result": wire(_VERBS[verb](verbs[verb], request))}
    except Reject as no:
        if no.index is None:
            return {"reject": no.reason}
        return {"reject": no.reason, "index": no.index}
    except Unsupported as no:
        return {"unsupported": str(no)}
    except Skip as no:
        return {"skip": str(no)}


def serve(name, version, verbs, features=FEATURES, items=None, homepage=None,
          compare="exact"):
    """Answers until bye, or the end of the input.

    verbs     a dict: the word of a verb, your function for it
    features  what you can do beside: the words of FEATURES
    items     the most items or nodes that you want in one request
    compare   "exact": the specified plan byte for byte; "valid": any valid
              one; "total": a valid one that is no larger
    """
    about = {"protocol": 1, "name": name, "version": version}
    if homepage is not None:
        about["homepage"] = homepage
    about["capabilities"] = [*verbs, *features]
    if items is not None:
        about["limits"] = {"items": items}
    about["compare"] = compare
    # Whatever the planner prints must not get between the answers.
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    for line in sys.stdin.buffer:
        key, verb = 0, None
        try:
            request = json.loads(line)
            key, verb = request["id"], request["verb"]
            answer = _answer(request, verbs, about)
        except Exception as wrong:  # one bad request is not the end
            answer = {"error": f"{type(wrong).__name__}: {wrong}"}
        text = json.dumps({"id": key, **answer}, separators=(",", ":"))
        out.write(text.encode() + b"\n")
        out.flush()
        if verb == "bye":
            break
