// timeline.js - the run over the order of its events: a lane for each thread with its calls as a flame graph.
//
// The server gives the calls that are open at evenly spaced moments (`hindsight timeline`), so that what is drawn is as
// long as the picture is wide, not as the run. While the next answer is on its way the last one is drawn, moved.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count, html, Panel, shortName, useAnswer } from './ui.js';

const ROW = 15;
const LABEL = 18; // height of the name of a thread
const MAP = 22;
const NARROWEST = 20; // events
const LARGE = 1 << 20; // events from which on each moment costs the server a chunk

const hue = (name) => {
    let h = 7;
    for (let i = 0; i < name.length; i++) h = (h * 31 + name.charCodeAt(i)) % 360;
    return h;
};

// Where each thread begins, and how high everything is.
function lanes(threads, spans) {
    const deepest = new Map();
    for (const s of spans) deepest.set(s.thread, Math.max(deepest.get(s.thread) ?? 0, s.depth));
    const list = [];
    let y = 0;
    for (const t of threads) {
        if (!deepest.has(t.thread)) continue;
        list.push({ thread: t.thread, name: t.name, y });
        y += LABEL + (deepest.get(t.thread) + 1) * ROW + 4;
    }
    return { list, height: Math.max(y, 40) };
}

function prepare(canvas, width, height) {
    const scale = devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const g = canvas.getContext('2d');
    g.scale(scale, scale);
    return g;
}

function draw(canvas, width, view, spans, places, seq) {
    const g = prepare(canvas, width, places.height);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const dark = getComputedStyle(document.documentElement).colorScheme === 'dark';
    const x = (s) => ((s - view.from) / (view.to + 1 - view.from)) * width;
    const at = new Map(places.list.map((l) => [l.thread, l.y]));
    g.font = '11px ' + colour('--mono');
    g.textBaseline = 'middle';
    for (const s of spans) {
        const left = Math.max(0, x(s.from));
        const wide = Math.min(width, x(s.to + 1)) - left;
        if (wide <= 0 || !at.has(s.thread)) continue;
        const y = at.get(s.thread) + LABEL + s.depth * ROW;
        g.fillStyle = `hsl(${hue(s.class)} ${dark ? '32% 34%' : '58% 82%'})`;
        g.fillRect(left, y, Math.max(1, wide - 0.5), ROW - 1);
        if (wide < 30) continue;
        g.save();
        g.beginPath();
        g.rect(left, y, wide - 3, ROW);
        g.clip();
        g.fillStyle = colour('--text');
        g.fillText(shortName(s.class) + '.' + s.method, left + 4, y + ROW / 2);
        g.restore();
    }
    g.fillStyle = colour('--dim');
    for (const l of places.list) g.fillText(`${l.thread} ${l.name}`, 4, l.y + LABEL / 2);
    if (seq !== null && seq >= view.from && seq <= view.to) {
        g.fillStyle = colour('--bad');
        g.fillRect(x(seq), 0, 1.5, places.height);
    }
}

function drawMap(canvas, width, total, view, marks, exceptions, seq) {
    const g = prepare(canvas, width, MAP);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const x = (s) => (s / Math.max(1, total)) * width;
    g.fillStyle = colour('--head');
    g.fillRect(0, 0, width, MAP);
    g.fillStyle = colour('--accent');
    for (const m of marks) g.fillRect(x(m.first), MAP - 6, Math.max(2, x(m.last) - x(m.first)), 4);
    g.fillStyle = colour('--accent-back');
    g.fillRect(x(view.from), 0, Math.max(3, x(view.to + 1) - x(view.from)), MAP - 8);
    g.fillStyle = colour('--bad');
    for (const e of exceptions) if (e.thrown !== undefined) g.fillRect(x(e.thrown), 2, 1.5, MAP - 10);
    if (seq !== null) g.fillRect(x(seq) - 1, 0, 2, MAP);
}

// What lies below a point: the innermost call there.
function spanAt(spans, places, view, width, px, py) {
    const lane = [...places.list].reverse().find((l) => py >= l.y);
    if (!lane) return null;
    const depth = Math.floor((py - lane.y - LABEL) / ROW);
    const seq = Math.round(view.from + (px / width) * (view.to + 1 - view.from));
    const span = spans.find((s) => s.thread === lane.thread && s.depth === depth && s.from <= seq && s.to >= seq);
    return span ? { span, seq } : null;
}

