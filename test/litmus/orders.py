"""orders.py: may a machine show the stores of orders.txt in an order that hook and drain do not expect?

All executions of each small program are tried: which store each load reads (rf), in which order the stores to a place
come (co). Left out are those that the machine's rules forbid: of arm64 the axioms "internal", "external" and "atomic"
of the architecture (without a few that would forbid more), of x86-64 those of TSO. What C and Java say becomes the
weakest instructions that compilers make of it; an atomic addition is tried as one instruction and as a pair of
exclusive ones. It says nothing about what a compiler may do to plain stores. KNOWN are programs whose answers the
manuals give.
"""

import itertools, pathlib, re, sys

root = pathlib.Path(__file__).resolve().parents[2]
HOOK = "logging/hook/java/lang/HindsightHook.java.in"
# what the source says: kind and marks on arm64; on x86-64 all loads, stores and fences but additions are plain
WORDS = {
    "load": ("R", ""), "store": ("W", ""), "add": ("RW", ""),
    "acquire": ("R", "A"), "release": ("W", "L"), "publish": ("W", "L"),
    "storefence": ("F", "sl"), "fence": ("F", "sl"),  # Unsafe.storeFence: two fences, or one that is both
    "acquire-fence": ("F", "l"), "full-fence": ("F", "f"),
}  # fmt: skip
PLAIN = {"R": "load", "W": "store"}


class Event:
    def __init__(self, thread, at, kind, place="", marks="", name="", value=1, needs="", control=False):
        self.thread, self.at, self.kind, self.place, self.marks = thread, at, kind, place, marks
        self.name, self.value, self.needs, self.control = name, value, needs, control
        self.pair, self.single = None, False  # the other half of an addition; one instruction


def parse_steps(text):
    return [[step.split() for step in thread.split(";") if step.strip()] for thread in text.split("|")]


def events_of(threads, machine, exclusive):
    """WORD PLACE [name of what is loaded] [@name: its address or value depends on that load, ?name: on a branch]"""
    events = [Event(-1, 0, "W", place, value=0) for place in sorted({s[1] for t in threads for s in t if len(s) > 1})]
    for number, steps in enumerate(threads):
        for at, (word, *rest) in enumerate(steps):
            kind, marks = WORDS[word]
            needs = [w for w in rest if w[0] in "@?"]
            names = [w for w in rest[1:] if w[0] not in "@?"]
            about = dict(needs=needs[0][1:] if needs else "", control=bool(needs) and needs[0][0] == "?")
            if kind == "RW":
                r = Event(number, at, "R", rest[0], "A", *names, **about)
                w = Event(number, at + 0.5, "W", rest[0], "L", value=None)
                r.pair, w.pair, w.single = w, r, not exclusive
                events += [r, w]
            elif kind == "F":
                events.append(Event(number, at, "F", marks=marks))
            else:
                events.append(Event(number, at, kind, rest[0], marks, names[0] if names else "", **about))
    return events


def ordered_arm64(a, b, between):
    """Of one thread, a before b: the part of "ordered before" that no other thread has a share in."""
    fences = "".join(f.marks for f in between)
    return (
        "f" in fences
        or (a.kind == "R" and "l" in fences)
        or (a.kind == b.kind == "W" and "s" in fences)
        or (a.kind == "R" and "A" in a.marks)
        or (b.kind == "W" and "L" in b.marks)
        or ("L" in a.marks and b.kind == "R" and "A" in b.marks)
        or a.single
        or (b.needs and a.kind == "R" and b.needs == a.name and (not b.control or b.kind == "W"))
        or a.pair is b
    )


def ordered_x86(a, b, between):
    return not (a.kind == "W" and b.kind == "R") or "f" in "".join(f.marks for f in between) or bool(a.pair or b.pair)


def cyclic(pairs):
    behind = {}
    for a, b in pairs:
        behind.setdefault(a, set()).add(b)
    while behind:
        ends = [a for a in behind if not any(b in behind for b in behind[a])]
        if not ends:
            return True
        for a in ends:
            del behind[a]
    return False


def outcomes(threads, machine, exclusive=False):
    """What the loads with a name can have loaded: a set of tuples of (name, value)."""
    events = events_of(threads, machine, exclusive)
    memory = [e for e in events if e.kind != "F"]
    loads = [e for e in memory if e.kind == "R"]
    stores = {}
    for e in memory:
        if e.kind == "W":
            stores.setdefault(e.place, []).append(e)
    rule = ordered_arm64 if machine == "arm64" else ordered_x86
    program, same = [], []
    for a in memory:
        for b in memory:
            if a.thread == b.thread >= 0 and a.at < b.at:
                between = [f for f in events if f.kind == "F" and f.thread == a.thread and a.at < f.at < b.at]
                if rule(a, b, between):
                    program.append((a, b))
                if a.place == b.place:
                    same.append((a, b))
    found = set()
    orders = [itertools.permutations(s[1:]) for s in stores.values()]  # the initial store is the first
    for order in itertools.product(*[list(o) for o in orders]):
        place_order = {p: (s[0],) + o for (p, s), o in zip(stores.items(), order)}
        rank = {e: i for o in place_order.values() for i, e in enumerate(o)}
        for choice in itertools.product(*[stores[r.place] for r in loads]):
            read = dict(zip(loads, choice))
            rf = [(w, r) for r, w in read.items()]
            co = [(a, b) for o in place_order.values() for a, b in zip(o, o[1:])]
            fr = [
                (r, b) for r, w in read.items() for b in place_order[r.place] if rank[b] > rank[w] and b is not r.pair
            ]
            if any(r.pair and rank[r.pair] != rank[w] + 1 for r, w in read.items()):
                continue  # something came between the halves of an addition
            if cyclic(same + rf + co + fr):
                continue
            outside = [(a, b) for a, b in rf + co + fr if a.thread != b.thread]
            if machine == "x86-64":
                outside += co + fr
            if cyclic(program + outside):
                continue
            found.add(tuple(sorted((r.name, value_of(w, read)) for r, w in read.items() if r.name)))
    return found


