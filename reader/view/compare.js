// compare.js - two runs: where they first differ, in calls, values and coverage (`hindsight diff`).
import { useState } from 'preact/hooks';
import { html, Panel, place, State, useAnswer, Value } from './ui.js';

function Side({ e, trace, change }) {
    if (!e) return html`<td class="dim">–</td>`;
    return html`<td><button onClick=${() => e.seq !== undefined && change({ trace, seq: e.seq, view: 'run' })}>
        ${e.seq !== undefined && html`<span class="seq">${e.seq}</span>`} <span class="event">${e.event?.toLowerCase()}</span>
        ${e.class && place(e)} ${'value' in e && html`<${Value} v=${e.value} />`}</button></td>`;
}

export function Compare({ trace, traces, change, commands }) {
    const others = traces.filter((t) => t.trace !== trace);
    const [other, setOther] = useState(null);
    const chosen = other ?? others[0]?.trace;
    const answer = useAnswer('diff', chosen && commands.has('diff') ? { trace, other: chosen, limit: 500 } : null);
    if (!chosen) return html`<main class="one"><p class="state">There is one trace only: hindsight view A B compares two.</p></main>`;
    if (!commands.has('diff')) return html`<main class="one"><p class="state">This build has no hindsight diff.</p></main>`;
    const tools = html`<label class="dim">${trace} with <select aria-label="The other trace" value=${chosen}
        onChange=${(e) => setOther(e.target.value)}>${others.map((t) => html`<option>${t.trace}</option>`)}</select></label>`;
    return html`<main class="one"><${Panel} name="compare" title="Two runs" tools=${tools}>
        <${State} answer=${answer} empty="They do not differ." />
        ${answer.rows.length > 0 && html`<table class="diff"><thead><tr><th>kind</th><th>${trace}</th><th>${chosen}</th></tr></thead>
            <tbody>${answer.rows.map((d) => html`<tr><td>${d.kind}</td><${Side} e=${d.a} trace=${trace} change=${change} />
                <${Side} e=${d.b} trace=${chosen} change=${change} /></tr>`)}</tbody></table>`}
    </${Panel}></main>`;
}
