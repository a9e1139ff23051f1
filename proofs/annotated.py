"""The annotated C of ref/: where functions and their contracts are."""

import os
import re

# Executable oracles: tested, not proved, so without contracts. Nothing that is
# proved includes them.
ORACLES = ("element.h", "interp.c", "shadow.c")

FUNCTION = re.compile(r"^(?:static |inline )*[a-z]\w*(?: \*| )(\w+)\("
                      r"[^;{}]*?\)\s*(?:/\*@ ghost[^*]*\*/\s*)?([;{])", re.M)
# In the text before a function: its contract, which says what it assigns.
CONTRACT = re.compile(r"/\*@(?:(?!\*/).)*?\bassigns\b(?:(?!\*/).)*\*/\s*\Z",
                      re.S)


def read(folder):
    """{name: text} of the sources of a folder."""
    found = {}
    for file in sorted(os.listdir(folder)):
        if file.endswith((".c", ".h", ".acsl")):
            with open(os.path.join(folder, file), encoding="utf-8") as source:
                found[file] = source.read()
    return found
