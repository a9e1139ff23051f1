"""Splits a C file of ref/, its headers included, into text, functions and
annotations. C that ref/ does not use is refused, naming file and line."""

import collections
import os
import re

from acsl import CONTRACT, Reader, Trouble

Function = collections.namedtuple(
    "Function", "name head result params ghost static file line body")
Item = collections.namedtuple("Item", "kind file line value")

C = re.compile(r"""
    (?P<note>/\*@.*?\*/|//@[^\n]*)
  | (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<directive>^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<name>[A-Za-z_]\w*)
  | (?P<number>\d[\w.]*)
  | (?P<mark>[^\s\w])
  | (?P<space>\s+)
""", re.X | re.S | re.M)

LABEL = re.compile(r"[\s@]*ghost\s+\w+\s*:\s*;[\s@]*")  # for assertions alone

SCALARS = {"bool", "char", "int", "unsigned", "long", "size_t", "uint8_t",
           "uint16_t", "uint32_t", "uint64_t"}


def note_text(text):
    return text[3:-2] if text.startswith("/*") else text[3:]


def params_of(text, file, line):
    """[(type, name)] of what stands between a function's parentheses."""
    if text.strip() in ("", "void"):
        return []
    found = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([\w\s]+?[\s*]+)(\w+)\s*", part)
        if not match:
            raise Trouble(file, line, "unknown parameter %r" % part.strip())
        found.append((re.sub(r"\s+", " ", match[1]).strip(), match[2]))
    return found


class Unit:
    """A C file and its headers, split into text and functions."""

    def __init__(self, folder):
        self.folder, self.seen = folder, set()
        self.defined = {"PP_REF_ALIGN_VISIBLE"}
        self.items, self.logic, self.contracts = [], [], {}
        self.inner = []  # clauses inside bodies
        self.structs, self.scalars, self.constants = set(), set(SCALARS), set()

    def read(self, name):
        self.seen.add(name)
        path = os.path.join(self.folder, name)
        with open(path, encoding="utf-8") as source:
            text = source.read()
        File(self, os.path.join(os.path.basename(self.folder), name),
             text).read()


