#!/usr/bin/python3
"""planner.py, held to the rules:

    poolproof conform --impl "python3 oracle/adapters/python/implementation.py"

SPDX-License-Identifier: MIT
"""
import planner
import poolproof_stdio

VERBS = ("segments", "arena", "validate", "spans", "score", "release")

if __name__ == "__main__":
    poolproof_stdio.serve("poolproof's Python example", "1",
                          {verb: getattr(planner, verb) for verb in VERBS},
                          items=1000)
