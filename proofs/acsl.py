"""Reads the ACSL that ref/ is written in. What it does not know it refuses,
naming file and line.

A formula or term is a Node: kind, value, kids, line. The kinds:
  num name result true false        value: the number, the name
  not neg deref max min cond        kids: the operands
  + - * / % && || ==> <==>          kids: two operands
  rel                               value: the operators of a < b <= c; kids
  index field                       kids: base (and index); value: the field
  call                              value: (name, labels); kids: arguments
  forall exists                     value: [(type, name)]; kids: body
  let at                            value: the name, the label
  range                             kids: first, last: p + (a .. b)
  valid separated nothing           kids: sets of cells
"""

import collections
import re

Token = collections.namedtuple("Token", "kind text line")
Clause = collections.namedtuple("Clause", "kind name node line")
Behavior = collections.namedtuple("Behavior", "name clauses")
Contract = collections.namedtuple("Contract",
                                  "clauses behaviors complete disjoint line")
Logic = collections.namedtuple("Logic",
                               "kind name labels params body file line")

LEX = re.compile(r"""
    (?P<space>[\s@]+|//[^\n]*)
  | (?P<number>\d+)
  | (?P<name>\\?[A-Za-z_]\w*)
  | (?P<mark><==>|==>|\.\.|->|<=|>=|==|!=|&&|\|\||[-+*/%<>!?:;,.(){}\[\]=])
""", re.X)

CONTRACT = ("requires", "terminates", "assigns", "ensures", "behavior",
            "assumes", "complete", "disjoint")
RELATIONS = ("<", "<=", ">", ">=", "==", "!=")


class Trouble(Exception):
    """What was not understood, and where."""

    def __init__(self, file, line, text):
        super().__init__("%s:%d: %s" % (file, line, text))


class Node:
    def __init__(self, kind, line, kids=(), value=None):
        self.kind, self.line = kind, line
        self.kids, self.value = list(kids), value

    def walk(self):
        yield self
        for kid in self.kids:
            yield from kid.walk()


