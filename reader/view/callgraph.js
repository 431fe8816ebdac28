// callgraph.js - who calls whom, as layers from the top down: of methods, classes or packages, laid out once (dagre).
//
// A package is a node until it is opened: then its classes are, and of an opened class its methods. So a program of
// any size begins with a picture that fits, and each part of it can be looked into.
import { graphlib, layout } from '@dagrejs/dagre';
import { shortName } from './ui.js';

export const NODES_MAX = 150;
const HEIGHT = 30;

export const packageOf = (name) => (name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : '');
const keyOf = (m) => m.class + '.' + m.method + m.desc;

// The node that shows a method while these packages ("p a.b") and classes ("c a.b.C") are open.
export function nodeOf(m, open) {
    const [p, c] = ['p ' + packageOf(m.class), 'c ' + m.class];
    if (!open.has(p)) return { id: p, kind: 'package', text: packageOf(m.class).split('.').slice(-2).join('.') || '(no package)' };
    if (!open.has(c)) return { id: c, kind: 'class', text: shortName(m.class) };
    return { id: 'm ' + keyOf(m), kind: 'method', text: (shortName(m.class) + '.' + m.method).slice(0, 36) };
}

// What is open at first: all of it if that fits, else the classes, else nothing.
export function opened(edges) {
    const methods = edges.flatMap((e) => (e.caller ? [e, e.caller] : [e]));
    const packages = new Set(methods.map((m) => 'p ' + packageOf(m.class)));
    const classes = new Set(methods.map((m) => 'c ' + m.class));
    const fits = (ids) => new Set(methods.map((m) => nodeOf(m, ids).id)).size <= NODES_MAX / 3;
    for (const ids of [new Set([...packages, ...classes]), packages]) if (fits(ids)) return ids;
    return new Set();
}

// edges: rows of `report --callers '*'`. The nodes with most calls stay if there are too many: `cut` have not.
export function graphOf(edges, open) {
    const nodes = new Map();
    const links = new Map();
    const take = (m, calls) => {
        const n = nodeOf(m, open);
        const node = nodes.get(n.id) ?? { ...n, calls: 0, methods: new Set() };
        node.calls += calls;
        node.methods.add(keyOf(m));
        nodes.set(n.id, node);
        return node;
    };
    for (const e of edges) {
        const to = take(e, e.calls);
        const from = e.caller && take(e.caller, 0);
        if (!from || from === to) continue;
        const link = links.get(from.id + '\n' + to.id) ?? { from: from.id, to: to.id, calls: 0 };
        link.calls += e.calls;
        links.set(from.id + '\n' + to.id, link);
    }
    const kept = new Set([...nodes.values()].sort((a, b) => b.calls - a.calls).slice(0, NODES_MAX).map((n) => n.id));
    return {
        nodes: [...nodes.values()].filter((n) => kept.has(n.id)),
        links: [...links.values()].filter((l) => kept.has(l.from) && kept.has(l.to)),
        cut: nodes.size - kept.size,
    };
}

// Gives each node x, y (its middle), width and height, each link its points; and the size of all.
export function laidOut(graph) {
    const g = new graphlib.Graph();
    g.setGraph({ rankdir: 'TB', nodesep: 12, ranksep: 40, marginx: 10, marginy: 10 });
    g.setDefaultEdgeLabel(() => ({}));
    for (const n of graph.nodes) g.setNode(n.id, { width: Math.min(280, 20 + n.text.length * 7.3), height: HEIGHT });
    for (const l of graph.links) g.setEdge(l.from, l.to);
    layout(g);
    const place = (id) => g.node(id);
    return {
        ...graph,
        nodes: graph.nodes.map((n) => ({ ...n, ...place(n.id) })),
        links: graph.links.map((l) => ({ ...l, points: g.edge(l.from, l.to).points })),
        width: Math.max(200, g.graph().width ?? 0),
        height: Math.max(80, g.graph().height ?? 0),
    };
}

export const pathOf = (points) => 'M' + points.map((p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join('L');
