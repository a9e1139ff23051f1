"""What the scripts share that put known faults into a copy of the sources, one
at a time. Those that the campaigns, fuzzers and unit tests have to find are
planted by fuzz/ground-truth."""
import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ.get("PP_SOURCE", Path(__file__).resolve().parents[1]))
BUILD = Path(os.environ.get("PP_BUILD", SOURCE / "build/release"))
CC = os.environ.get("CC", "cc")


def build(tree, folder, edits, out):
    """The files that the edits change, all of the folder's when one is a
    header, with the rest as it was built."""
    changed = {tree / edit[0] for edit in edits}
    if any(file.suffix == ".h" for file in changed):
        changed = set((tree / folder).glob("*.c"))
    done = subprocess.run(
        [CC, "-std=c11", "-O1", "-w", "-D_GNU_SOURCE", "-ffp-contract=off",
         '-DPP_VERSION="mutant"', "-I", BUILD / "include", "-I",
         SOURCE / "backends", "-I", SOURCE, "-I", SOURCE / "oracle",
         "-I", SOURCE / "oracle/conform",
         SOURCE / "oracle/main.c", *sorted(changed),
         "-Wl,--start-group", BUILD / "oracle/libpp_oracle.a",
         BUILD / "ref/libpp_ref.a", BUILD / "backends/libpoolproof.a",
         "-Wl,--end-group", "-ljansson", "-lcsv", "-lnettle", "-lm", "-lpthread",
         "-o", out],
        capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"a mutant does not compile:\n{done.stderr[-2000:]}")


def apply(tree, edits):
    for file, old, new in edits:
        path = tree / file
        text = path.read_text()
        if text.count(old) != 1:
            sys.exit(f"{file}: {text.count(old)} places for: {old}")
        path.write_text(text.replace(old, new))
