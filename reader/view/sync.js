// sync.js - what threads do to each other: data that two of them touched without order (`races`), and the order in which
// monitors were entered (`locks --order`) as a graph.
import { useMemo } from 'preact/hooks';
import { Graph } from './graph.js';
import { count, html, Panel, place, shortName, State, useAnswer, Value, valueText } from './ui.js';

const RACES_MAX = 500, EDGES_MAX = 300;

function Access({ e, threads, change }) {
    const writes = /PUT|STORE/.test(e.event);
    return html`<button onClick=${() => change({ seq: e.seq, view: 'run' })}>
        <span class="seq">${e.seq}</span> <b>${threads.find((t) => t.thread === e.thread)?.name ?? 'thread ' + e.thread}</b>
        <span class="tag ${writes ? 'writes' : ''}">${writes ? 'writes' : 'reads'}</span> <${Value} v=${e.value} />
        <span class="dim">${place(e)}</span></button>`;
}

// "a.b.C.field" without its packages
const short = (location) => location.replace(/^.*?([^.]+\.[^.]+)$/, '$1');

export function Races({ trace, change, threads }) {
    const answer = useAnswer('races', { trace, limit: RACES_MAX });
    return html`<main class="one"><${Panel} name="races" title="Data that two threads touched without order">
        <${State} answer=${answer} empty="No two threads touched the same data without order in this run." />
        ${answer.rows.length === RACES_MAX && html`<p class="note">The first ${RACES_MAX}.</p>`}
        <ul class="list races">${answer.rows.map((r) => html`<li data-location=${r.location} data-a=${r.a.seq} data-b=${r.b.seq}>
            <h3 title=${r.location}>${short(r.location)}${r.index !== undefined && html`[${r.index}]`}
                ${r.object && html` <span class="dim">of <${Value} v=${r.object} /></span>`}
                <span class="times">${r.count > 1 ? '×' + count(r.count) : ''}</span></h3>
            <${Access} e=${r.a} threads=${threads} change=${change} /><${Access} e=${r.b} threads=${threads} change=${change} />
        </li>`)}</ul>
    </${Panel}></main>`;
}

const lockId = (l) => l.id ?? l.class;
// a class has no id where its object is not known
export const lockName = (l) =>
    l.class !== undefined ? 'class ' + shortName(l.class) + (l.id !== undefined ? '#' + l.id : '') : valueText(l);

export function LockOrder({ trace, change }) {
    const answer = useAnswer('locks', { trace, order: 'true', limit: EDGES_MAX });
    const g = useMemo(() => {
        const nodes = new Map(), edges = [];
        for (const r of answer.rows) {
            for (const [l, e] of [[r.from, r.a], [r.to, r.b]]) {
                const known = nodes.get(lockId(l));
                nodes.set(lockId(l), { id: lockId(l), title: lockName(l), note: place(known?.e ?? e), e: known?.e ?? e,
                    kind: r.circle || known?.kind === 'bad' ? 'bad' : '', hint: l.type ?? l.class });
            }
            edges.push({ from: lockId(r.from), to: lockId(r.to), kind: r.circle ? 'bad' : '', hint: `${count(r.count)} times, first at ${place(r.b)}` });
        }
        return { nodes: [...nodes.values()], edges };
    }, [answer.rows]);
    return html`<${Panel} name="lock-order" title="Order of monitors (an arrow: entered inside; red: a circle)">
        <${State} answer=${answer} empty="No monitor was entered inside of another." />
        ${answer.rows.length === EDGES_MAX && html`<p class="note">The first ${EDGES_MAX} pairs.</p>`}
        ${g.nodes.length > 0 && html`<${Graph} ...${g} label="Order of monitors" onSelect=${(n) => change({ seq: n.e.seq, view: 'run' })} />`}
    </${Panel}>`;
}
