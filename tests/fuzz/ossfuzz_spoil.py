"""Ways to spoil what fuzz/build.sh makes, each of which tests/fuzz/ossfuzz must
see and name."""
import re
import shlex
import shutil
import socket
import subprocess
import tempfile
import types
import zipfile
from pathlib import Path

NAME = "problem_csv"
TARGET = f"fuzz-{NAME}"
HEAD = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
"""
BODY = "int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {%s}"
PLAIN = "return size > 8 && data[0] == 7 && data[1] == data[2];"
# 300 places that both of the sanitizers check.
MANY = "int a[9] = {0};" + "a[data[size / 2] % 9] += data[size / 3];" * 300 + \
    "return a[0] == 77777;"
CONNECT = """
#include <arpa/inet.h>
#include <sys/socket.h>
"""
DIAL = """
struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(%d)};
to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
int s = socket(AF_INET, SOCK_STREAM, 0);
if (connect(s, (struct sockaddr *)&to, sizeof to) != 0) abort();
(void)data; (void)size; return 0;"""


def target(body, head="", drop="", add="", link=""):
    """Puts another target in the place of ours: its text, and flags to leave
    out of those of the build, or to add."""
    def spoil(contract, out):
        env = contract.build_env
        flags = [flag for flag in shlex.split(env["CXXFLAGS"])
                 if not drop or not re.search(drop, flag)]
        source = out.parent / "spoilt.c"
        source.write_text(HEAD + head + BODY % body)
        subprocess.run(
            [env["CXX"], *flags, *shlex.split(add), "-w", "-x", "c", source,
             "-x", "none", *shlex.split(env["LIB_FUZZING_ENGINE"]),
             *shlex.split(link), "-o", out / TARGET],
            check=True, env=env)
    return spoil


def seed(data, body=None):
    """One seed with these bytes instead of ours, and another target."""
    def spoil(contract, out):
        if body:
            target(body)(contract, out)
        with zipfile.ZipFile(out / f"{TARGET}_seed_corpus.zip", "w") as file:
            if data is not None:
                file.writestr("seed", data)
    return spoil


def rename(suffix, other):
    return lambda contract, out: (out / f"{TARGET}{suffix}").rename(
        out / f"{TARGET}{other}")


def write(suffix, text):
    def spoil(contract, out):
        with open(out / f"{TARGET}{suffix}", "a", encoding="utf-8") as file:
            file.write(text)
    return spoil


def faults(contract, port):
    """(what is spoilt, how, the reason that must be told)."""
    gone = contract.tree / "fuzz/targets"
    every = [
        ("a library outside libc",
         target("extern void *json_null(void); return json_null() == 0;",
                link="-ljansson"), r"needs libjansson\.so"),
        ("no dictionary", rename(".dict", ".dic"), r"\.dict is missing"),
        ("a dictionary that does not parse", write(".dict", "\nword\n"),
         r"does not (do|parse)"),
        ("the seeds under another name",
         rename("_seed_corpus.zip", "_seeds.zip"),
         r"_seed_corpus\.zip is missing"),
        ("a file that is nobody's", write("_corpus.zip", "x"),
         "belongs to no target"),
        ("no seeds", seed(None), "zip is empty"),
        ("seeds that are only refused", seed(b"garbage"),
         "compares something on none"),
        ("a seed that crashes",
         seed(b"crash here", "if (size == 10 && memcmp(data, \"crash here\", 10)"
              " == 0) abort(); return 0;"), "fails on its seeds"),
        ("no target", rename("", ".old"), "is no fuzz target"),
        ("a target without its entry",
         lambda contract, out: shutil.copy("/bin/true", out / TARGET),
         "is no fuzz target"),
        ("a target that fails at once", target("abort();"),
         r"does not (do|start)"),
        ("a target that reads the sources",
         target(f'if (!fopen("{gone}", "r")) abort(); return 0;'),
         r"does not (do|start)"),
    ]
    if contract.cut:
        every.append(("a target that needs the network",
                      target(DIAL % port, CONNECT), r"does not (do|start)"))
    if contract.engine == "libfuzzer":
        every += [
            ("an option that is none", write(".options", "maxlen = 7\n"),
             "none of libFuzzer's"),
            ("no sanitizer", target(PLAIN, drop="sanitize=(?!fuzzer)"),
             "is it built with the sanitizer"),
            ("a second sanitizer", target(MANY, add="-fsanitize=" + (
                "address" if contract.sanitizer == "undefined" else
                "undefined")), "as well"),
            ("no coverage", target(PLAIN, drop="fuzzer-no-link"),
             "edges are counted"),
        ]
    else:
        every.append(("no coverage", plain_afl, "edges are counted"))
    return every


def plain_afl(contract, out):
    """AFL++'s runtime, but the compiler is not AFL++'s."""
    env = dict(contract.build_env, CXX="clang++")
    target(PLAIN, link="/usr/lib/afl/afl-compiler-rt-64.o")(
        types.SimpleNamespace(build_env=env), out)


def try_one(contract, built, spoil):
    """The reasons that are told of one target, spoilt."""
    with tempfile.TemporaryDirectory(dir=contract.work) as folder:
        out = Path(folder) / "out"
        out.mkdir()
        for file in built.glob(f"{TARGET}[._]*"):
            shutil.copy(file, out)
        shutil.copy(built / TARGET, out)
        if spoil:
            spoil(contract, out)
        return contract.check(out, [NAME])


def selftest(contract, built):
    """Whether every fault is seen, and none where there is none."""
    missed = 0
    with socket.create_server(("127.0.0.1", 0)) as server:
        every = faults(contract, server.getsockname()[1])
        for what, spoil, reason in [("nothing", None, None), *every]:
            told = try_one(contract, built, spoil)
            seen = any(re.search(reason, one) for one in told) if reason \
                else not told
            missed += not seen
            print(f"spoilt: {what:36} {'seen' if seen else 'WRONG'}",
                  flush=True)
            if not seen:
                print("\n".join(told) or "nothing is told")
    print(f"{len(every) + 1 - missed} of {len(every) + 1} as they must be")
    return missed == 0
