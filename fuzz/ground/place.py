"""Puts a fault into a copy of the sources, and the call that tells when its
code runs before the statement that it is in."""
import json
import re
import subprocess
import sys

PROBE = "pp_probe_reached();"
MARK = "/*here*/"
# Of a statement that has others under it without a block: which of them.
BODIES = {"IfStmt": (1, 2), "ForStmt": (-1,), "WhileStmt": (-1,),
          "DoStmt": (0,), "SwitchStmt": (-1,), "CaseStmt": (-1,),
          "DefaultStmt": (-1,), "LabelStmt": (-1,)}


def changed_at(old, new):
    """Where the new text begins to differ, at the start of a token."""
    at = 0
    while at < min(len(old), len(new)) and old[at] == new[at]:
        at += 1
    while 0 < at and re.match(r"\w\w|[<>=!&|+*/%-]{2}", new[at - 1:at + 1]):
        at -= 1
    return at + len(new[at:]) - len(new[at:].lstrip())


def edit(tree, edits, marked):
    """Makes the edits; a mark stands where each of those marked begins."""
    for file, old, new in edits:
        path = tree / file
        text = path.read_text()
        if text.count(old) != 1:
            sys.exit(f"{file}: {text.count(old)} places for: {old}")
        if marked:
            at = changed_at(old, new)
            new = new[:at] + MARK + new[at:]
        path.write_text(text.replace(old, new))


def spot(place):
    return place.get("expansionLoc", place).get("offset", -1)


def extent(node, text):
    """Of a statement, its semicolon with it."""
    begin = spot(node["range"]["begin"])
    end = node["range"]["end"]
    end = spot(end) + end.get("expansionLoc", end).get("tokLen", 0)
    rest = re.match(r"(\s|/\*here\*/)*;", text[end:])
    return begin, end + (rest.end() if rest else 0)


def under(node):
    """The statements below that may stand alone or in a block."""
    inner = [part for part in node.get("inner", []) if "range" in part]
    kind = node["kind"]
    if kind == "CompoundStmt":
        return [(part, False) for part in inner]
    return [(inner[k], True) for k in BODIES.get(kind, ())
            if -len(inner) <= k < len(inner)]


def enclosing(block, at, text):
    """(begin, end, whether it needs braces) of the innermost statement there;
    where a block has none there, the one behind, or the block's end."""
    node, found = block, None
    while True:
        inside = [(part, bare) for part, bare in under(node)
                  if extent(part, text)[0] <= at < extent(part, text)[1]]
        if inside:
            node, bare = inside[0]
            if node["kind"] != "CompoundStmt":
                found = (*extent(node, text), bare)
            continue
        if node["kind"] != "CompoundStmt":
            return found
        begin, end = extent(node, text)
        later = [extent(part, text)[0] for part, _ in under(node)]
        later = [begin for begin in later if begin > at] + [end - 1]
        return later[0], later[0], False


def bodies(syntax, text):
    """The blocks of the functions that stand in the file itself."""
    for node in syntax["inner"]:
        block = node.get("inner", [{}])[-1]
        name = node.get("name", "")
        at = spot(node.get("loc", {}))
        if (node["kind"] == "FunctionDecl" and at >= 0 and
                block.get("kind") == "CompoundStmt" and
                text[at:at + len(name)] == name and
                text[spot(block["range"]["begin"])] == "{"):
            yield block


def probe(path, flags):
    """Puts the call before each statement with a mark in it; how many."""
    text = path.read_bytes().decode("latin-1")
    marks = [found.end() for found in re.finditer(re.escape(MARK), text)]
    if not marks:
        return text.count(PROBE)
    done = subprocess.run(
        ["clang", *flags, "-x", "c", "-w", "-fsyntax-only", "-Xclang",
         "-ast-dump=json", path], capture_output=True)
    if done.returncode != 0:
        sys.exit(f"a fault does not compile:\n{done.stderr.decode()[-2000:]}")
    blocks = list(bodies(json.loads(done.stdout), text))
    puts = {}
    for at in marks:
        for block in blocks:
            begin, end = extent(block, text)
            if begin < at < end:
                begin, end, bare = enclosing(block, at, text)
                puts[begin] = ("{ " if bare else "") + PROBE + " "
                if bare:
                    puts[end] = " }" + puts.get(end, "")
    for at in sorted(puts, reverse=True):
        text = text[:at] + puts[at] + text[at:]
    text = text.replace(MARK, "")
    path.write_bytes(text.encode("latin-1"))
    return text.count(PROBE)