export function Timeline({ trace, threads, total, marked, seq, go }) {
    const last = Math.max(0, total - 1);
    const [view, setView] = useState({ from: 0, to: last });
    const [asked, setAsked] = useState(view);
    const [width, setWidth] = useState(800);
    const [over, setOver] = useState(null);
    const [theme, setTheme] = useState(0);
    const box = useRef(null);
    const canvas = useRef(null);
    const map = useRef(null);
    useEffect(() => {
        const wait = setTimeout(() => setAsked(view), 60); // a key that is held asks once
        return () => clearTimeout(wait);
    }, [view]);
    const large = asked.to - asked.from >= LARGE;
    const answer = useAnswer('timeline', { trace, from: asked.from, to: asked.to, buckets: large ? 80 : 400 });
    const exceptions = useAnswer('exceptions', { trace, limit: 1000 }).rows;
    const marks = useAnswer('features', marked ? { trace } : null).rows;
    const spans = answer.rows;
    const places = lanes(threads, spans);
    useLayoutEffect(() => {
        const watch = new ResizeObserver(() => box.current && setWidth(Math.max(100, box.current.clientWidth)));
        watch.observe(box.current);
        const turned = () => setTheme((n) => n + 1);
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
    useLayoutEffect(() => {
        draw(canvas.current, width, view, spans, places, seq);
        drawMap(map.current, width, total, view, marks, exceptions, seq);
    }, [width, view, spans, seq, theme, marks, exceptions]);
    const set = (from, size) => {
        const wide = Math.round(Math.min(total, Math.max(NARROWEST, size)));
        const begin = Math.round(Math.max(0, Math.min(total - wide, from)));
        setView({ from: begin, to: Math.min(last, begin + wide - 1) });
    };
    const size = view.to + 1 - view.from;
    const zoom = (by, around = seq !== null && seq >= view.from && seq <= view.to ? seq : view.from + size / 2) =>
        set(around - (around - view.from) * by, size * by);
    useEffect(() => {
        const key = (e) => {
            if (e.ctrlKey || e.altKey || e.metaKey || /INPUT|SELECT|TEXTAREA/.test(e.target.tagName)) return;
            const act = {
                w: () => zoom(0.5),
                s: () => zoom(2),
                a: () => set(view.from - size / 4, size),
                d: () => set(view.from + size / 4, size),
                f: () => seq !== null && set(seq - size / 2, size),
                0: () => set(0, total),
            }[e.key];
            if (act) {
                e.preventDefault();
                act();
            }
        };
        addEventListener('keydown', key);
        return () => removeEventListener('keydown', key);
    });
    const point = (e) => {
        const r = e.currentTarget.getBoundingClientRect();
        return [e.clientX - r.left, e.clientY - r.top];
    };
    const toMap = (e) => e.buttons & 1 && set((point(e)[0] / width) * total - size / 2, size);
    const tools = html`<span class="dim range">${count(view.from)} – ${count(view.to)}</span>
        <button title="zoom in (w)" aria-label="zoom in" onClick=${() => zoom(0.5)}>+</button>
        <button title="zoom out (s)" aria-label="zoom out" onClick=${() => zoom(2)}>−</button>
        <button title="left (a)" aria-label="left" onClick=${() => set(view.from - size / 4, size)}>◂</button>
        <button title="right (d)" aria-label="right" onClick=${() => set(view.from + size / 4, size)}>▸</button>
        <button title="all (0)" aria-label="all of the run" onClick=${() => set(0, total)}>all</button>`;
    return html`<${Panel} name="timeline" title="Timeline" tools=${tools}>
        <div ref=${box} class="flames" data-spans=${answer.loading ? '' : spans.length} data-from=${view.from} data-to=${view.to}>
            <canvas ref=${map} class="map" style=${{ height: MAP + 'px' }} onPointerDown=${toMap} onPointerMove=${toMap}></canvas>
            ${answer.error && html`<p class="state bad">${answer.error}</p>`}
            <div class="lanes" onWheel=${(e) => {
                if (!e.ctrlKey) return;
                e.preventDefault();
                zoom(e.deltaY > 0 ? 1.25 : 0.8, view.from + (point(e)[0] / width) * size);
            }}><canvas ref=${canvas} role="img" aria-label="calls of each thread" style=${{ height: places.height + 'px' }}
                onPointerMove=${(e) => setOver(spanAt(spans, places, view, width, ...point(e)))}
                onPointerLeave=${() => setOver(null)}
                onDblClick=${(e) => {
                    const hit = spanAt(spans, places, view, width, ...point(e));
                    if (hit) set(hit.span.from, hit.span.to + 1 - hit.span.from);
                }}
                onClick=${(e) => {
                    const hit = spanAt(spans, places, view, width, ...point(e));
                    if (hit) go(hit.seq);
                }}></canvas></div>
            <p class="over">${over ? html`<b>${over.span.class}.${over.span.method}</b> ${count(over.span.from)} – ${count(over.span.to)}`
                : html`<span class="dim">w s zoom, a d pan, f the moment, 0 all; click a call to go there, twice to zoom to it</span>`}</p>
        </div>
    </${Panel}>`;
}
