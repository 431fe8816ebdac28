"""why_ends.py TRACE [QUESTIONS [SEED]]: where do the chains of `why` end, and how long do they take? Asks for random
values of a trace, in one process; one JSON line. An end in `origins` is where the value began: a constant, `new`, a
default value, input (an argument of main, an object that code which is not woven made)."""
import collections, json, os, random, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bindings", "python"))
import hindsight

ORIGINS = {
    "constant",
    "new object",
    "new array",
    "default value",
    "made by code not woven",
    "parameter of unwoven caller",
}


def ask(trace, seq):
    """The chain and its milliseconds of CPU; None if the event has no value, or one of the control flow."""
    begin = time.process_time()
    try:
        chain = list(trace.why(seq))
    except hindsight.Error as error:
        if error.code != hindsight.Status.USAGE:
            raise
        return None
    took = (time.process_time() - begin) * 1000
    if chain[-1].end == "control flow":
        return None
    seqs = [c.event.seq for c in chain]
    if seqs != sorted(set(seqs), reverse=True):
        sys.exit("%s: the chain from %d does not go back" % (sys.argv[1], seq))
    return chain, took


def main():
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 7)
    ends, times = collections.Counter(), []
    with hindsight.open(sys.argv[1]) as trace:
        while len(times) < wanted:
            answer = ask(trace, rng.randrange(len(trace)))
            if answer is None:
                continue
            ends[answer[0][-1].end] += 1
            times.append(answer[1])
    times.sort()
    print(
        json.dumps(
            {
                "trace": os.path.basename(sys.argv[1]),
                "questions": wanted,
                "median_ms": round(times[len(times) // 2], 1),
                "p95_ms": round(times[len(times) * 95 // 100], 1),
                "worst_ms": round(times[-1], 1),
                "origins": round(sum(n for end, n in ends.items() if end in ORIGINS) / wanted, 3),
                "ends": dict(ends.most_common()),
            }
        )
    )


if __name__ == "__main__":
    main()
