"""Runs a check on a program with a fault in it: did it reach the fault, did it
find it, after how many executions and seconds?"""
import os
import re
import shlex
import shutil
import struct
import subprocess
import time

from shop import GROUND, SOURCE

FUZZ = GROUND.parent
# No driver of this machine: what is planted is found without.
ALONE = {"OCL_ICD_VENDORS": "/nonexistent", "FAKE_CUDA_DEVICES": "0",
         "CUDA_VISIBLE_DEVICES": "-1"}
SANITIZERS = {
    "ASAN_OPTIONS": "allocator_may_return_null=1:intercept_tls_get_addr=0",
    "LSAN_OPTIONS": f"suppressions={SOURCE}/tests/lsan.supp:"
                    "print_suppressions=0"}
HANGS = 60  # seconds after which a test that has not ended is a find


def targets():
    """name -> (folders of corpus/, greatest length)."""
    rows = [line.split(None, 4) for line in
            (FUZZ / "targets").read_text().splitlines()
            if line.strip() and not line.startswith("#")]
    return {row[0]: (row[2].split(","), int(row[3])) for row in rows}


class Check:
    """One attempt to find a plant. seconds: how long it may look."""

    def __init__(self, plant, release, engine, seconds):
        self.plant, self.release, self.engine = plant, release, engine
        self.seconds = seconds
        self.work = plant.folder / "work"
        self.work.mkdir(parents=True, exist_ok=True)

    def start(self, command, limit, env=()):
        """Runs a program that counts; what it came to, None: it hangs."""
        file = self.work / "probe"
        file.write_bytes(bytes(7 * 8))
        began = time.monotonic()
        try:
            done = subprocess.run(
                command, cwd=self.work, capture_output=True, text=True,
                errors="replace", timeout=limit, stdin=subprocess.DEVNULL,
                env={**os.environ, **ALONE, **dict(env),
                     "PP_SOURCE": str(SOURCE), "PP_PROBE": str(file)})
        except subprocess.TimeoutExpired:
            done = None
        self.spent = time.monotonic() - began
        self.numbers = struct.unpack("7Q", file.read_bytes())
        return done

    def result(self, killed, counted=True):
        """Counts executions; where the harness counts none, processes."""
        _, processes, cases, reached, reached_ns, failed, failed_ns = \
            self.numbers
        ran = cases if counted else processes
        result = {"reached": None, "killed": None, "executions": ran,
                  "seconds": round(self.spent, 3)}
        if reached_ns > 0:
            result["reached"] = [reached if counted else processes,
                                 round(reached_ns / 1e9, 6)]
        if killed:
            told = counted and failed_ns > 0
            result["killed"] = [failed if told else ran,
                                round(failed_ns / 1e9 if told
                                      else self.spent, 6)]
        return result

    def campaign(self, *args):
        """A command of the program whose find must show the fault again."""
        program = self.plant.program(self.release, "poolproof")
        args = [arg.format(seconds=self.seconds) for arg in args]
        done = self.start([program, *args, "--quiet", "--finds", self.work],
                          3 * self.seconds + HANGS)
        if done is None:
            return self.result(False)
        if done.returncode < 0:
            return self.result("\nagain: poolproof " in done.stdout)
        shown = re.search(r"shown by: poolproof (.+)", done.stdout)
        if done.returncode != 1 or not shown:
            return self.result("does not end" in done.stdout)
        again = subprocess.run([program, *shlex.split(shown[1])],
                               cwd=self.work, capture_output=True,
                               env={**os.environ, **ALONE})
        return self.result(again.returncode == 1)

    def vectors(self):
        done = self.start(
            [self.plant.program(self.release, "poolproof"), "vectors", "lint",
             SOURCE / "corpus/vectors"], HANGS)
        return self.result(done is None or done.returncode != 0)

    def unit(self, suites, program="unit"):
        done = self.start(
            [self.plant.program(self.release, program), "--verbose=0", "-j1",
             "--color=never", "--timeout", "20", "--filter", suites], HANGS)
        ran = done and re.search(r"Tested: (\d+)", done.stdout + done.stderr)
        if done and (not ran or ran[1] == "0"):
            raise SystemExit(f"no unit test is {suites}")
        return self.result(done is None or done.returncode != 0)

    def program(self, name, *args):
        """A test that is a program of its own."""
        done = self.start([self.plant.program(self.release, name), *args],
                          HANGS)
        return self.result(done is None or done.returncode != 0,
                           name == "exhaust_release")

    def script(self, *command):
        """A test that runs the program many times."""
        folder = self.plant.program(self.release, "poolproof").parent
        done = self.start(
            command, 3 * HANGS,
            {"PP_BIN": str(folder), "PP_BUILD": str(self.release.build),
             "PATH": f"{folder}:{os.environ['PATH']}"}.items())
        return self.result(done is None or done.returncode not in (0, 77),
                           False)

    def test(self, path):
        return self.script(SOURCE / path)

    def cram(self, *names):
        """Of tests/cli, copies: what differs is written beside them."""
        files = [shutil.copy(SOURCE / f"tests/cli/{name}.t", self.work)
                 for name in names]
        return self.script("cram3", "--shell=/bin/bash", "--", *files)

    def target(self, name):
        """A libFuzzer target from its seeds; its find must fail again."""
        folders, length = targets()[name]
        program = self.plant.program(self.engine, f"fuzz-{name}")
        done = self.start(
            [program, "-seed=1", f"-max_total_time={self.seconds}",
             f"-max_len={length}", "-rss_limit_mb=2048", "-timeout=30",
             f"-artifact_prefix={self.work}/find-", self.fresh(),
             *(SOURCE / "corpus" / folder for folder in folders)],
            self.seconds + HANGS, SANITIZERS.items())
        finds = list(self.work.glob("find-*"))
        if done is None or done.returncode == 0 or not finds:
            return self.result(False)
        result = self.result(True)
        again = subprocess.run([program, finds[0]], capture_output=True,
                               env={**os.environ, **ALONE, **SANITIZERS})
        return result if again.returncode != 0 else self.result(False)

    def fresh(self):
        """An empty folder for what an engine keeps."""
        folder = self.work / f"corpus{len(list(self.work.glob('corpus*')))}"
        folder.mkdir()
        for find in self.work.glob("find-*"):
            find.unlink()
        return folder
