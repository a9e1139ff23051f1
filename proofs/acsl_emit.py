"""Turns formulas of ACSL into C that evaluates them.

Integers are unbounded in ACSL and __int128 here (pp_int): sums of 64-bit
values never wrap; products are refused. A quantifier becomes a loop between
bounds that follow from its guard. Where a predicate P has a variant Runs_P
(ref/executable.c), that is what runs; the premise of the lemma that says that
both are the same is checked at each call.
"""

import itertools

from acsl import Node, Trouble

WIDEST = 2 ** 64 - 1
RUNS = "Runs_"


class Scope:
    """What names mean: name -> (kind, C text). The kind is "int", "struct" or
    "pointer"; of a pointer the text is a function from label to C text. The
    labels are those that may be named."""

    def __init__(self, names, label, labels, result=None):
        self.names, self.label, self.result = names, label, result
        self.labels = labels

    def at(self, label):
        return Scope(self.names, label, self.labels, self.result)

    def with_ints(self, names):
        return Scope({**self.names, **{name: ("int", text)
                                       for name, text in names.items()}},
                     self.label, self.labels, self.result)


def conjuncts(node):
    """The parts of A && a < b <= c as [A, a < b, b <= c]."""
    if node.kind == "&&":
        return [part for kid in node.kids for part in conjuncts(kid)]
    if node.kind == "rel":
        return [Node("rel", node.line, [a, b], [mark]) for a, b, mark
                in zip(node.kids, node.kids[1:], node.value)]
    return [node]


def guard_of(node):
    """The conjuncts of the guard of a \\forall, and what it guards."""
    body, guard = node.kids[0], []
    while body.kind == "==>":
        guard += conjuncts(body.kids[0])
        body = body.kids[1]
    return guard, body


def number(value):
    if value <= WIDEST:
        return "(pp_int)%dU" % value
    return "(((pp_int)%dU << 64) + (pp_int)%dU)" % divmod(value, 2 ** 64)


def add(left, right, factor):
    total = dict(left)
    for key, count in right.items():
        total[key] = total.get(key, 0) + factor * count
    return {key: count for key, count in total.items() if count}


