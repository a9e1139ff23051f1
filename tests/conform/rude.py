#!/usr/bin/python3
"""A small right implementation of `segments` that misbehaves.

    rude.py MODE [FILE]

Modes that name no place misbehave at every third request. FILE is the request
that dies-on-one dies of, and where flaky leaves word of the first process.
"""

import json
import os
import signal
import subprocess
import sys
import time

HELLO = {
    "protocol": 1,
    "name": "rude",
    "version": "1",
    "capabilities": ["segments"],
}


def write(text):
    os.write(1, text.encode())


def say(number, answer):
    write(json.dumps({"id": number, **answer}) + "\n")


def segments(request):
    cap = int(request["cap"])
    segment, offset, sizes = [], [], []
    for index, item in enumerate(request["items"]):
        if int(item["size"]) > cap:
            return {"reject": "item_over_cap", "index": index}
    for item in request["items"]:
        size, align = int(item["size"]), int(item["align"])
        at = -(-sizes[-1] // align) * align if sizes else 0
        if not sizes or at + size > cap:
            sizes.append(0)
            at = 0
        segment.append(len(sizes) - 1)
        offset.append(at)
        sizes[-1] = at + size
    return {"result": {"segment": segment, "offset": offset, "sizes": sizes}}


def crash():
    os.kill(os.getpid(), signal.SIGSEGV)


def first_time(path):
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False


def is_that_one(request, path):
    with open(path, encoding="utf-8") as file:
        one = json.load(file)
    return all(request[key] == one[key] for key in one)


def leave_behind(apart):
    sleep = "import time; time.sleep(600)"
    subprocess.Popen(
        [sys.executable, "-c", sleep, *sys.argv],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=apart,
    )


def loud():
    """As much as a second takes, a gigabyte at most."""
    end = time.monotonic() + 1
    block = b"x" * (1 << 20)
    for _ in range(1024):
        if time.monotonic() > end:
            return
        os.write(2, block)


def at_start(mode):
    if mode == "hang-at-start":
        time.sleep(600)
    elif mode == "exit-at-start":
        print("no configuration", file=sys.stderr)
        sys.exit(3)
    elif mode == "banner":
        write("Welcome to rude 1.0\n")
    elif mode == "stderr-gigabyte":
        loud()
    elif mode == "forks":
        leave_behind(False)
    elif mode == "forks-apart":
        leave_behind(True)


def at_hello(number, mode):
    if mode == "bad-hello":
        say(number, {"result": {**HELLO, "protocol": "one"}})
    else:
        say(number, {"result": HELLO})
    if mode == "closes-stdin":
        os.close(0)
        time.sleep(600)


def misbehave(number, mode):
    """What is done in place of the answer; True: the answer follows."""
    if mode == "hang-later":
        time.sleep(600)
    elif mode == "crash":
        crash()
    elif mode == "exit":
        print("giving up", file=sys.stderr)
        sys.exit(3)
    elif mode == "half-line":
        write('{"id": %d, "resu' % number)
        sys.exit(0)
    elif mode == "wrong-id":
        say(number + 1000000, {"unsupported": "segments"})
    elif mode == "closes-stdout":
        os.close(1)
        time.sleep(600)
    elif mode == "garbage":
        write("checking segments...\n")
    elif mode == "too-long":
        write('{"id": %d, "error": "' % number + "x" * (66 << 20) + '"}\n')
    elif mode == "bad-answer":
        say(number, {"result": {"segment": "none"}})
    else:
        return True
    return False


def answer(request, count, mode, path):
    """Answers it, or not."""
    number = request["id"]
    right = segments(request)
    if mode == "dies-on-one" and is_that_one(request, path):
        crash()
    if mode == "flaky" and count == 3 and first_time(path):
        crash()
    if mode == "slow" and count == 1:
        time.sleep(float(os.environ.get("PP_RUDE_SLOW", "0.8")))
    if count % 3 > 0 or misbehave(number, mode):
        say(number, right)
        if mode == "duplicate" and count % 3 == 0:
            say(number, right)


def requests(mode):
    """The requests, a line each, as they come."""
    left = b""
    while chunk := os.read(0, 1 << 16):
        *lines, left = (left + chunk).split(b"\n")
        if mode == "out-of-order":
            lines.reverse()
        yield from map(json.loads, lines)


def main():
    mode = sys.argv[1]
    path = sys.argv[2] if len(sys.argv) > 2 else ""
    count = 0
    at_start(mode)
    for request in requests(mode):
        if request["verb"] == "hello":
            at_hello(request["id"], mode)
        elif request["verb"] == "bye":
            if mode == "ignores-bye":
                time.sleep(600)
            say(request["id"], {"result": {}})
            return
        else:
            count += 1
            answer(request, count, mode, path)


main()
