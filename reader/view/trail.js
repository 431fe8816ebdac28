// trail.js - what was asked of a value: the chain of `why`, the last write, every value that it had.
import { html, Panel, place, State, useAnswer, Value } from './ui.js';

function question(q, seq) {
    if (q.kind === 'why') return ['why', { at: q.seq, limit: 40 }];
    if (q.kind === 'last-write') return ['last-write', { what: q.what, at: seq }];
    return ['history', { what: q.what, limit: 2000 }];
}

const TITLES = { why: 'Why', 'last-write': 'Last write of', history: 'Values of' };

export function Trail({ trace, q, go, close, seq }) {
    const [command, parameters] = question(q, q.at ?? seq);
    const answer = useAnswer(command, { trace, ...parameters });
    const title = TITLES[q.kind] + ' ' + (q.what ?? q.seq);
    const tools = html`<button class="link" aria-label="close" onClick=${close}>✕</button>`;
    return html`<${Panel} name="trail" title=${title} tools=${tools}>
        <${State} answer=${answer} empty="Nothing was recorded of it." />
        <ol class="trail ${q.kind}">${answer.rows.map((e) => html`<li key=${e.seq} data-seq=${e.seq}
            class=${e.seq === seq ? 'here' : ''}>
            <button onClick=${() => go(e.seq)}>
                <span class="seq">${e.seq}</span><span class="event">${e.event.toLowerCase()}</span>
                ${e.attr?.name && html`<b>${e.attr.name}</b>`} ${'value' in e && html`<${Value} v=${e.value} />`}
                <span class="dim">${place(e)}</span>
                ${e.because && html`<span class="because">${e.because}</span>`}
                ${e.end && html`<span class="tag">${e.end}</span>`}
            </button></li>`)}</ol>
    </${Panel}>`;
}