class Emitter:
    def __init__(self, table, domains, constants, structs):
        self.table, self.domains = table, domains
        self.constants, self.structs = constants, structs
        self.serial = 0
        self.text, self.done, self.open = [], set(), []
        self.file = ""

    def fail(self, node, text):
        raise Trouble(self.file, node.line, text)

    def fresh(self, name):
        self.serial += 1
        return "%s_%d" % (name, self.serial)

    # Formulas and terms.

    PLAIN = {"&&": "(%s && %s)", "||": "(%s || %s)",
             "==>": "(!(%s) || %s)", "<==>": "(!(%s) == !(%s))",
             "+": "(%s + %s)", "-": "(%s - %s)", "/": "(%s / %s)",
             "%": "(%s %% %s)", "max": "pp_max(%s, %s)",
             "min": "pp_min(%s, %s)", "cond": "(%s ? %s : %s)",
             "not": "!(%s)", "neg": "(-%s)", "true": "true",
             "false": "false"}

    def emit(self, node, scope):
        if node.kind in self.PLAIN:
            return self.PLAIN[node.kind] % tuple(
                self.emit(kid, scope) for kid in node.kids)
        name = "emit_" + node.kind
        if not hasattr(self, name):
            self.fail(node, "cannot run: %s" % node.kind)
        return getattr(self, name)(node, scope)

    def emit_num(self, node, _):
        return number(node.value)

    def emit_name(self, node, scope):
        if node.value in scope.names:
            kind, text = scope.names[node.value]
            if kind != "int":
                self.fail(node, "%s is no number" % node.value)
            return text
        if node.value in self.constants:
            return "(pp_int)" + node.value
        return self.fail(node, "unknown name %s" % node.value)

    def emit_result(self, node, scope):
        if not scope.result or scope.result[0] != "int":
            self.fail(node, "no number \\result here")
        return scope.result[1]

    def emit_rel(self, node, scope):
        kids = [self.emit(kid, scope) for kid in node.kids]
        return "(%s)" % " && ".join(
            "%s %s %s" % row for row in zip(kids, node.value, kids[1:]))

    def emit_at(self, node, scope):
        return self.emit(node.kids[0], self.labelled(node, scope, node.value))

    def labelled(self, node, scope, label):
        if label not in scope.labels:
            self.fail(node, "unknown label %s" % label)
        return scope.at(label)

    def emit_let(self, node, scope):
        name = self.fresh(node.value)
        value = self.emit(node.kids[0], scope)
        body = self.emit(node.kids[1], scope.with_ints({node.value: name}))
        return "({ const pp_int %s = %s; %s; })" % (name, value, body)

    def emit_valid(self, _node, _scope):
        return "true"  # AddressSanitizer's: see Emitter.keep

    def emit_separated(self, node, scope):
        return ("pp_contract_separated((const pp_contract_set[]){%s}, %d)" % (
            ", ".join("{%s}" % self.cells(kid, scope) for kid in node.kids),
            len(node.kids)))

    # Memory.

    def pointer(self, node, scope):
        if node.kind == "at":  # its value then, but memory as it is now
            self.fail(node, "\\at or \\old of a pointer")
        if node.kind != "name" or \
                scope.names.get(node.value, ("",))[0] != "pointer":
            self.fail(node, "no name of a pointer")
        return scope.names[node.value][1](scope.label)

    def place(self, node, scope):
        """The C expression of a cell, or of a struct."""
        if node.kind == "result" and scope.result:
            return scope.result[1]
        if node.kind == "name" and \
                scope.names.get(node.value, ("",))[0] == "struct":
            return scope.names[node.value][1]
        if node.kind == "deref":
            return "(*%s)" % self.pointer(node.kids[0], scope)
        if node.kind == "index":
            return "%s[pp_ix(%s)]" % (self.pointer(node.kids[0], scope),
                                      self.emit(node.kids[1], scope))
        if node.kind == "field":
            return "%s.%s" % (self.place(node.kids[0], scope), node.value)
        return self.fail(node, "no place in memory")

    def emit_field(self, node, scope):
        return "((pp_int)%s)" % self.place(node, scope)

    emit_index = emit_deref = emit_field

    def span(self, node, scope):
        """Of p, p + e, p + (a .. b), *p, p[e], p[a .. b]: the pointer, the
        first and the last index."""
        first = last = number(0)
        base = node
        if node.kind in ("+", "index"):
            base, index = node.kids
            ends = index.kids if index.kind == "range" else [index, index]
            first, last = (self.emit(end, scope) for end in ends)
        elif node.kind == "deref":
            base = node.kids[0]
        return self.pointer(base, scope), first, last

    def cells(self, node, scope):
        """The same as arguments: pointer, size of a cell, first, last."""
        pointer, first, last = self.span(node, scope)
        return "%s, sizeof *%s, %s, %s" % (pointer, pointer, first, last)

    # Quantifiers.

    def emit_forall(self, node, scope):
        good = self.fresh("all")
        guard, body = guard_of(node)
        return self.quantifier(node, guard, scope, good, "true", good, lambda
                               within: self.emit(body, within))

    def emit_exists(self, node, scope):
        # Calls that end the conjunction go by cost: any order is the same,
        # unless one protects what another reads, which is then loud.
        guard = conjuncts(node.kids[0])
        first = len(guard)
        while first > 0 and guard[first - 1].kind == "call":
            first -= 1
        guard[first:] = sorted(guard[first:], key=self.depth)
        good = self.fresh("some")
        return self.quantifier(node, guard, scope, good, "false",
                               "!" + good, lambda _: "true")

    def quantifier(self, node, guard, scope, good, start, alive, body):
        loops = self.loops(node, guard, scope, lambda within: "%s = %s;" % (
            good, body(within)), alive + " && ")
        return "({ bool %s = %s;\n%s\n%s; })" % (good, start, loops, good)

    def depth(self, node):
        """How many loops stand inside each other in what the formula runs."""
        inner = [self.depth(kid) for kid in node.kids]
        if node.kind == "call":
            body = self.variant(node)[0].body
            inner.append(self.depth(body) if body else 0)
        return max(inner, default=0) + (node.kind in ("forall", "exists"))

    def loops(self, node, guard, scope, inner, alive):
        """Loops over all that satisfies the guard. Each conjunct is tested
        as soon as its variables, and those of the conjuncts before it, are
        fixed: what it protects is not read before."""
        names = [name for _, name in node.value]
        if any(kind != "integer" for kind, _ in node.value):
            self.fail(node, "a quantifier over %s" % node.value[0][0])
        within = scope.with_ints({name: self.fresh(name) for name in names})
        levels, level = [[] for _ in range(len(names) + 1)], 0
        for part in guard:
            for name in self.free(part, names):
                level = max(level, names.index(name) + 1)
            levels[level].append(self.emit(part, within))
        facts = [fact for part in guard
                 for fact in self.facts(part, names, within)]
        text = inner(within)
        for at in reversed(range(len(names))):
            tests = "".join("if (!%s) continue;\n" % test
                            for test in levels[at + 1])
            ends = [self.bound(node, names, at, sign, facts)
                    for sign in (1, -1)]
            text = ("for (pp_int {0} = {1}, {0}_end = {2}; {3}{0} <= {0}_end; "
                    "{0}++) {{\n{4}{5}\n}}").format(
                        within.names[names[at]][1],
                        self.extreme("pp_max", ends[0], within),
                        self.extreme("pp_min", ends[1], within),
                        alive, tests, text)
        if levels[0]:
            text = "if (%s) {\n%s\n}" % (" && ".join(levels[0]), text)
        return text

    @staticmethod
    def free(node, names):
        return {part.value for part in node.walk()
                if part.kind == "name" and part.value in names}

    def linear(self, node, names, scope):
        """{variable, (text, variables inside), or None: its factor}"""
        if node.kind == "num":
            return {None: node.value} if node.value else {}
        if node.kind in ("+", "-"):
            left, right = (self.linear(kid, names, scope)
                           for kid in node.kids)
            return add(left, right, 1 if node.kind == "+" else -1)
        if node.kind == "name" and node.value in names:
            return {node.value: 1}
        return {(self.emit(node, scope),
                 frozenset(self.free(node, names))): 1}

    def facts(self, part, names, scope):
        """Linear terms that the conjunct makes at least 0."""
        if part.kind != "rel" or part.value == ["!="] or \
                not self.free(part, names):
            return
        left, right = (self.linear(kid, names, scope) for kid in part.kids)
        mark = part.value[0]
        if mark in ("<", "<=", "=="):
            yield add(add(right, left, -1), {None: int(mark == "<")}, -1)
        if mark in (">", ">=", "=="):
            yield add(add(left, right, -1), {None: int(mark == ">")}, -1)

    def bound(self, node, names, at, sign, facts):
        found = self.bounds(names[at], sign, set(names[at:]), set(names[at:]),
                            facts)
        if not found:
            self.fail(node, "no %s bound follows for %s: guard it, or give "
                      "the predicate a variant %s... in executable.c"
                      % ("lower" if sign > 0 else "upper", names[at], RUNS))
        return found

    def bounds(self, name, sign, unfixed, open_, facts):
        """Linear terms over what is fixed, that bound the variable from below
        (sign 1) or above (-1)."""
        direct, derived = [], []
        for fact in facts:
            if fact.get(name) != sign:
                continue
            rest = {key: -sign * count for key, count in fact.items()
                    if key != name}
            if any(isinstance(key, tuple) and key[1] & unfixed
                   for key in rest):
                continue
            loose = [key for key in rest if key in unfixed]
            if not loose:
                direct.append(rest)
            elif all(abs(rest[key]) == 1 for key in loose):
                derived += self.substituted(rest, loose, sign, unfixed,
                                            open_ - {name}, facts)
        return direct or derived

    def substituted(self, rest, loose, sign, unfixed, open_, facts):
        if not set(loose) <= open_:
            return []
        fixed = {key: count for key, count in rest.items()
                 if key not in loose}
        choices = [[(key, term) for term in
                    self.bounds(key, sign * rest[key], unfixed,
                                open_ - {key}, facts)]
                   for key in loose]
        found = []
        for choice in itertools.product(*choices):
            total = fixed
            for key, term in choice:
                total = add(total, term, rest[key])
            found.append(total)
        return found

    def extreme(self, function, terms, scope):
        texts = []
        for term in terms:
            text = ""
            for key, count in term.items():
                one = (number(abs(count)) if key is None else
                       scope.names[key][1] if isinstance(key, str) else key[0])
                for _ in range(1 if key is None else abs(count)):
                    text += " %s %s" % ("-" if count < 0 else "+", one)
            text = "(%s)" % (text.lstrip(" +") or number(0))
            if text not in texts:
                texts.append(text)
        total = texts[0]
        for text in texts[1:]:
            total = "%s(%s, %s)" % (function, total, text)
        return total

    # Calls, and the functions that they need.

    def variant(self, node):
        name, labels = node.value
        if name not in self.table:
            self.fail(node, "unknown predicate or function %s" % name)
        logic = self.table[name]
        if len(node.kids) != len(logic.params):
            self.fail(node, "%s of %d arguments" % (name, len(node.kids)))
        if labels and len(labels) != max(len(logic.labels), 1):
            self.fail(node, "%s at %d labels" % (name, len(labels)))
        if not labels and len(logic.labels) > 1:
            self.fail(node, "%s at no label" % name)
        return self.table.get(RUNS + name, logic), labels

    def emit_call(self, node, scope):
        logic, labels = self.variant(node)
        self.define(logic, node)
        return "pp_l_%s(%s)" % (logic.name,
                                self.passed(logic, labels, node, scope))

    def passed(self, logic, labels, node, scope):
        texts = []
        scopes = [self.labelled(node, scope, label)
                  for label in labels] or [scope]
        for (kind, _), kid in zip(logic.params, node.kids):
            if "*" in kind:
                texts += [self.pointer(kid, within) for within in scopes]
            elif kind in self.structs:
                texts.append(self.place(kid, scope))
            else:
                texts.append(self.emit(kid, scope))
        return ", ".join(texts)

    def inside(self, logic):
        """The scope inside a predicate, and its parameters in C."""
        names, params = {}, []
        labels = logic.labels or ["Here"]

        def pointer(name):
            def text(label):
                if label == "Here" and len(labels) == 1:
                    label = labels[0]
                if label not in labels:
                    raise Trouble(logic.file, logic.line,
                                  "%s reads %s at no label of its own"
                                  % (logic.name, name))
                return name if len(labels) == 1 else name + "_" + label
            return text

        for kind, name in logic.params:
            if "*" in kind:
                names[name] = ("pointer", pointer(name))
                params += ["const %s%s" % (kind, pointer(name)(label))
                           for label in labels]
            elif kind in self.structs:
                names[name] = ("struct", name)
                params.append("%s %s" % (kind, name))
            else:
                names[name] = ("int", name)
                params.append("pp_int %s" % name)
        label = labels[0] if len(labels) == 1 else "no label"
        known = labels + ["Here"] * (len(labels) == 1)
        return Scope(names, label, known), ", ".join(params)

    def define(self, logic, node):
        if logic.name in self.done:
            return
        if logic.name in self.open:
            self.fail(node, "%s calls itself" % logic.name)
        if logic.body is None:
            self.fail(node, "%s has no body" % logic.name)
        self.open.append(logic.name)
        file, self.file = self.file, logic.file
        scope, params = self.inside(logic)
        body = self.emit(logic.body, scope)
        domain = self.domains.get(logic.name)
        check = ""
        if domain:
            check = 'if (!%s) pp_contract_failed("%s", "its domain");\n' % (
                self.emit(domain, scope), logic.name)
        self.text.append("static %s pp_l_%s(%s) {\n%sreturn %s;\n}\n" % (
            "pp_int" if logic.kind == "logic" else "bool", logic.name, params,
            check, body))
        if self.has_valid(logic.body):
            self.text.append(
                "static void pp_keep_%s(pp_contract_frame *pp_frame, %s) {\n"
                "%s\n}\n" % (logic.name, params,
                             self.keep(logic.body, scope, "pp_frame")))
        self.file = file
        self.open.pop()
        self.done.add(logic.name)

    # \valid: the cells that it names are what a snapshot is made of.

    def has_valid(self, node):
        for part in node.walk():
            if part.kind == "valid":
                return True
            if part.kind == "call":
                body = self.variant(part)[0].body
                if body and self.has_valid(body):
                    return True
        return False

    def keep_cells(self, node, scope, frame):
        """One cell, which no clause reads in the copy, may be copied into the
        frame."""
        pointer, first, _ = self.span(node, scope)
        if any(part.kind == "range" for part in node.kids):
            return "(void)pp_contract_keep(%s, %s);" % (
                frame, self.cells(node, scope))
        return "pp_contract_keep_cell(%s, %s, sizeof *%s, %s);" % (
            frame, pointer, pointer, first)

    def keep(self, node, scope, frame):
        """Statements that copy the cells which the formula calls valid."""
        if not self.has_valid(node):
            return ""
        if node.kind == "valid":
            return self.keep_cells(node.kids[0], scope, frame)
        if node.kind == "&&":
            return "\n".join(self.keep(kid, scope, frame)
                             for kid in node.kids)
        if node.kind == "==>" and not self.has_valid(node.kids[0]):
            return "if (%s) {\n%s\n}" % (
                self.emit(node.kids[0], scope),
                self.keep(node.kids[1], scope, frame))
        if node.kind == "forall":
            guard, body = guard_of(node)
            return self.loops(node, guard, scope, lambda within: self.keep(
                body, within, frame), "")
        if node.kind == "call":
            logic, labels = self.variant(node)
            self.define(logic, node)
            return "pp_keep_%s(%s, %s);" % (
                logic.name, frame, self.passed(logic, labels, node, scope))
        return self.fail(node, "\\valid inside %s" % node.kind)
