// graph.js - a small directed graph as a picture: layers from left to right, edges as curves, nodes that take the focus.
//
// Layers are longest paths; the order in a layer is that of the neighbours (a few sweeps over barycentres). An edge of a
// circle goes back to an earlier layer and is drawn below the others. Made for some hundred nodes.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { html } from './ui.js';

const WIDTH = 190, HEIGHT = 42, ACROSS = 36, DOWN = 12, SWEEPS = 6;

// Edges of which none is on a circle, by their place in `edges`: those that lead back to a node that is still open
// in a walk through the graph are left out. No recursion: a chain can be long.
function withoutCircles(ids, edges) {
    const out = new Map(ids.map((id) => [id, []]));
    edges.forEach((e, i) => out.get(e.from).push(i));
    const state = new Map(); // 1 open, 2 done
    const kept = [];
    for (const root of ids) {
        const path = state.has(root) ? [] : [{ id: root, next: 0 }];
        if (path.length) state.set(root, 1);
        while (path.length) {
            const at = path[path.length - 1];
            const i = out.get(at.id)[at.next++];
            if (i === undefined) {
                state.set(at.id, 2);
                path.pop();
                continue;
            }
            const to = edges[i].to;
            if (state.get(to) === 1) continue;
            kept.push(i);
            if (!state.has(to)) {
                state.set(to, 1);
                path.push({ id: to, next: 0 });
            }
        }
    }
    return new Set(kept);
}

function layersOf(ids, edges) {
    const layer = new Map(ids.map((id) => [id, 0]));
    const waits = new Map(ids.map((id) => [id, 0]));
    for (const e of edges) waits.set(e.to, waits.get(e.to) + 1);
    const out = new Map(ids.map((id) => [id, []]));
    for (const e of edges) out.get(e.from).push(e);
    const ready = ids.filter((id) => waits.get(id) === 0);
    for (let id; (id = ready.shift()) !== undefined;)
        for (const e of out.get(id)) {
            layer.set(e.to, Math.max(layer.get(e.to), layer.get(id) + 1));
            waits.set(e.to, waits.get(e.to) - 1);
            if (waits.get(e.to) === 0) ready.push(e.to);
        }
    return layer;
}

// nodes: [{ id, ... }], edges: [{ from, to, ... }]. Each node gets x and y, each edge `back`: it closes a circle.
export function layout(nodes, edges) {
    const ids = nodes.map((n) => n.id);
    const straight = withoutCircles(ids, edges);
    const forward = edges.filter((e, i) => straight.has(i));
    const layer = layersOf(ids, forward);
    const columns = [];
    for (const id of ids) (columns[layer.get(id)] ??= []).push(id);
    const place = new Map();
    const number = (column) => column.forEach((id, i) => place.set(id, i - (column.length - 1) / 2));
    columns.forEach(number);
    const near = new Map(ids.map((id) => [id, []]));
    for (const e of forward) {
        near.get(e.from).push(e.to);
        near.get(e.to).push(e.from);
    }
    for (let sweep = 0; sweep < SWEEPS; sweep++)
        for (const column of sweep % 2 ? [...columns].reverse() : columns) {
            const middle = (id) => {
                const list = near.get(id);
                return list.length ? list.reduce((sum, n) => sum + place.get(n), 0) / list.length : place.get(id);
            };
            const by = new Map(column.map((id) => [id, middle(id)]));
            column.sort((a, b) => by.get(a) - by.get(b));
            number(column);
        }
    const most = Math.max(0, ...columns.map((c) => c.length));
    return {
        nodes: nodes.map((n) => ({
            ...n,
            x: layer.get(n.id) * (WIDTH + ACROSS) + 8,
            y: (place.get(n.id) + (most - 1) / 2) * (HEIGHT + DOWN) + 8,
        })),
        edges: edges.map((e, i) => ({ ...e, back: !straight.has(i) })),
        width: columns.length * (WIDTH + ACROSS) - ACROSS + 16,
        height: most * (HEIGHT + DOWN) + 16,
    };
}

function curve(a, b, back, height) {
    if (back) {
        const low = height + 10;
        return `M${a.x + WIDTH / 2},${a.y + HEIGHT} C${a.x + WIDTH / 2},${low} ${b.x + WIDTH / 2},${low} ${b.x + WIDTH / 2},${b.y + HEIGHT}`;
    }
    const from = a.x + WIDTH, y = a.y + HEIGHT / 2, to = b.x, y2 = b.y + HEIGHT / 2;
    return `M${from},${y} C${from + ACROSS / 2},${y} ${to - ACROSS / 2},${y2} ${to},${y2}`;
}

const clip = (text, n) => (text.length > n ? text.slice(0, n - 1) + '…' : text);

// nodes: { id, title, note, kind, hint }; edges: { from, to, hint, kind }. `here`: id of the node that is marked.
export function Graph({ nodes, edges, here, onSelect, label }) {
    const box = useRef(null);
    const g = useMemo(() => layout(nodes, edges), [nodes, edges]);
    const of = useMemo(() => new Map(g.nodes.map((n) => [n.id, n])), [g]);
    const go = (id) => box.current.querySelector(`[data-id="${CSS.escape(String(id))}"]`)?.focus();
    const key = (e, n) => {
        const beside = g.nodes.filter((o) => o.x === n.x).sort((a, b) => a.y - b.y);
        const i = beside.indexOf(n);
        const to = {
            ArrowRight: () => g.edges.find((x) => x.from === n.id && !x.back)?.to,
            ArrowLeft: () => g.edges.find((x) => x.to === n.id && !x.back)?.from,
            ArrowDown: () => beside[i + 1]?.id,
            ArrowUp: () => beside[i - 1]?.id,
        }[e.key];
        if (to) {
            e.preventDefault();
            e.stopPropagation();
            const id = to();
            if (id !== undefined) go(id);
        } else if ((e.key === 'Enter' || e.key === ' ') && onSelect) {
            e.preventDefault();
            onSelect(n);
        }
    };
    useEffect(() => {
        box.current.querySelector('.node.here')?.scrollIntoView({ block: 'nearest', inline: 'center' });
    }, [here, g]);
    const back = g.edges.some((e) => e.back) ? 30 : 0;
    return html`<div class="graph" ref=${box} role="group" aria-label=${label}>
        <svg width=${g.width} height=${g.height + back} data-nodes=${g.nodes.length} data-edges=${g.edges.length}>
            <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse"
                markerWidth="8" markerHeight="8" orient="auto">
                <path d="M0,0 L8,4 L0,8 z" /></marker></defs>
            ${g.edges.map((e) => html`<path class="edge ${e.kind ?? ''} ${e.back ? 'back' : ''}" data-from=${e.from} data-to=${e.to}
                d=${curve(of.get(e.from), of.get(e.to), e.back, g.height)} marker-end="url(#tip)"><title>${e.hint ?? ''}</title></path>`)}
            ${g.nodes.map((n) => html`<g key=${n.id} class="node ${n.kind ?? ''} ${n.id === here ? 'here' : ''}" data-id=${n.id}
                transform=${`translate(${n.x},${n.y})`} tabindex="0" role="button" aria-label=${n.title + ', ' + n.note}
                onClick=${() => onSelect?.(n)} onKeyDown=${(e) => key(e, n)}>
                <title>${n.hint ?? ''}</title>
                <rect width=${WIDTH} height=${HEIGHT} rx="5" />
                <text x="8" y="18" class="title">${clip(n.title, 24)}</text><text x="8" y="35">${clip(n.note, 26)}</text></g>`)}
        </svg>
    </div>`;
}
