#!/usr/bin/env python3
"""A small program that speaks the Gomocup protocol, for the tests: it plays the first empty cell.

With an argument it misbehaves: once or always it ends, stalls, answers rubbish, or writes without end.
"""

import os
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
# A file that counts the starts of this program, for faults that pass.
COUNT = sys.argv[2] if len(sys.argv) > 2 else None


def starts():
    """How often this program was started, this time included."""
    with open(COUNT, "a", encoding="utf-8") as file:
        file.write(".")
    return os.path.getsize(COUNT)


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def misbehave():
    """Does what is wrong in place of an answer."""
    if FAULT == "rubbish":
        say("\x1b[2J\x1b]0;owned\x07 h8?")
    elif FAULT == "flood":
        while True:
            sys.stdout.write("x" * 65_536)
    elif FAULT in ("crash", "crash-once"):
        sys.exit(3)
    elif FAULT in ("stall", "stall-once"):
        time.sleep(1_000)


def main():
    """Answers line by line."""
    count = starts() if COUNT else 1
    # The first start asks for the name and plays the first moves.
    well = FAULT == "none" or (FAULT.endswith("-once") and count > 1)
    width = height = 15
    taken = {}
    print("\x1b[31mthis is no place for people\x1b[0m", file=sys.stderr)
    board = False
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if board and words[0] != "DONE":
            x, y, _ = words[0].split(",")
            taken[int(x), int(y)] = True
            continue
        if words[0] == "ABOUT":
            say('name="Brain \x1b[31m", version="1.0"')
        elif words[0] == "START":
            width = height = int(words[1])
            taken = {}
            say("OK")
        elif words[0] == "RECTSTART":
            width, height = map(int, words[1].split(","))
            taken = {}
            say("OK")
        elif words[0] == "BOARD":
            board, taken = True, {}
        elif words[0] in ("BEGIN", "TURN", "DONE"):
            board = False
            if words[0] == "TURN":
                x, y = map(int, words[1].split(","))
                taken[x, y] = True
            if not well and len(taken) >= 2:
                misbehave()
                continue
            cells = ((x, y) for y in range(height) for x in range(width))
            cell = next(cell for cell in cells if cell not in taken)
            taken[cell] = True
            say("MESSAGE my move \x1b[5m")
            say(f"{cell[0]},{cell[1]}")
        elif words[0] == "END":
            return
        elif words[0] != "INFO":
            say("UNKNOWN " + words[0])


main()
