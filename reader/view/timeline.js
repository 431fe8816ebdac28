// timeline.js - the run over the order of its events, or over time: a lane for each thread with its calls as a flame
// graph, how deep it was, when it waited, exceptions, marks, and the gaps between recorded periods.
//
// The server takes all of it from its index (`timeline --fast`, `activity`), so an answer is as long as the picture is
// wide, not as the run. While the next answer is on its way the last one is drawn, moved.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { axisOf, clockOf } from './axis.js';
import { drawLanes, drawMap, drawRuler, isLock, lanesOf, MAP, RULER, scaleOf, under } from './lanes.js';
import { count, html, nanoseconds, Panel, place, useAnswer, useKeys, Value } from './ui.js';

const NARROWEST = 20; // events
const BUCKETS = 400;
const PAUSES_MAX = 1000; // the longest ones of what is shown
const INDEXED = 262144; // events from which on `activity` needs the index of a recording that has ended

// Between two recorded periods nothing is known.
function gapsOf(intervals) {
    const list = (intervals?.list ?? []).filter((i) => i.first !== undefined);
    return list.slice(1).map((next, i) => ({
        from: Math.max(0, next.first - 1), to: next.first, begin_ns: list[i].end_ns, ns: next.begin_ns - list[i].end_ns,
    }));
}

const What = ({ hit }) => (hit.span
    ? html`<b>${hit.span.class}.${hit.span.method}</b> ${count(hit.span.from)} – ${count(hit.span.to)}`
    : html`<b>${isLock(hit.pause) ? 'waits for a lock' : 'no event'}</b> ${nanoseconds(hit.pause.ns)} after${' '}
        ${hit.pause.event.toLowerCase()} ${place(hit.pause)} <${Value} v=${hit.pause.value} />`);

// Redrawn when the size or the colours change.
function useBox(box) {
    const [width, setWidth] = useState(800);
    const [turn, setTurn] = useState(0);
    useLayoutEffect(() => {
        const watch = new ResizeObserver(() => box.current && setWidth(Math.max(100, box.current.clientWidth)));
        watch.observe(box.current);
        const turned = () => setTurn((n) => n + 1);
        const look = new MutationObserver(turned);
        look.observe(document.documentElement, { attributes: true });
        const media = matchMedia('(prefers-color-scheme: dark)');
        media.addEventListener('change', turned);
        return () => {
            watch.disconnect();
            look.disconnect();
            media.removeEventListener('change', turned);
        };
    }, []);
    return [width, turn];
}

const point = (e) => {
    const r = e.currentTarget.getBoundingClientRect();
    return [e.clientX - r.left, e.clientY - r.top];
};