class File:
    def __init__(self, unit, name, text):
        self.unit, self.name, self.text = unit, name, text
        self.tokens = [match for match in C.finditer(text)
                       if match.lastgroup != "space"]
        self.copied = 0    # up to where the text has been handed on
        self.active = [True]
        self.pending = None
        self.at = 0

    def line(self, place):
        return self.text.count("\n", 0, place) + 1

    def fail(self, place, text):
        raise Trouble(self.name, self.line(place), text)

    def copy(self, end, skip=0):
        self.unit.items.append(Item("text", self.name, self.line(self.copied),
                                    self.text[self.copied:end]))
        self.copied = end + skip

    def read(self):
        declaration = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            kind = token.lastgroup
            if kind == "directive":
                self.directive(token)
            elif kind == "comment" or not all(self.active):
                continue
            elif kind == "note" and not self.note(token):
                continue
            else:
                declaration.append(token)
                if self.ends(declaration):
                    declaration = []
        if declaration or self.pending:
            self.fail(len(self.text), "the file ends inside a declaration")
        self.copy(len(self.text))

    def directive(self, token):
        words = token[0].replace("#", " ", 1).split()
        if words[0] in ("ifdef", "ifndef"):
            self.active.append((words[1] in self.unit.defined)
                               == (words[0] == "ifdef"))
        elif words[0] == "else":
            self.active[-1] = not self.active[-1]
        elif words[0] == "endif":
            self.active.pop()
        elif words[0] == "define" and len(words) == 2:
            if all(self.active):
                self.unit.defined.add(words[1])
        elif words[0] in ("define", "undef"):
            pass  # handed on with the text around it; no contract sees it
        elif words[0] == "include":
            self.include(token, words[1])
        else:
            self.fail(token.start(), "cannot read %s" % token[0].strip())

    def include(self, token, what):
        if not what.startswith('"') or not all(self.active):
            return
        self.copy(token.start(), len(token[0]))
        if what.strip('"') not in self.unit.seen:
            self.unit.read(what.strip('"'))

    def reader(self, token):
        return Reader(note_text(token[0]), self.name,
                      self.line(token.start()))

    def note(self, token):
        """Reads an annotation outside bodies; whether it is a ghost list."""
        reader = self.reader(token)
        if reader.text() == "ghost":
            return True
        if reader.text() in CONTRACT:
            if self.pending:
                self.fail(token.start(), "a second contract")
            self.pending = reader.contract()
        else:
            self.unit.logic += reader.logic()
        return False

    def ends(self, declaration):
        """Whether the declaration is over with its last token."""
        last = declaration[-1][0]
        heads = [t for t in declaration if t.lastgroup != "note"]
        if last == ";":
            self.declared(declaration)
            return True
        if last != "{":
            return False
        if len(heads) > 1 and heads[-2][0] == ")":
            self.function(declaration)
            return True
        depth = 1
        while depth:
            token = self.tokens[self.at]
            self.at += 1
            depth += (token[0] == "{") - (token[0] == "}")
            if declaration[0][0] == "typedef" and declaration[1][0] == "enum" \
                    and token.lastgroup == "name":
                self.unit.constants.add(token[0])
        return False

    def declared(self, declaration):
        words = [token[0] for token in declaration]
        if "(" in words and words[0] != "typedef":
            self.attach(words[words.index("(") - 1])
        elif self.pending:
            self.fail(declaration[0].start(), "a contract of no function")
        elif words[0] == "typedef":
            kind = {"struct": self.unit.structs, "enum": self.unit.scalars}
            if words[1] not in kind:
                self.fail(declaration[0].start(), "unknown typedef")
            kind[words[1]].add(words[-2])

    def attach(self, name):
        if self.pending:
            if name in self.unit.contracts:
                raise Trouble(self.name, self.pending.line,
                              "a second contract of %s" % name)
            self.unit.contracts[name] = (self.pending, self.name)
        self.pending = None

    def function(self, declaration):
        heads = [t for t in declaration if t.lastgroup != "note"]
        words = [token[0] for token in heads]
        first, last = words.index("("), len(words) - 2
        begin, name = declaration[0].start(), words[first - 1]
        line = self.line(begin)
        self.attach(name)
        params = params_of(self.text[heads[first].end():heads[last].start()],
                           self.name, line)
        ghost = []
        for token in declaration:
            if token.lastgroup == "note":
                ghost += params_of(self.ghost(token), self.name, line)
        result = [w for w in words[:first - 1] if w not in ("static",
                                                            "inline")]
        self.copy(begin)
        body = self.body(heads[-1].start())
        self.unit.items.append(Item("function", self.name, line, Function(
            name, " ".join(words[:first - 1]), " ".join(result), params,
            ghost, "static" in words and not name.startswith("pp_ref_"),
            self.name, self.line(heads[-1].start()), body)))

    def ghost(self, token):
        match = re.fullmatch(r"[\s@]*ghost\s*\((.*)\)[\s@]*",
                             note_text(token[0]), re.S)
        if not match:
            self.fail(token.start(), "unknown ghost code")
        return match[1]

    def body(self, begin):
        """The body's text; ghost arguments have become arguments."""
        text, copied, depth, last = "", begin, 1, None
        while depth:
            if self.at == len(self.tokens):
                self.fail(begin, "a body without end")
            token = self.tokens[self.at]
            self.at += 1
            depth += (token[0] == "{") - (token[0] == "}")
            if token.lastgroup == "directive":
                self.fail(token.start(), "a directive inside a body")
            if token.lastgroup != "note":
                last = token if token.lastgroup != "comment" else last
                continue
            reader = self.reader(token)
            if reader.text() != "ghost":
                self.unit.inner += [(self.name, clause)
                                    for clause in reader.inside()]
                continue
            if LABEL.fullmatch(note_text(token[0])):
                continue
            if not last or last[0] != ")":
                self.fail(token.start(), "ghost arguments of no call")
            text += (self.text[copied:last.start()] + ", " + self.ghost(token)
                     + self.text[last.end():token.start()] + ")")
            copied = token.end()
        end = self.tokens[self.at - 1].end()
        self.copied = end
        return text + self.text[copied:end]