def value_of(store, read):
    return store.value if store.value is not None else 1 + value_of(read[store.pair], read)


def possible(threads, bad, machine):
    """Can the loads have those values?"""
    wanted = {tuple(p.split("=")) for p in bad.split()}
    return any(
        wanted <= {(name, str(v)) for name, v in found}
        for exclusive in ([False, True] if machine == "arm64" else [False])
        for found in outcomes(threads, machine, exclusive)
    )


def weakened(threads):
    """(word, the program in which that word orders nothing) for each that does"""
    for t, steps in enumerate(threads):
        for i, (word, *rest) in enumerate(steps):
            kind, marks = WORDS[word]
            if marks:
                less = steps[:i] + ([[PLAIN[kind], *rest]] if kind in PLAIN else []) + steps[i + 1 :]
                yield f"{word} {rest[0] if rest else ''}".strip(), threads[:t] + [less] + threads[t + 1 :]


# What the manuals of both machines say: program, outcome, possible on arm64, on x86-64
KNOWN = [
    ("store x ; store y | load y a ; load x b", "a=1 b=0", True, False),  # message passing
    ("store x ; release y | load y a ; load x b @a", "a=1 b=0", False, False),
    ("store x ; release y | load y a ; load x b ?a", "a=1 b=0", True, False),
    ("store x ; storefence ; store y | acquire y a ; load x b", "a=1 b=0", False, False),
    ("store x ; load y a | store y ; load x b", "a=0 b=0", True, True),  # store buffering
    ("store x ; full-fence ; load y a | store y ; full-fence ; load x b", "a=0 b=0", False, False),
    ("release x ; acquire y a | release y ; acquire x b", "a=0 b=0", False, True),  # x86: plain stores here
    ("store x ; storefence ; load y a | store y ; storefence ; load x b", "a=0 b=0", True, True),
    ("load x a ; store y | load y b ; store x", "a=1 b=1", True, False),  # load buffering
    ("load x a ; store y ?a | load y b ; store x ?b", "a=1 b=1", False, False),
    ("store x | store y | load x a ; load y b | load y c ; load x d", "a=1 b=0 c=1 d=0", True, False),
    ("store x | store y | acquire x a ; load y b | acquire y c ; load x d", "a=1 b=0 c=1 d=0", False, False),
    ("store x | load x a ; release y | load y b ; load x c @b", "a=1 b=1 c=0", False, False),
    ("store x | load x a ; load x b", "a=1 b=0", False, False),  # one place: coherence
    ("add x a | add x b", "a=0 b=0", False, False),
    ("add x ; store y | acquire y a ; load x b", "a=1 b=0", True, False),  # by exclusive pairs
]


def self_test():
    bad = 0
    for text, outcome, arm64, x86 in KNOWN:
        for machine, want in (("arm64", arm64), ("x86-64", x86)):
            if possible(parse_steps(text), outcome, machine) != want:
                bad += 1
                print(f"FAILED: {machine}: {text}: {outcome} {'is not' if want else 'is'} possible")
    return bad


def orders():
    """Blocks of orders.txt: name, and its lines by their first word"""
    for block in (pathlib.Path(__file__).parent / "orders.txt").read_text().split("\n\n"):
        lines = [l for l in block.splitlines() if l and not l.startswith("#")]
        if lines:
            words = {}
            for line in lines[1:]:
                key, _, rest = line.strip().partition(": ")
                words.setdefault(key, []).append(rest)
            yield lines[0], words


def main():
    bad, named, counted = self_test(), set(), 0
    for name, words in orders():
        threads, outcome = parse_steps(words["do"][0]), (words.get("never") or words["harmless"])[0]
        wanted = "harmless" in words
        spare = set(words.get("spare", [""])[0].split(", "))
        counted += 1
        for at in words["at"]:
            file, _, text = at.partition(" ")
            named.add((file, text))
            if text not in (root / file).read_text():
                bad += 1
                print(f"FAILED: {name}: {file} has no line {text}")
        for machine in ("arm64", "x86-64"):
            if possible(threads, outcome, machine) != wanted:
                bad += 1
                print(f"FAILED: {name}: {outcome} {'is not' if wanted else 'is'} possible on {machine}")
        for word, less in weakened(threads):
            needed = possible(less, outcome, "arm64")
            if not wanted and needed == (word in spare):
                bad += 1
                print(f"FAILED: {name}: {word} is {'needed' if needed else 'not needed'}")
    # each place of the hook where the order of stores matters is in a program
    for line in (root / HOOK).read_text().splitlines():
        if re.search(r"@PUBLISH@|@FENCE@|Release\(|storeFence", line):
            if not any(file == HOOK and text in line for file, text in named):
                bad += 1
                print(f"FAILED: no program of orders.txt has {HOOK}: {line.strip()}")
    print(f"{counted} orders, {bad} wrong")
    return bad > 0


sys.exit(main())