class Reader:
    """One annotation: what stands between /*@ and */, or after //@."""

    def __init__(self, text, file, line):
        self.file, self.at, self.tokens = file, 0, []
        place = 0
        while place < len(text):
            match = LEX.match(text, place)
            if not match:
                raise Trouble(file, line, "unknown character %r"
                              % text[place])
            if match.lastgroup != "space":
                self.tokens.append(Token(match.lastgroup, match[0], line))
            line += match[0].count("\n")
            place = match.end()
        self.tokens.append(Token("end", "", line))

    @property
    def line(self):
        return self.tokens[self.at].line

    def text(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)].text

    def kind(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)].kind

    def unknown(self, wanted):
        raise Trouble(self.file, self.line, "'%s' where %s is expected"
                      % (self.text() or "the end", wanted))

    def take(self, text=None):
        if text is not None and self.text() != text:
            self.unknown(repr(text))
        self.at += 1
        return self.tokens[self.at - 1].text

    def has(self, *texts):
        if self.text() in texts:
            return self.take()
        return None

    def word(self):
        if self.kind() != "name" or self.text().startswith("\\"):
            self.unknown("a name")
        return self.take()

    # Formulas and terms, by falling binding strength.

    def formula(self):
        line, node = self.line, self.implication()
        while self.has("<==>"):
            node = Node("<==>", line, [node, self.implication()])
        if self.has("?"):
            yes = self.formula()
            self.take(":")
            node = Node("cond", line, [node, yes, self.formula()])
        return node

    def implication(self):
        line, node = self.line, self.left(0)
        if self.has("==>"):
            return Node("==>", line, [node, self.implication()])
        return node

    LEVELS = (("||",), ("&&",), RELATIONS, ("+", "-"), ("*", "/", "%"))

    def left(self, level):
        if level == len(self.LEVELS):
            return self.unary()
        line, node = self.line, self.left(level + 1)
        if self.LEVELS[level] is RELATIONS:
            return self.relation(node)
        while self.text() in self.LEVELS[level]:
            mark = self.take()
            if self.text() == "(" and mark == "+" and self.ranges():
                other = self.range()
            else:
                other = self.left(level + 1)
            node = Node(mark, line, [node, other])
        return node

    def relation(self, node):
        line, marks, kids = self.line, [], [node]
        while self.text() in RELATIONS:
            marks.append(self.take())
            kids.append(self.left(self.LEVELS.index(RELATIONS) + 1))
        rising = all(mark in ("<", "<=", "==") for mark in marks)
        if len(marks) > 1 and not rising:
            raise Trouble(self.file, line, "a chain of %s" % " ".join(marks))
        return Node("rel", line, kids, marks) if marks else node

    def ranges(self):
        """Whether the parenthesis that begins here holds a .. at its top."""
        depth, ahead = 0, 0
        while self.kind(ahead) != "end":
            text = self.text(ahead)
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if depth == 0:
                return False
            if depth == 1 and text == "..":
                return True
            ahead += 1
        return False

    def range(self):
        line = self.line
        self.take("(")
        first = self.formula()
        self.take("..")
        node = Node("range", line, [first, self.formula()])
        self.take(")")
        return node

    UNARY = {"!": "not", "-": "neg", "*": "deref"}

    def unary(self):
        line = self.line
        mark = self.has(*self.UNARY)
        if mark:
            return Node(self.UNARY[mark], line, [self.unary()])
        node = self.primary()
        while self.text() in ("[", "->", "."):
            mark = self.take()
            if mark == "[":
                index = self.formula()
                if self.has(".."):
                    index = Node("range", line, [index, self.formula()])
                self.take("]")
                node = Node("index", line, [node, index])
            else:
                base = Node("deref", line, [node]) if mark == "->" else node
                node = Node("field", line, [base], self.word())
        return node

    def primary(self):
        line = self.line
        if self.kind() == "number":
            return Node("num", line, value=int(self.take()))
        if self.has("("):
            node = self.formula()
            self.take(")")
            return node
        if self.text().startswith("\\"):
            return self.builtin()
        name = self.word()
        labels = self.labels()
        if self.text() == "(":
            return Node("call", line, self.arguments(), (name, labels))
        if labels:
            self.unknown("'('")
        return Node("name", line, value=name)

    PLAIN = {"\\result": "result", "\\true": "true", "\\false": "false",
             "\\nothing": "nothing"}
    CALLS = {"\\max": ("max", 2), "\\min": ("min", 2), "\\valid": ("valid", 1),
             "\\valid_read": ("valid", 1), "\\separated": ("separated", 0)}

    def builtin(self):
        line, word = self.line, self.text()
        if word in self.PLAIN:
            self.take()
            return Node(self.PLAIN[word], line)
        if word in self.CALLS:
            kind, count = self.CALLS[self.take()]
            kids = self.arguments()
            if count and len(kids) != count:
                raise Trouble(self.file, line, "%s of %d arguments"
                              % (word, len(kids)))
            return Node(kind, line, kids)
        if word in ("\\forall", "\\exists"):
            self.take()
            binders = self.binders(";")
            return Node(word[1:], line, [self.formula()], binders)
        if word == "\\let":
            self.take()
            name = self.word()
            self.take("=")
            value = self.formula()
            self.take(";")
            return Node("let", line, [value, self.formula()], name)
        if word in ("\\at", "\\old"):
            self.take()
            self.take("(")
            node, label = self.formula(), "Old"
            if word == "\\at":
                self.take(",")
                label = self.word()
            self.take(")")
            return Node("at", line, [node], label)
        return self.unknown("a formula")

    def arguments(self):
        self.take("(")
        kids = [self.formula()]
        while self.has(","):
            kids.append(self.formula())
        self.take(")")
        return kids

    def labels(self):
        found = []
        if self.has("{"):
            found.append(self.word())
            while self.has(","):
                found.append(self.word())
            self.take("}")
        return found

    def binders(self, end):
        """[(type, name)] up to end; a name alone has the type before it."""
        found, kind = [], None
        while not self.has(end):
            if found:
                self.take(",")
            words = []
            while self.kind() == "name" or self.text() == "*":
                words.append(self.take())
            if len(words) > 1:
                kind = " ".join(words[:-1])
            if not words or words[-1] == "*" or kind is None:
                self.unknown("a type and a name")
            found.append((kind, words[-1]))
        return found

    # Clauses and declarations.

    def named(self):
        if self.kind() == "name" and self.text(1) == ":":
            name = self.word()
            self.take(":")
            return name
        return None

    def clause(self, kind):
        line, name = self.line, self.named()
        node = [self.formula()]
        while kind.endswith("assigns") and self.has(","):
            node.append(self.formula())
        self.take(";")
        return Clause(kind, name, node if kind.endswith("assigns")
                      else node[0], line)

    def contract(self):
        line, clauses, behaviors, flags = self.line, [], [], set()
        into = clauses
        while self.kind() != "end":
            if self.text() not in CONTRACT:
                self.unknown("a clause of a contract")
            kind = self.take()
            if kind == "behavior":
                behaviors.append(Behavior(self.word(), []))
                into = behaviors[-1].clauses
                self.take(":")
            elif kind in ("complete", "disjoint"):
                self.take("behaviors")
                self.take(";")
                flags.add(kind)
            else:
                into.append(self.clause(kind))
        return Contract(clauses, behaviors, "complete" in flags,
                        "disjoint" in flags, line)

    def inside(self):
        """What stands in a body: [Clause], of loops and assertions."""
        found = []
        while self.kind() != "end":
            kind = self.take()
            if kind == "loop" and self.text() in ("invariant", "assigns",
                                                  "variant"):
                kind += " " + self.take()
            elif kind != "assert":
                self.at -= 1
                self.unknown("loop or assert")
            found.append(self.clause(kind))
        return found

    def logic(self, end="end"):
        """[Logic]: the predicates, functions, lemmas and axioms."""
        found = []
        while self.kind() != end and self.text() != end:
            line, kind = self.line, self.take()
            if kind == "axiomatic":
                self.word()
                self.take("{")
                found += self.logic("}")
                self.take("}")
            elif kind in ("lemma", "axiom"):
                name, labels = self.word(), self.labels()
                self.take(":")
                found.append(Logic(kind, name, labels, [], self.formula(),
                                   self.file, line))
                self.take(";")
            elif kind in ("predicate", "logic"):
                if kind == "logic":
                    self.take("integer")
                name, labels = self.word(), self.labels()
                self.take("(")
                params = self.binders(")")
                body = self.formula() if self.has("=") else None
                self.take(";")
                found.append(Logic(kind, name, labels, params, body,
                                   self.file, line))
            else:
                self.at -= 1
                self.unknown("predicate, logic, lemma or axiomatic")
        return found
