// shared.js - what features have in common: instances that go from one to another, methods by affinity, and the calls of
// two of them beside each other.
import { useState } from 'preact/hooks';
import { Trees } from './compare.js';
import { count, html, Panel, Rows, shortName, shortType, State, useAnswer } from './ui.js';

const heat = (n, most) => ({ '--share': (n > 0 ? 10 + 50 * (Math.log1p(n) / Math.log1p(most)) : 0) + '%' });

// Created in the feature of the row, used in that of the column.
export function Instances({ answer, names }) {
    const [chosen, setChosen] = useState(null);
    const of = new Map(answer.rows.map((r) => [r.from + '\n' + r.to, r]));
    const most = Math.max(1, ...answer.rows.map((r) => r.objects));
    const here = chosen && of.get(chosen);
    return html`<${Panel} name="instances" title="Instances: created in the row, used in the column">
        <${State} answer=${answer} empty="No instance is used in two features." />
        ${answer.rows.length > 0 && html`<table class="matrix"><thead><tr><th></th>${names.map((n) => html`<th scope="col">${n}</th>`)}</tr></thead>
            <tbody>${names.map((a) => html`<tr><th scope="row">${a}</th>${names.map((b) => {
                const r = of.get(a + '\n' + b);
                return html`<td style=${heat(r?.objects ?? 0, most)} class=${a === b ? 'absent' : ''}>${r && html`<button
                    aria-label=${`${a} to ${b}`} onClick=${() => setChosen(a + '\n' + b)}>${count(r.objects)}</button>`}</td>`;
            })}</tr>`)}</tbody></table>`}
        ${here && html`<h3>${here.from} → ${here.to}</h3><ul class="list mono types">${Object.entries(here.types ?? {}).map(([type, n]) => html`<li>
            <span class="v ref" title=${type}>${shortType(type)}</span> <span class="times">${count(n)}</span></li>`)}</ul>`}
    </${Panel}>`;
}

const AFFINITIES = ['single', 'low', 'high', 'infrastructural'];

// A row a method, a column a feature; the colour says the affinity.
export function Affinity({ answer, names }) {
    const rows = AFFINITIES.flatMap((kind) => answer.rows.filter((m) => m.affinity === kind));
    return html`<${Panel} name="affinity" title="Methods of features, by affinity">
        <${State} answer=${answer} empty="No method ran in a feature." />
        ${rows.length > 0 && html`<div class="columns"><span class="c-main"></span>${names.map((n) => html`<span class="c-dot" title=${n}>${n}</span>`)}<span class="c-kind"></span></div>`}
        <${Rows} label="Affinity" count=${rows.length} row=${(i, style) => {
            const m = rows[i];
            return html`<div key=${i} class="row affinity a-${m.affinity}" style=${style}>
                <span class="c-main" title=${m.class + '.' + m.method + m.desc}><span class="dim">${shortName(m.class)}.</span>${m.method}</span>
                ${names.map((n) => html`<span class="c-dot" data-in=${m.features.includes(n)}>${m.features.includes(n) ? html`<i></i>` : ''}</span>`)}
                <span class="c-kind">${m.affinity}</span></div>`;
        }} />
    </${Panel}>`;
}

const CALLS_MAX = 200;

export function FeatureTrees({ trace, features, change }) {
    const names = features.map((f) => f.feature);
    const [two, setTwo] = useState([null, null]);
    const of = two.map((n, i) => n ?? names[i] ?? names[0]);
    const choose = (i) => html`<select aria-label=${i === 0 ? 'Left feature' : 'Right feature'} value=${of[i]}
        onChange=${(e) => setTwo(two.map((n, k) => (k === i ? e.target.value : n)))}>${names.map((n) => html`<option>${n}</option>`)}</select>`;
    // of a feature that was marked more than once, the first time
    const sides = of.map((name) => {
        const f = features.find((x) => x.feature === name);
        return { trace, title: name, ask: { trace, mark: f.marks > 1 ? name + '#1' : name, limit: CALLS_MAX } };
    });
    return html`<${Trees} name="feature-trees" title="Calls beside each other" sides=${sides} change=${change} tools=${[choose(0), choose(1)]} />`;
}
