"""Compiles what a fault changes and links it with the rest as it was built,
by the commands of the build itself."""
import functools
import importlib.machinery
import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import place

GROUND = Path(__file__).resolve().parent
SOURCE = Path(os.environ.get("PP_SOURCE", GROUND.parents[1]))
# What counts the executions of a program that the build links: the files, like
# which of the sources they are compiled, and what they stand in front of.
COUNTERS = {
    "poolproof": (("cases.c", "answers.c"), "oracle/differ.c",
                  ("pp_differ_run", "pp_differ_check", "pp_explore_chunk",
                   "pp_routine_check", "pp_replay_run", "pp_answer",
                   "pp_reply_equal")),
    "exhaust_release": (("releases.c",), "oracle/differ.c",
                        ("pp_ref_release",)),
    "unit": (("tests.c",), "tests/unit/table.c", ()),
    "fuzz-": (("inputs.c",), "oracle/differ.c", ("LLVMFuzzerTestOneInput",)),
}


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command[:1]))}: "
                 f"{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def load(path):
    """A script of the tree as a module."""
    loader = importlib.machinery.SourceFileLoader(
        "pp_" + Path(path).stem, str(SOURCE / path))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Shop:
    """A build folder, and a folder to work in."""

    def __init__(self, build, work):
        self.build, self.work = Path(build), Path(work)
        self.work.mkdir(parents=True, exist_ok=True)
        self.counters, self.links = {}, {}
        self.lock = threading.Lock()

    @functools.cached_property
    def commands(self):
        """Source -> the command with which the build compiles it."""
        file = self.build / "compile_commands.json"
        if not file.exists():
            sys.exit(f"{file} is missing; build the preset "
                     f"{self.build.name} first")
        return {os.path.relpath(entry["file"], SOURCE): entry["command"]
                for entry in json.loads(file.read_text())}

    def flags(self, source):
        """The compiler, and the arguments with which the build compiles."""
        if source not in self.commands:
            sys.exit(f"{self.build} does not compile {source}")
        words = shlex.split(self.commands[source])
        at = words.index("-o")
        return words[0], [word for word in words[1:at] + words[at + 2:]
                          if word not in ("-c", words[-1])]

    def compile(self, file, like, out):
        compiler, flags = self.flags(like)
        run([compiler, *flags, "-O1", "-w", "-iquote",
             SOURCE / Path(like).parent, "-I", GROUND, "-include",
             GROUND / "probe.h", "-c", file, "-o", out], cwd=self.build)
        return out

    def counter(self, program):
        """The objects that count, and what the linker is told."""
        kind = next((kind for kind in COUNTERS if program.startswith(kind)),
                    None)
        if kind not in self.counters:
            objects = [self.compile(GROUND / "probe.c", "oracle/differ.c",
                                    self.work / f"probe-{kind}.o")]
            wraps = ()
            if kind:
                files, like, wraps = COUNTERS[kind]
                objects += [self.compile(GROUND / file, like,
                                         self.work / f"{file}.o")
                            for file in files]
            self.counters[kind] = [*objects,
                                   *(f"-Wl,--wrap={name}" for name in wraps)]
        return self.counters[kind]

    def link(self, program, objects, out):
        """The build's program with the objects in place of its own."""
        if program not in self.links:
            made = run(["ninja", "-C", self.build, "-t", "commands",
                        f"bin/{program}"])
            words = shlex.split(made.splitlines()[-1])
            self.links[program] = words[words.index("&&") + 1:
                                        len(words) - words[::-1].index("&&")
                                        - 1]
        words = [word if word != f"bin/{program}" else str(out)
                 for word in self.links[program]]
        at = words.index("-o")
        with self.lock:
            counter = self.counter(program)
        run([*words[:at], *objects, *counter, *words[at:]], cwd=self.build)
        return out


class Plant:
    """A fault in a copy of what it changes."""

    def __init__(self, fault, folder):
        self.fault, self.folder = fault, Path(folder)
        self.tree = self.folder / "tree"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.made = {}

    def sources(self, shop):
        """The copy's files to compile, with the fault and its probe in them:
        all of a folder's when a header of it changes."""
        if self.tree.exists():
            return self.files
        edits = self.fault.edits + self.fault.also
        changed = {file for file, _, _ in edits}
        files = set()
        for file in changed:
            folder = Path(file).parent
            near = (SOURCE / folder).glob("*.[ch]") if file.endswith(".h") \
                else [SOURCE / file]
            (self.tree / folder).mkdir(parents=True, exist_ok=True)
            for path in near:
                name = str(folder / path.name)
                if not (self.tree / name).exists():
                    shutil.copy(path, self.tree / name)
                if name.endswith(".c"):
                    files.add(name)
        place.edit(self.tree, self.fault.also, False)
        place.edit(self.tree, self.fault.edits, True)
        self.files = sorted(file for file in files if file in shop.commands)
        probes = 0
        for file in changed:
            like = file if file in shop.commands else next(
                name for name in self.files
                if Path(name).parent == Path(file).parent)
            probes += place.probe(
                self.tree / file,
                [*shop.flags(like)[1], "-iquote", SOURCE / Path(file).parent])
        if edits and probes == 0:
            sys.exit(f"{self.fault.name}: no statement of a function changes; "
                     f"write {place.PROBE} into the new text")
        return self.files

    def objects(self, shop):
        if shop not in self.made:
            out = self.folder / f"objects{len(self.made)}"
            out.mkdir(parents=True, exist_ok=True)
            self.made[shop] = [
                shop.compile(self.tree / file, file,
                             out / (file.replace("/", "-") + ".o"))
                for file in self.sources(shop)]
        return self.made[shop]

    def program(self, shop, name):
        """The build's program of that name with the fault in it."""
        out = self.folder / shop.build.name / name
        if not out.exists():
            out.parent.mkdir(parents=True, exist_ok=True)
            shop.link(name, self.objects(shop), out)
        return out