export function Timeline({ trace, threads, total, marked, seq, go, thread }) {
    const last = Math.max(0, total - 1);
    const [view, setView] = useState({ from: 0, to: last });
    const [asked, setAsked] = useState(view);
    const [byTime, setByTime] = useState(false);
    const [over, setOver] = useState(null);
    const [opened, setOpened] = useState(new Set());
    const box = useRef(null);
    const canvas = useRef(null);
    const ruler = useRef(null);
    const map = useRef(null);
    const lanes = useRef(null);
    const [width, turn] = useBox(box);
    useEffect(() => {
        const wait = setTimeout(() => setAsked(view), 60); // a key that is held asks once
        return () => clearTimeout(wait);
    }, [view]);
    const answer = useAnswer('timeline', { trace, from: asked.from, to: asked.to, buckets: BUCKETS, fast: true });
    const about = useAnswer('info', { trace }).rows[0];
    const ended = Boolean(about?.end);
    const activity = (from, to, more) => (ended || to - from < INDEXED ? { trace, from, to, ...more } : null);
    const parts = useAnswer('activity', activity(asked.from, asked.to, { buckets: BUCKETS }));
    const pauses = useAnswer('activity', activity(asked.from, asked.to, { pauses: true, limit: PAUSES_MAX }));
    const whole = useAnswer('activity', activity(0, last, { buckets: BUCKETS })).rows;
    const exceptions = useAnswer('exceptions', { trace, limit: 1000 }).rows;
    const marks = useAnswer('features', marked ? { trace } : null).rows;
    const gaps = useMemo(() => gapsOf(about?.intervals), [about]);
    const clock = useMemo(() => clockOf([...whole, ...parts.rows], [...pauses.rows, ...gaps]),
        [whole, parts.rows, pauses.rows, gaps]);
    const axis = useMemo(() => axisOf(byTime, clock), [byTime, clock]);
    const data = { spans: answer.rows, parts: parts.rows, pauses: pauses.rows, whole, gaps, exceptions };
    const places = lanesOf(threads, data.spans, data.parts, opened);
    const scale = scaleOf(axis, view, width);
    useLayoutEffect(() => {
        drawLanes(canvas.current, width, places.height, view, axis, data, places, seq);
        drawRuler(ruler.current, width, view, axis, marks);
        drawMap(map.current, width, total, view, axis, data, marks, seq);
    }, [width, view, answer.rows, parts.rows, pauses.rows, whole, seq, turn, marks, exceptions, axis, opened]);
    // the thread of the moment is on the screen
    const lane = places.list.find((l) => l.thread === thread);
    useLayoutEffect(() => {
        const box = lanes.current;
        if (!box || !lane) return;
        if (lane.y < box.scrollTop) box.scrollTop = lane.y;
        else if (lane.y + Math.min(lane.height, box.clientHeight) > box.scrollTop + box.clientHeight)
            box.scrollTop = lane.y + Math.min(lane.height, box.clientHeight) - box.clientHeight;
    }, [seq, thread, lane?.y]);
    // `from` and `size` are places on the axis
    const set = (from, size) => {
        const ends = [axis.place(0), axis.place(total)];
        const wide = Math.min(ends[1] - ends[0], size);
        const begin = Math.max(ends[0], Math.min(ends[1] - wide, from));
        const first = Math.max(0, Math.min(total - 1, Math.round(axis.seq(begin))));
        const behind = Math.round(axis.seq(begin + wide));
        const to = Math.min(last, Math.max(behind - 1, first + NARROWEST - 1));
        setView({ from: Math.max(0, Math.min(first, to - NARROWEST + 1)), to });
    };
    const size = scale.to - scale.from;
    const middle = () => (seq !== null && seq >= view.from && seq <= view.to ? axis.place(seq) : scale.from + size / 2);
    const zoom = (by, around = middle()) => set(around - (around - scale.from) * by, size * by);
    const pan = (by) => set(scale.from + size * by, size);
    const all = () => setView({ from: 0, to: last });
    useKeys({
        w: () => zoom(0.5), s: () => zoom(2), a: () => pan(-0.25), d: () => pan(0.25), 0: all,
        f: () => seq !== null && set(axis.place(seq) - size / 2, size),
        t: () => setByTime(!byTime),
    });
    const toMap = (e) => {
        if (!(e.buttons & 1)) return;
        const run = scaleOf(axis, { from: 0, to: last }, width);
        set(axis.place(run.seq(point(e)[0])) - size / 2, size);
    };
    const hit = (e) => under(data, places, scale, ...point(e));
    const tools = html`<span class="dim range">${count(view.from)} – ${count(view.to)}</span>
        <button class=${byTime ? 'on' : ''} aria-pressed=${byTime} title="time or order of events (t)"
            onClick=${() => setByTime(!byTime)}>time</button>
        <button title="zoom in (w)" aria-label="zoom in" onClick=${() => zoom(0.5)}>+</button>
        <button title="zoom out (s)" aria-label="zoom out" onClick=${() => zoom(2)}>−</button>
        <button title="left (a)" aria-label="left" onClick=${() => pan(-0.25)}>◂</button>
        <button title="right (d)" aria-label="right" onClick=${() => pan(0.25)}>▸</button>
        <button title="all (0)" aria-label="all of the run" onClick=${all}>all</button>`;
    const loading = asked !== view || !about || answer.loading || parts.loading || pauses.loading;
    return html`<${Panel} name="timeline" title="Timeline" tools=${tools}>
        <div ref=${box} class="flames" data-spans=${loading ? '' : data.spans.length} data-from=${view.from} data-to=${view.to}
            data-axis=${axis.name} data-pauses=${data.pauses.length} data-gaps=${gaps.length} data-height=${places.height}>
            <canvas ref=${map} class="map" style=${{ height: MAP + 'px' }} onPointerDown=${toMap} onPointerMove=${toMap}></canvas>
            <canvas ref=${ruler} class="ruler" style=${{ height: RULER + 'px' }}></canvas>
            ${answer.error && html`<p class="state bad">${answer.error}</p>`}
            <div class="lanes" ref=${lanes} data-lane=${lane ? lane.y : ''} onWheel=${(e) => {
                if (!e.ctrlKey) return;
                e.preventDefault();
                zoom(e.deltaY > 0 ? 1.25 : 0.8, scale.from + (point(e)[0] / width) * size);
            }}><canvas ref=${canvas} role="img" aria-label="calls of each thread" style=${{ height: places.height + 'px' }}
                onPointerMove=${(e) => setOver(hit(e))}
                onPointerLeave=${() => setOver(null)}
                onDblClick=${(e) => {
                    const span = hit(e)?.span;
                    if (span) set(axis.place(span.from), axis.place(span.to + 1) - axis.place(span.from));
                }}
                onClick=${(e) => {
                    const found = hit(e);
                    if (found?.span || found?.pause) go(Math.max(0, Math.min(last, found.seq)));
                    else if (found && found.seq === undefined)
                        setOpened(new Set(opened.has(found.thread) ? [...opened].filter((t) => t !== found.thread) : [...opened, found.thread]));
                }}></canvas></div>
            <p class="over">${over?.span || over?.pause ? html`<${What} hit=${over} />`
                : html`<span class="dim">w s zoom, a d pan, f the moment, t time, 0 all; click a call to go there, twice to zoom to it, a name to open its lane</span>`}</p>
        </div>
    </${Panel}>`;
}
