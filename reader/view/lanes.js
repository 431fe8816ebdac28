// lanes.js - how the timeline is drawn: a lane for each thread, a ruler, and the whole run as a map.
import { ticks } from './axis.js';
import { shortName } from './ui.js';

export const ROW = 15;
export const LABEL = 18; // height of the name of a thread
export const MAP = 26;
export const RULER = 16;

const hue = (name) => {
    let h = 7;
    for (let i = 0; i < name.length; i++) h = (h * 31 + name.charCodeAt(i)) % 360;
    return h;
};
export const isLock = (p) => p.event === 'MONITOR_ENTER';

const FOLDED = 8; // rows of a lane, unless it is opened or the only one

// Where each thread begins, and how high everything is. `opened`: the threads whose lanes show all calls.
export function lanesOf(threads, spans, parts, opened) {
    const deepest = new Map(parts.map((p) => [p.thread, 1]));
    for (const s of spans) deepest.set(s.thread, Math.max(deepest.get(s.thread) ?? 1, s.depth + 1));
    const list = [];
    let y = 0;
    for (const t of threads) {
        if (!deepest.has(t.thread)) continue;
        const deep = deepest.get(t.thread);
        const folded = deep > FOLDED && deepest.size > 1 && !opened.has(t.thread);
        const rows = folded ? FOLDED : deep;
        const height = LABEL + rows * ROW + 4;
        list.push({ thread: t.thread, name: t.name, y, height, rows, sign: folded ? '▸ ' : opened.has(t.thread) ? '▾ ' : '' });
        y += height;
    }
    return { list, height: Math.max(y, 40) };
}

function prepare(canvas, width, height) {
    const scale = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
        canvas.width = Math.round(width * scale);
        canvas.height = Math.round(height * scale);
    }
    const g = canvas.getContext('2d');
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.clearRect(0, 0, width, height);
    return g;
}

export function colours() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue('--' + name).trim();
    return { of, dark: style.colorScheme === 'dark' };
}

// x of a seq in a view that is `width` wide.
export function scaleOf(axis, view, width) {
    const from = axis.place(view.from);
    const wide = Math.max(1e-9, axis.place(view.to + 1) - from);
    return {
        x: (seq) => ((axis.place(seq) - from) / wide) * width,
        ends: (pause) => axis.ends(pause).map((at) => ((at - from) / wide) * width),
        seq: (x) => axis.seq(from + (x / width) * wide),
        from,
        to: from + wide,
    };
}

function drawSpans(g, colour, scale, width, spans, at) {
    for (const s of spans) {
        const left = Math.max(0, scale.x(s.from));
        const wide = Math.min(width, scale.x(s.to + 1)) - left;
        if (wide <= 0 || !at.has(s.thread) || s.depth >= at.get(s.thread).rows) continue;
        const y = at.get(s.thread).y + LABEL + s.depth * ROW;
        g.fillStyle = `hsl(${hue(s.class)} ${colour.dark ? '32% 34%' : '58% 82%'})`;
        g.fillRect(left, y, Math.max(1, wide - 0.5), ROW - 1);
        if (wide < 30) continue;
        g.save();
        g.beginPath();
        g.rect(left, y, wide - 3, ROW);
        g.clip();
        g.fillStyle = colour.of('text');
        g.fillText(shortName(s.class) + '.' + s.method, left + 4, y + ROW / 2);
        g.restore();
    }
}

// data: { spans, parts, pauses, gaps, exceptions }
export function drawLanes(canvas, width, height, view, axis, data, places, seq) {
    const g = prepare(canvas, width, height);
    const colour = colours();
    const scale = scaleOf(axis, view, width);
    const at = new Map(places.list.map((l) => [l.thread, l]));
    g.font = '11px ' + colour.of('mono');
    g.textBaseline = 'middle';
    for (const p of data.parts) {
        // the greatest depth, behind the calls that are known
        const lane = at.get(p.thread);
        if (!lane || !p.depth_max) continue;
        const left = scale.x(p.from);
        g.fillStyle = colour.of('head');
        g.fillRect(left, lane.y + LABEL, Math.max(1, scale.x(p.to + 1) - left), Math.min(p.depth_max * ROW, lane.height - LABEL - 4));
    }
    drawSpans(g, colour, scale, width, data.spans, at);
    for (const p of data.pauses) {
        const lane = at.get(p.thread);
        const ends = scale.ends(p);
        const left = Math.max(0, ends[0]);
        const wide = Math.min(width, ends[1]) - left;
        if (!lane || wide < 0) continue;
        g.fillStyle = colour.of(isLock(p) ? 'bad' : 'dim');
        g.fillRect(left, lane.y + LABEL - 4, Math.max(1, wide), 3);
        g.globalAlpha = isLock(p) ? 0.3 : 0.12;
        if (wide > 1) g.fillRect(left, lane.y + LABEL, wide, lane.height - LABEL - 4);
        g.globalAlpha = 1;
    }
    g.fillStyle = colour.of('bad');
    for (const e of data.exceptions) {
        const lane = at.get(e.thread);
        const x = e.thrown === undefined || !lane ? -1 : scale.x(e.thrown);
        if (x >= 0 && x <= width) g.fillRect(x, lane.y + 2, 1.5, 10);
    }
    for (const p of data.parts) if (p.exceptions > 0 && at.has(p.thread)) g.fillRect(scale.x(p.from), at.get(p.thread).y, 2, 2);
    g.fillStyle = colour.of('changed');
    for (const gap of data.gaps) {
        const [left, right] = scale.ends(gap);
        g.fillRect(left, 0, Math.max(2, right - left), height);
    }
    for (const l of places.list) {
        const name = `${l.sign}${l.thread} ${l.name}`;
        g.fillStyle = colour.of('panel');
        g.fillRect(0, l.y, g.measureText(name).width + 8, LABEL - 5);
        g.fillStyle = colour.of('dim');
        g.fillText(name, 4, l.y + LABEL / 2 - 2);
    }
    if (seq !== null && seq >= view.from && seq <= view.to) {
        g.fillStyle = colour.of('bad');
        g.fillRect(scale.x(seq), 0, 1.5, height);
    }
}

