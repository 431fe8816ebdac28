// why.js - all causes of a value (`why --all`) as a graph: what was loaded, stored, passed and computed, one node a moment.
import { useMemo } from 'preact/hooks';
import { Graph } from './graph.js';
import { html, place, State, useAnswer, valueText } from './ui.js';

const NODES_MAX = 300;
const DEPTH = 30; // the most that the command nests

// The tree as nodes by seq, so that a moment with several effects is one node. The tree repeats what it has shown
// already (`repeated`), without what is below.
export function causesOf(root) {
    const nodes = new Map(), edges = new Map();
    const open = root ? [root] : [];
    let cut = false;
    while (open.length) {
        const e = open.pop();
        if (!nodes.has(e.seq)) nodes.set(e.seq, e);
        for (const cause of [...(e.causes ?? [])].reverse()) {
            if (!nodes.has(cause.seq) && nodes.size + open.length >= NODES_MAX) {
                cut = true;
                continue;
            }
            if (cause.seq !== e.seq) edges.set(e.seq + ' ' + cause.seq, { from: e.seq, to: cause.seq, hint: e.because, kind: e.by });
            open.push(cause);
        }
    }
    return {
        cut,
        edges: [...edges.values()].filter((e) => nodes.has(e.to)),
        nodes: [...nodes.values()].map((e) => ({
            id: e.seq,
            title: ('value' in e ? valueText(e.value) + ' ' : '') + (e.attr?.name ?? e.event.toLowerCase()),
            note: e.seq + ' ' + place(e),
            hint: `${e.event.toLowerCase()}: ${e.because ?? ''}${e.end ? ' (' + e.end + ')' : ''}`,
            kind: e.end ? 'end' : '',
        })),
    };
}

export function WhyGraph({ trace, at, seq, go }) {
    const answer = useAnswer('why', { trace, at, all: 'true', depth: DEPTH });
    const g = useMemo(() => causesOf(answer.rows[0]), [answer.rows]);
    return html`<${State} answer=${answer} empty="Nothing was recorded of it." />
        ${g.cut && html`<p class="note">The first ${NODES_MAX} causes.</p>`}
        ${g.nodes.length > 0 && html`<div class="trail-graph">
            <${Graph} ...${g} here=${seq} label="Causes" onSelect=${(n) => go(n.id)} /></div>`}`;
}
