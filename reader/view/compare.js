// compare.js - two runs (`hindsight diff`): the differences, and beside them both runs at one of them: the calls around
// it, and the stacks with their values, each with what is different marked.
import { useMemo, useState } from 'preact/hooks';
import { CallText, entered } from './calls.js';
import { html, isReference, Panel, place, shortName, shortType, State, useAnswer, Value, valueText } from './ui.js';

const DIFFERENCES_MAX = 500, CALLS_MAX = 60;

// As diff compares: strings by what they say, other objects by type, never by id.
export const alike = (v) => (!isReference(v) ? valueText(v) : v.string !== undefined ? JSON.stringify(v.string) : shortType(v.type));

// Rows of two lists beside each other, equal ones on one line: [i or undefined, j or undefined]. The longest common
// subsequence; for short lists.
export function align(a, b) {
    const best = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i--)
        for (let j = b.length - 1; j >= 0; j--)
            best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    const rows = [];
    for (let i = 0, j = 0; i < a.length || j < b.length;) {
        if (i < a.length && j < b.length && a[i] === b[j]) rows.push([i++, j++]);
        else if (j === b.length || (i < a.length && best[i + 1][j] >= best[i][j + 1])) rows.push([i++, undefined]);
        else rows.push([undefined, j++]);
    }
    return rows;
}

const callKey = (c) => [c.depth, c.class, c.method, c.desc].join(' ');
const callText = (c) => [c.this, ...c.arguments, c.result, c.exception].map(alike).join() + c.times;

function Cell({ c, changed, trace, change }) {
    if (!c) return html`<td class="absent"></td>`;
    return html`<td class=${changed ? 'changed' : ''}><button style=${{ paddingLeft: c.depth * 12 + 'px' }}
        onClick=${async () => change({ trace, seq: await entered(trace, c), view: 'run', q: null })}><${CallText} call=${c} /></button></td>`;
}

// sides: two of { trace, title, ask: parameters of `tree`, or null }.
export function Trees({ sides, change, name, title, tools }) {
    const a = useAnswer('tree', sides[0].ask);
    const b = useAnswer('tree', sides[1].ask);
    const rows = useMemo(() => align(a.rows.map(callKey), b.rows.map(callKey)), [a.rows, b.rows]);
    const bad = [a, b].find((x) => x.error || (x.loading && x.rows.length === 0));
    return html`<${Panel} name=${name} title=${title} tools=${tools}>
        ${bad && html`<${State} answer=${bad} />`}
        <table class="beside"><thead><tr>${sides.map((s) => html`<th>${s.title}</th>`)}</tr></thead>
        <tbody>${rows.map(([i, j]) => {
            const [x, y] = [a.rows[i], b.rows[j]];
            const changed = !x || !y || callText(x) !== callText(y);
            return html`<tr><${Cell} c=${x} changed=${changed} trace=${sides[0].trace} change=${change} />
                <${Cell} c=${y} changed=${changed} trace=${sides[1].trace} change=${change} /></tr>`;
        })}</tbody></table>
    </${Panel}>`;
}

// The variables of a frame: { name: value }.
const variables = (f) => (f ? { ...(f.this !== undefined ? { this: f.this } : {}), ...f.parameters, ...f.locals } : {});

function Values({ sides, change }) {
    const a = useAnswer('locals', sides[0].seq !== undefined ? { trace: sides[0].trace, at: sides[0].seq } : null);
    const b = useAnswer('locals', sides[1].seq !== undefined ? { trace: sides[1].trace, at: sides[1].seq } : null);
    const [x, y] = [[...a.rows].reverse(), [...b.rows].reverse()]; // outermost first, where they are the same
    const key = (f) => [f.class, f.method, f.desc].join(' ');
    const frames = align(x.map(key), y.map(key)).reverse();
    return html`<${Panel} name="values" title="Values beside each other">
        <table class="beside"><thead><tr><th></th>${sides.map((s) => html`<th>${s.trace} <button class="link" disabled=${s.seq === undefined}
            onClick=${() => change({ trace: s.trace, seq: s.seq, view: 'run', q: null })}>event ${s.seq}</button></th>`)}</tr></thead>
        ${frames.map(([i, j]) => {
            const [f, g] = [x[i], y[j]];
            const [v, w] = [variables(f), variables(g)];
            return html`<tbody><tr class="frame-row"><th>${shortName((f ?? g).class)}.${(f ?? g).method}</th>
                <td>${f ? 'line ' + f.line : ''}</td><td>${g ? 'line ' + g.line : ''}</td></tr>
                ${[...new Set([...Object.keys(v), ...Object.keys(w)])].map((name) => html`<tr data-name=${name}
                    class=${(name in v) !== (name in w) || alike(v[name]) !== alike(w[name]) ? 'changed' : ''}>
                    <th class="name">${name}</th><td>${name in v && html`<${Value} v=${v[name]} />`}</td>
                    <td>${name in w && html`<${Value} v=${w[name]} />`}</td></tr>`)}</tbody>`;
        })}</table>
    </${Panel}>`;
}