export function drawRuler(canvas, width, view, axis, marks) {
    const g = prepare(canvas, width, RULER);
    const colour = colours();
    const scale = scaleOf(axis, view, width);
    g.font = '10px ' + colour.of('mono');
    g.textBaseline = 'middle';
    g.fillStyle = colour.of('accent-back');
    for (const m of marks) g.fillRect(scale.x(m.first), 0, Math.max(2, scale.x(m.last + 1) - scale.x(m.first)), RULER);
    for (const place of ticks(scale.from, scale.to, width / 130)) {
        const x = ((place - scale.from) / (scale.to - scale.from)) * width;
        g.fillStyle = colour.of('line');
        g.fillRect(x, 0, 1, RULER);
        g.fillStyle = colour.of('dim');
        g.fillText(axis.text(place), x + 3, RULER / 2);
    }
}

// The whole run: how much was called in each part, its exceptions, marks and gaps, and what is shown of it.
export function drawMap(canvas, width, total, view, axis, data, marks, seq) {
    const g = prepare(canvas, width, MAP);
    const colour = colours();
    const whole = { from: 0, to: Math.max(0, total - 1) };
    const scale = scaleOf(axis, whole, width);
    g.fillStyle = colour.of('head');
    g.fillRect(0, 0, width, MAP);
    const columns = new Float64Array(Math.ceil(width) + 1);
    for (const p of data.whole) {
        const [left, right] = [Math.max(0, Math.floor(scale.x(p.from))), Math.min(columns.length - 1, Math.ceil(scale.x(p.to + 1)))];
        for (let i = left; i < Math.max(left + 1, right); i++) columns[i] += p.calls / Math.max(1, right - left);
    }
    const most = Math.max(1, ...columns);
    g.fillStyle = colour.of('ref');
    g.globalAlpha = 0.35;
    columns.forEach((n, i) => n > 0 && g.fillRect(i, MAP - (n / most) * (MAP - 4), 1, MAP));
    g.globalAlpha = 1;
    g.fillStyle = colour.of('accent');
    for (const m of marks) g.fillRect(scale.x(m.first), MAP - 4, Math.max(2, scale.x(m.last) - scale.x(m.first)), 4);
    g.globalAlpha = 0.25;
    g.fillRect(scale.x(view.from), 0, Math.max(3, scale.x(view.to + 1) - scale.x(view.from)), MAP);
    g.globalAlpha = 1;
    g.fillStyle = colour.of('changed');
    for (const gap of data.gaps) g.fillRect(scale.ends(gap)[0], 0, Math.max(2, scale.ends(gap)[1] - scale.ends(gap)[0]), MAP);
    g.fillStyle = colour.of('bad');
    for (const e of data.exceptions) if (e.thrown !== undefined) g.fillRect(scale.x(e.thrown), 2, 1.5, MAP - 14);
    if (seq !== null) g.fillRect(scale.x(seq) - 1, 0, 2, MAP);
}

// What lies below a point: { thread, seq }, and if it is there `span`, the call, or `pause`; at the name of a thread
// only the thread; null: no thread.
export function under(data, places, scale, px, py) {
    const lane = [...places.list].reverse().find((l) => py >= l.y);
    if (!lane) return null;
    if (py < lane.y + LABEL - 4) return { thread: lane.thread };
    const depth = Math.floor((py - lane.y - LABEL) / ROW);
    const seq = Math.round(scale.seq(px));
    const pause = data.pauses.find((p) => {
        const [left, right] = scale.ends(p);
        return p.thread === lane.thread && left <= px && right >= px;
    });
    const span = data.spans.find((s) => s.thread === lane.thread && s.depth === depth && s.from <= seq && s.to >= seq);
    return { thread: lane.thread, seq, span, pause };
}
