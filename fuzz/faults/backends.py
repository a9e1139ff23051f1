"""Faults of the backends that need no driver, of those that tests/devices
plants in all of them: here beside what the campaigns make of them."""
from shop import load

BACKENDS = ("cc", "multidev_cc")
FAULTS = [(f"{backend}: {name}", *parts)
          for backend, name, *parts in load("tests/devices/faults.py").FAULTS
          if backend in BACKENDS]
SECONDS = 10
DEMANDS = ("tests",)


def checks(name):
    backend = name.split(":")[0]
    return {
        "fuzz": [("campaign", f"fuzz-{what}", "--backend", backend, "--seed",
                  "1", "--seconds", "{seconds}")
                 for what in ("runtime", "routine")],
        "tests": [("program", test, "--backend", backend, "--require", backend)
                  for test in ("matrix", "copies")] +
                 [("unit", f"table/*on_{backend}")]}