function Side({ e, decision }) {
    if (!e) return html`<td class="dim">–</td>`;
    return html`<td>${e.seq !== undefined && html`<span class="seq">${e.seq}</span>`} <span class="event">${e.event?.toLowerCase()}</span>${' '}
        ${e.class && place(e)} ${decision ? html`<span class="condition">${decision.condition}</span>` : 'value' in e && html`<${Value} v=${e.value} />`}</td>`;
}

// Of a run that does not have the event, the last moment at which it was compared.
function momentOf(rows, i, side) {
    for (; i >= 0; i--) if (rows[i][side]?.seq !== undefined) return rows[i][side].seq;
    return undefined;
}

export function Compare({ trace, traces, change, commands }) {
    const others = traces.filter((t) => t.trace !== trace);
    const [other, setOther] = useState(null);
    const [at, setAt] = useState(0);
    const chosen = other ?? others[0]?.trace;
    const answer = useAnswer('diff', chosen && commands.has('diff') ? { trace, other: chosen, limit: DIFFERENCES_MAX } : null);
    if (!chosen) return html`<main class="one"><p class="state">There is one trace only: hindsight view A B compares two.</p></main>`;
    if (!commands.has('diff')) return html`<main class="one"><p class="state">This build has no hindsight diff.</p></main>`;
    const tools = html`<label class="dim">${trace} with <select aria-label="The other trace" value=${chosen}
        onChange=${(e) => setOther(e.target.value)}>${others.map((t) => html`<option>${t.trace}</option>`)}</select></label>`;
    const i = Math.min(at, answer.rows.length - 1);
    const sides = [{ trace, seq: momentOf(answer.rows, i, 'a') }, { trace: chosen, seq: momentOf(answer.rows, i, 'b') }];
    const key = (e) => {
        const to = { ArrowDown: i + 1, ArrowUp: i - 1 }[e.key];
        if (to === undefined) return;
        e.preventDefault();
        setAt(Math.max(0, Math.min(answer.rows.length - 1, to)));
    };
    return html`<main class="one two compare"><${Panel} name="compare" title="Two runs" tools=${tools}>
        <${State} answer=${answer} empty="They do not differ." />
        ${answer.rows.length > 0 && html`<table class="diff" tabindex="0" aria-label="Differences" onKeyDown=${key}>
            <thead><tr><th>kind</th><th>${trace}</th><th>${chosen}</th></tr></thead>
            <tbody>${answer.rows.map((d, k) => html`<tr class=${k === i ? 'here' : ''} onClick=${() => setAt(k)}>
                <td>${d.first ? 'first ' : ''}${d.what ?? d.kind}${d.times > 1 ? ' ×' + d.times : ''}</td><${Side} e=${d.a} decision=${d.a_decision} /><${Side} e=${d.b} decision=${d.b_decision} /></tr>`)}</tbody></table>`}
    </${Panel}>
    ${answer.rows.length > 0 && html`<${Values} sides=${sides} change=${change} /><${Trees} name="trees" title="Calls around it" change=${change}
        sides=${sides.map((s) => ({ trace: s.trace, title: s.trace, ask: s.seq !== undefined ? { trace: s.trace, at: s.seq, limit: CALLS_MAX } : null }))} />`}</main>`;
}
