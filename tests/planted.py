"""What the scripts share that put known faults into a copy of the sources, one
at a time, and see whether a campaign of the program finds each: the files that
a find leaves must show it again, and the unchanged copy must be found clean by
the same command."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
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


def hunt(program, work, command, limit):
    """Whether it found something that the find's files show again (or, where
    the fault crashes the process, told the command that does), and how fast."""
    start = time.monotonic()
    try:
        done = subprocess.run([program, *command, "--quiet", "--finds", work],
                              cwd=work, capture_output=True, text=True,
                              timeout=limit)
    except subprocess.TimeoutExpired:
        return False, limit
    spent = time.monotonic() - start
    if done.returncode < 0:
        return "\nagain: poolproof " in done.stdout, spent
    shown = re.search(r"shown by: poolproof (.+)", done.stdout)
    if done.returncode != 1 or not shown:
        return False, spent
    again = subprocess.run([program, *shlex.split(shown[1])], cwd=work,
                           capture_output=True)
    return again.returncode == 1, spent


def apply(tree, edits):
    for file, old, new in edits:
        path = tree / file
        text = path.read_text()
        if text.count(old) != 1:
            sys.exit(f"{file}: {text.count(old)} places for: {old}")
        path.write_text(text.replace(old, new))


def main(folder, faults, hunts, seconds, clean_seconds=10):
    """faults: (name, (file, what stands there exactly once, what is put
    instead) ...) in a folder's sources. hunts(name, seconds): the campaigns
    that must each find it, as (name, arguments). An argument of the script:
    only faults with that in their names. The exit status."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    faults = [fault for fault in faults if wanted in fault[0]]
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        tree = work / "tree"
        for fault, *edits in [("none", )] + faults:
            shutil.rmtree(tree, ignore_errors=True)
            shutil.copytree(SOURCE / folder, tree / folder)
            apply(tree, edits)
            build(tree, folder, edits, work / "mutant")
            line, found = f"{fault:58}", []
            for what, command in hunts(fault,
                                       seconds if edits else clean_seconds):
                hit, spent = hunt(work / "mutant", work, command, 3 * seconds)
                found.append(hit)
                line += f"  {what} {'found' if hit else '-':>5} {spent:5.1f} s"
            good = all(found) if edits else not any(found)
            missed += not good
            print(line if good else f"{line}  WRONG", flush=True)
    print(f"{len(faults) - missed} of {len(faults)} faults found")
    return int(missed != 0)
