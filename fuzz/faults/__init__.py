"""Lists of known faults. A fault is a name, edits (file, what stands there
exactly once, what is put instead), and dictionaries (see fuzz/ground-truth).
Each list has SECONDS, how long a fuzzer may look, DEMANDS, the checks that
must find each, and checks(name): check -> attempts, methods of
fuzz/ground/checks.py and their arguments."""
