// flame.js - where time goes: the calls of all threads with equal paths merged (`report --tree`), as a flame graph.
import { useMemo, useRef, useState } from 'preact/hooks';
import { number } from './api.js';
import { count, html, nanoseconds, Panel, shortName, State, useAnswer } from './ui.js';

const ROW = 20, PATHS_MAX = 20000, SMALLEST = 0.001; // of the width

// Rows in the order of a tree become nodes with a weight: their time, or their calls and all in them. What has no
// exact time weighs what its callees do.
export function weigh(rows, by) {
    const root = { depth: -1, children: [], weight: 0 };
    const open = [root];
    for (const r of rows) {
        while (open[open.length - 1].depth >= r.depth) open.pop();
        const node = { ...r, children: [], parent: open[open.length - 1] };
        node.parent.children.push(node);
        open.push(node);
        node.own = by === 'calls' ? r.calls : number(r.total_ns) ?? 0;
    }
    const all = []; // parents first
    for (const todo = [root]; todo.length;) {
        const n = todo.pop();
        all.push(n);
        todo.push(...n.children);
    }
    for (const n of all.reverse()) {
        const inner = n.children.reduce((sum, c) => sum + c.weight, 0);
        n.weight = n === root ? inner : by === 'calls' ? n.own + inner : Math.max(n.own, inner);
    }
    return root;
}

// The nodes that are wide enough to see, from `top` on: { node, left, width, row } as shares of the whole.
export function place(top) {
    const out = [];
    for (let line = [{ node: top, left: 0, width: 1 }], row = 0; line.length; row++) {
        const next = [];
        for (const { node, left, width } of line) {
            if (node.depth >= 0) out.push({ node, left, width, row: top.depth < 0 ? row - 1 : row });
            let at = left;
            for (const c of [...node.children].sort((a, b) => b.weight - a.weight)) {
                const w = node.weight > 0 ? (width * c.weight) / node.weight : 0;
                if (w >= SMALLEST) next.push({ node: c, left: at, width: w });
                at += w;
            }
        }
        line = next;
    }
    return out;
}

// The same colour for the same class.
function hue(name) {
    let h = 0;
    for (const c of name) h = (h * 31 + c.codePointAt(0)) % 360;
    return h;
}

export function Flame({ trace }) {
    const answer = useAnswer('report', { trace, tree: 'true', limit: PATHS_MAX });
    const [by, setBy] = useState('time');
    const [path, setPath] = useState([]); // of children, from the root on
    const box = useRef(null);
    const root = useMemo(() => weigh(answer.rows, by), [answer.rows, by]);
    const top = path.reduce((n, i) => n.children[i] ?? n, root);
    const shown = useMemo(() => place(top), [top]);
    const zoom = (node) => {
        const way = [];
        for (let n = node; n.parent; n = n.parent) way.unshift(n.parent.children.indexOf(n));
        setPath(way);
    };
    const key = (e) => {
        const list = [...box.current.querySelectorAll('button')];
        const here = list.indexOf(document.activeElement);
        const row = shown[here]?.row;
        const to = {
            ArrowRight: () => here + 1,
            ArrowLeft: () => here - 1,
            ArrowDown: () => shown.findIndex((s, i) => i > here && s.row === row + 1 && s.left >= shown[here].left - 1e-9),
            ArrowUp: () => shown.findIndex((s) => s.node === shown[here]?.node.parent),
        }[e.key];
        if (e.key === 'Escape') setPath([]);
        else if (!to) return;
        else list[to()]?.focus();
        e.preventDefault();
    };
    const say = (n) => (by === 'time' ? nanoseconds(n.weight) : count(n.weight));
    const tools = html`${path.length > 0 && html`<button class="link" onClick=${() => setPath([])}>all</button>`}
        ${['time', 'calls'].map((b) => html`<button class=${by === b ? 'on' : ''} onClick=${() => setBy(b)}>${b}</button>`)}`;
    return html`<${Panel} name="flame" title="Flame graph of all threads" tools=${tools}>
        <${State} answer=${answer} empty="No call was recorded." />
        ${answer.rows.length === PATHS_MAX && html`<p class="note">The first ${PATHS_MAX} paths.</p>`}
        ${answer.rows.length > 0 && root.weight === 0 && html`<p class="note">No call took as long as the clock can measure: choose calls, or
            record with timestamp=true.</p>`}
        <div class="flame" ref=${box} role="group" aria-label="Flame graph" onKeyDown=${key} data-nodes=${shown.length}
            style=${{ height: ((shown.at(-1)?.row ?? 0) + 1) * ROW + 'px' }}>
            ${shown.map(({ node: n, left, width, row }) => html`<button key=${by + row + ' ' + left} data-calls=${n.calls} data-weight=${n.weight}
                title=${`${n.class}.${n.method}: ${say(n)}, ${count(n.calls)} calls`} onClick=${() => zoom(n)}
                style=${{ left: left * 100 + '%', width: width * 100 + '%', top: row * ROW + 'px', '--hue': hue(n.class) }}>
                ${shortName(n.class)}.${n.method}</button>`)}</div>
    </${Panel}>`;
}
