// axis.js - what stands along a timeline: the order of events, or time. Moments are seqs everywhere; only where they are
// drawn depends on the axis.

// Which moment had which time, by `rows` of { from, begin_ns } and pauses of { from, to, begin_ns, ns }: rising points,
// between which both rise evenly.
export function clockOf(rows, pauses) {
    const points = rows.filter((r) => r.begin_ns !== undefined).map((r) => ({ seq: r.from, ns: r.begin_ns }));
    for (const p of pauses) points.push({ seq: p.from, ns: p.begin_ns }, { seq: p.to, ns: p.begin_ns + p.ns });
    points.sort((a, b) => a.seq - b.seq || a.ns - b.ns);
    const rising = [];
    for (const p of points) {
        const last = rising[rising.length - 1];
        if (!last || (p.seq > last.seq && p.ns > last.ns)) rising.push(p);
    }
    return rising;
}

// The value of `to` where `of` is `at`; outside of the points as between the first and the last.
function between(points, of, to, at) {
    const [begin, end] = [points[0], points[points.length - 1]];
    if (at < begin[of] || at > end[of]) {
        const near = at < begin[of] ? begin : end;
        return near[to] + ((at - near[of]) / (end[of] - begin[of])) * (end[to] - begin[to]);
    }
    let low = 1;
    let high = points.length - 1;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (points[middle][of] < at) low = middle + 1;
        else high = middle;
    }
    const [a, b] = [points[low - 1], points[low]];
    return a[to] + ((at - a[of]) / (b[of] - a[of])) * (b[to] - a[to]);
}

// { name, place: seq -> where, seq: where -> seq, ends: pause -> where it begins and ends, text: where -> what the ruler
// says }
export function axisOf(byTime, clock) {
    if (!byTime || clock.length < 2)
        return {
            name: 'events', place: (seq) => seq, seq: (at) => at, ends: (p) => [p.from, p.to],
            text: (at) => String(at).replace(/\B(?=(\d{3})+$)/g, ' '),
        };
    return {
        name: 'time',
        place: (seq) => between(clock, 'seq', 'ns', seq),
        seq: (at) => between(clock, 'ns', 'seq', at),
        ends: (p) => [p.begin_ns, p.begin_ns + p.ns],
        text: (at) => (at / 1e9).toFixed(6).replace(/\.?0+$/, '') + ' s',
    };
}

// Round places from..to, at most `most`.
export function ticks(from, to, most) {
    const rough = (to - from) / Math.max(1, most);
    const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
    const step = [1, 2, 5, 10].map((n) => n * power).find((s) => s >= rough);
    const list = [];
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) list.push(at);
    return list;
}
