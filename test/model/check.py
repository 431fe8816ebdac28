#!/usr/bin/env python3
"""check.py COMMAND ANSWERS JDK TRACE CLASSES[:CLASSES] [--seed N] [--moments N] [--commands N] [--to SEQ]: are all
answers about a trace those of the model? CLASSES are folders or jars of the program's class files. Each question is
asked of the library (`answers`) at many random moments and of the command at a few; then the index is made, and all is
asked again."""
import argparse, collections, json, random, re, subprocess, sys, time

import questions
from ask import Asker
from classfiles import Classes
from frames import Frame, Frames
from heap import Heap
from stream import read


class Model:
    """everything that the stream tells, with the stacks at some moments"""

    def __init__(self, stream, classes, moments):
        self.stream, self.classes, self.moments = stream, classes, set(moments)
        self.heap = Heap(stream, classes)
        self.frames = Frames(self.heap)
        self.stacks = {}
        for e in stream.events:
            self.heap.event(e)
            stack = self.frames.event(e)
            if e.seq in self.moments:
                self.stacks[e.seq] = [
                    Frame(f, classes, *stack[i + 1 : i + 2]) for i, f in reversed(list(enumerate(stack)))
                ]
        self.heap.end()


def moments_of(stream, rng, count):
    """random ones, half of them where something special happens"""
    special = (
        "METHOD_ENTRY",
        "METHOD_PARAM",
        "METHOD_NORMAL_EXIT",
        "METHOD_EXCEPTIONAL_EXIT",
        "CATCH",
        "CATCH_LABEL",
        "METHOD_OBJECT_INITIALIZED",
        "LOCAL_STORE",
        "LOCAL_INCREMENT",
        "METHOD_THROW",
    )
    by_kind = collections.defaultdict(list)
    for e in stream.events:
        by_kind[e.site.event].append(e.seq)
    out = [rng.choice(stream.events).seq for _ in range(count // 2)]
    kinds = [k for k in special if by_kind[k]]
    out += [rng.choice(by_kind[rng.choice(kinds)]) for _ in range(count - len(out))] if kinds else []
    return out


def all_woven(command, trace):
    """is all code of the program recorded, but for that of the JDK?"""
    run = lambda *args: [json.loads(x) for x in subprocess.check_output([command, *args, "--json"]).splitlines()]
    return not run("info", trace)[0]["not_woven"] and all(
        c["woven"] or c["loader"] == "boot" or re.match(r"(java|javax|jdk|sun|com\.sun)\.", c["class"])
        for c in run("classes", trace)
    )


def main():
    p = argparse.ArgumentParser()
    for name in ("command", "answers", "jdk", "trace", "classes"):
        p.add_argument(name)
    for name, default in (("--seed", 1), ("--moments", 300), ("--commands", 8), ("--to", None)):
        p.add_argument(name, type=int, default=default)
    a = p.parse_args()
    rng, began = random.Random(a.seed), time.time()
    stream = read(a.command, a.trace, a.to)
    if not stream.events:
        raise SystemExit("FAILED: %s: no events" % a.trace)
    model = Model(stream, Classes(a.classes.split(":"), a.jdk), moments_of(stream, rng, a.moments))
    model.whole = a.to is None
    model.all_woven = all_woven(a.command, a.trace)
    if model.frames.strange:
        e = model.frames.strange[0]
        print(
            "note: %d events outside the frame that their thread is in, first seq %d %s of %s.%s"
            % (len(model.frames.strange), e.seq, e.site.event, e.site.cls, e.site.method)
        )
    asker = Asker(a.command, a.answers, a.trace)
    for index in (False, True):
        asker.open()
        if index:
            asker.ask("index")
        questions.ask_all(model, asker, random.Random(a.seed + index), a.moments, a.commands, index)
        asker.close()
    wrong = sum(asker.wrong.values())
    for q in sorted(asker.asked):
        if asker.wrong[q]:
            print("    %s: %d of %d wrong" % (q, asker.wrong[q], asker.asked[q]))
    print(
        "    model: %d events, %d answers, %d wrong, %.1f s"
        % (len(stream.events), sum(asker.asked.values()), wrong, time.time() - began)
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
