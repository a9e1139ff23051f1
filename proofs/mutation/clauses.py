"""Edits that weaken a contract of ref/: an ensures clause dropped, an
equivalence halved, a bound loosened, the last conjunct dropped. Each says
which functions call the one whose contract it weakens: one must notice."""

import re

from annotated import CONTRACT, FUNCTION

ENSURES = re.compile(r"ensures\s+(\w+):(.*?);\n", re.S)


def bodies(text):
    """{function: its body} of one C file: up to the brace in column 1."""
    found = {}
    for match in FUNCTION.finditer(text):
        if match[2] == "{":
            end = text.index("\n}", match.end())
            found[match[1]] = text[match.end():end]
    return found


def callers(sources, file, function):
    """[(file, caller)] of a function of a file: what is not in a header is
    called in its own file alone."""
    return [(name, caller) for name, text in sorted(sources.items())
            if name.endswith(".c") and (name == file or file.endswith(".h"))
            for caller, body in bodies(text).items()
            if re.search(r"\b%s\(" % function, body)]


def contracts(text):
    """(function, begin, end) of each contract of one file."""
    for match in FUNCTION.finditer(text):
        contract = CONTRACT.search(text[:match.start()])
        if contract:
            yield match[1], contract.start(), contract.end()


def weaker(clause):
    """(kind, begin, end, new) of each way to say less than this clause. A
    bound of a quantifier's guard is left alone, and each side of an
    equivalence: to loosen it says more, or something else."""
    claim = 0
    while re.search(r"(?<!<)==>(?!.*\\forall)", clause[claim:], re.S):
        claim += re.search(r"(?<!<)==>", clause[claim:]).end()
    if "<==>" in clause:
        at = clause.index("<==>")
        yield "half", at, at + 4, "==>"
        return
    for match in re.finditer(r" ([<>]) ", clause[claim:]):
        yield ("bound", claim + match.start(1), claim + match.end(1),
               match[1] + "=")
    for match in re.finditer(r"&&\s*[^&|]*\Z", clause[claim:]):
        if match[0].count("(") == match[0].count(")"):
            yield "conjunct", claim + match.start(), claim + match.end(), ""


def points(sources):
    """Rows: file, function, kind, begin, end, new, clause, [(file, caller)].
    The last theorems of the *_unique.c files have no caller: they are what
    is shown, and proofs/lint holds each to the rule that it states."""
    for file, text in sorted(sources.items()):
        for function, begin, end in contracts(text):
            judges = callers(sources, file, function)
            if not judges:
                continue
            for clause in ENSURES.finditer(text[begin:end]):
                at = begin + clause.start(2)
                edits = [("drop", 0, len(clause[2]), " \\true")]
                for kind, first, last, new in edits + list(weaker(clause[2])):
                    yield (file, function, kind, at + first, at + last, new,
                           clause[1], judges)
