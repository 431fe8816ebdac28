# stdout.py: the OUTPUT events of the traces t, derived and without are what the program wrote, at its steps.
import json

bad = []
for trace in ("t", "derived", "without"):
    texts, steps, step = {"stdout": "", "stderr": ""}, {}, 0
    threads = {}
    for line in open(trace + ".json"):
        e = json.loads(line)
        if e["event"] == "PUT_STATIC_FIELD" and e["attr"]["name"] == "step":
            step = e["value"]
        if e["class"] == "java.lang.HindsightOutput" and e["event"] == "METHOD_PARAM":
            text = e["value"]["string"]
            texts[e["method"]] += text
            steps[step] = steps.get(step, "") + text
            threads[text.strip()] = e["thread"]
    if trace == "without":
        if any(texts.values()):
            bad.append("without the option: %s" % texts)
        continue
    if texts["stdout"] != open(trace + ".out", encoding="utf-8").read():
        bad.append("%s: %r" % (trace, texts["stdout"]))
    if texts["stderr"] != open(trace + ".err", encoding="utf-8").read():
        bad.append("%s: %r" % (trace, texts["stderr"]))
    want = {
        1: "first of 1",
        2: "an error",
        3: "42 \u00e4\u20ac x",
        4: "by code that is not woven",
        5: "bytes\n!",
        6: "by another thread",
        7: "end",
    }
    for n, text in want.items():
        if text not in steps.get(n, ""):
            bad.append("%s: at step %d: %r" % (trace, n, steps.get(n)))
    if threads.get("by another thread") == threads.get("end"):
        bad.append("%s: one thread for both" % trace)
for b in bad:
    print("FAILED:", b)
raise SystemExit(len(bad) > 0)
