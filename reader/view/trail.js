// trail.js - what was asked of a value: the chain of `why` or its graph, the slice, whose lines are lit in the source,
// the last write, every value, the object.
//
// The question stands in the address (q=KIND,AT,SEQ,ID,WHAT), so that back and forward go through the questions, too.
import { Members } from './state.js';
import { html, Panel, place, State, useAnswer, Value } from './ui.js';
import { WhyGraph } from './why.js';

const SLICE_MAX = 2000; // moments
export const sliceOf = (q) => ({ at: q.seq, limit: SLICE_MAX });

// kind: [title, command, what of a question it needs, parameters of the command]
const KINDS = {
    object: ['Object', 'object', 'id', (q) => ({ id: q.id, at: q.at })],
    history: ['Values', 'history', 'what', (q) => ({ what: q.what, limit: 2000 })],
    'last-write': ['Last write', 'last-write', 'what', (q) => ({ what: q.what, at: q.at })],
    why: ['Why', 'why', 'seq', (q) => ({ at: q.seq, limit: 40 })],
    graph: ['Why, as a graph', null, 'seq'],
    slice: ['Slice', 'slice', 'seq', sliceOf],
};

const known = (v) => v !== undefined && v !== null && v !== '';

// A question as it stands in the address; null: there is none, or it is no question.
export function questionFrom(text) {
    const m = /^([a-z-]+),(\d{1,15}),(\d{0,15}),(\d{0,15}),(.*)$/s.exec(text ?? '');
    if (!m || !(m[1] in KINDS)) return null;
    const [, kind, at, seq, id, what] = m;
    const q = { kind, at: Number(at), what };
    if (seq) q.seq = Number(seq);
    if (id) q.id = Number(id);
    return known(q[KINDS[kind][2]]) ? q : null;
}
export const questionText = (q) => (q ? [q.kind, q.at, q.seq ?? '', q.id ?? '', q.what ?? ''].join(',') : null);

function Chain({ answer, kind, seq, go }) {
    return html`<ol class="trail ${kind}">${answer.rows.map((e) => html`<li key=${e.seq} data-seq=${e.seq}
        class=${e.seq === seq ? 'here' : ''}>
        <button onClick=${() => go(e.seq)}>
            <span class="seq">${e.seq}</span><span class="event">${e.event?.toLowerCase()}</span>
            ${e.attr?.name && html`<b>${e.attr.name}</b>`} ${'value' in e && html`<${Value} v=${e.value} />`}
            <span class="dim">${place(e)}</span>
            ${e.because && html`<span class="because">${e.because}</span>`}
            ${e.end && html`<span class="tag">${e.end}</span>`}
        </button></li>`)}</ol>`;
}

function Thing({ trace, q, o, look, go }) {
    const moment = (title, at) => at !== undefined && html`<button class="link" onClick=${() => go(at)}>${title} ${at}</button>`;
    return html`<p class="note"><b>${o.type}</b> #${o.id} ${moment('created', o.created?.seq ?? o.created)} ${moment('first', o.first)}
        ${moment('last', o.last)}</p>
        ${o.string !== undefined && html`<p class="note v text">${o.string}</p>`}
        <div class="variables"><${Members} trace=${trace} id=${q.id} seq=${q.at} depth=${0} look=${look}
            before=${{ shown: new Map(), now: new Map() }} /></div>`;
}

export function Trail({ trace, q, go, close, seq, look }) {
    const [, command, , parameters] = KINDS[q.kind];
    const answer = useAnswer(command ?? 'why', command ? { trace, ...parameters(q) } : null);
    const title = (q.kind === 'object' ? '#' + q.id : ['why', 'graph', 'slice'].includes(q.kind) ? '' : q.what) || 'event ' + q.seq;
    const tools = html`<nav class="tabs" aria-label="Questions">${Object.entries(KINDS).map(([kind, [text, , needs]]) => known(q[needs]) &&
            html`<button data-kind=${kind} class=${q.kind === kind ? 'on' : ''} onClick=${() => look({ ...q, kind })}>${text}</button>`)}</nav>
        <button class="link" aria-label="close" onClick=${close}>✕</button>`;
    return html`<${Panel} name="trail" title=${title} tools=${tools}>
        ${q.kind === 'graph' ? html`<${WhyGraph} trace=${trace} at=${q.seq} ...${{ seq, go }} />`
            : html`<${State} answer=${answer} empty="Nothing was recorded of it." />`}
        ${q.kind === 'object' ? answer.rows[0] && html`<${Thing} ...${{ trace, q, look, go }} o=${answer.rows[0]} />`
            : command && html`<${Chain} answer=${answer} kind=${q.kind} ...${{ seq, go }} />`}
    </${Panel}>`;
}
