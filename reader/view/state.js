// state.js - the state at the moment: the event, the stack with variables and monitors, objects as trees.
import { useEffect, useRef, useState } from 'preact/hooks';
import { html, isReference, Long, Panel, place, shortName, State, useAnswer, valueText } from './ui.js';

// An object's fields or elements, asked when it is opened.
export function Members({ trace, id, seq, depth, before, look }) {
    const answer = useAnswer('object', { trace, id, at: seq });
    const o = answer.rows[0];
    if (!o) return html`<${State} answer=${answer} empty="Nothing is known of it here." />`;
    const members = Object.entries(o.fields ?? o.elements ?? {});
    if (o.exception) members.push(['message', o.exception.message ?? null], ['cause', o.exception.cause ?? null]);
    return html`<div class="members">
        ${o.length !== undefined && html`<div class="member dim">length ${o.length}</div>`}
        ${members.map(([name, v]) => html`<${Variable} key=${name} name=${o.elements ? '[' + name + ']' : shortName(name)}
            v=${v} path=${id + '.' + name} within=${id + '.'} what=${o.elements ? id + '[' + name + ']' : id + '.' + name}
            ...${{ trace, seq, before, look, depth: depth + 1 }} />`)}
        ${members.length === 0 && !o.length && html`<div class="member dim">no known field</div>`}
    </div>`;
}

const DEPTH_MAX = 30;

// A name and its value; `before`: texts of values at the last stop, by path.
function Variable({ trace, name, v, path, within, what, seq, depth = 0, before, look }) {
    const [open, setOpen] = useState(false);
    const text = valueText(v);
    const id = isReference(v) ? v.id : undefined;
    // other than at the last stop; or it was not there, but what holds it was
    const changed = before.shown.has(path) ? before.shown.get(path) !== text : before.shown.has(within);
    before.now.set(within, '');
    before.now.set(path, text);
    const opens = isReference(v) && v.string === undefined && depth < DEPTH_MAX;
    return html`<div class="variable">
        <div class="member ${changed ? 'changed' : ''}" data-name=${name}>
            <button class="fold" aria-label=${'open ' + name} aria-expanded=${open} disabled=${!opens}
                onClick=${() => setOpen(!open)}>${opens ? (open ? '▾' : '▸') : ''}</button>
            <span class="name">${name}</span><span class="eq">=</span><${Long} ...${{ trace, v, seq }} />
            ${what && html`<button class="ask" title="last write" onClick=${() => look({ kind: 'last-write', what, id })}>↶</button>
                <button class="ask" title="every value" onClick=${() => look({ kind: 'history', what, id })}>≡</button>`}
        </div>
        ${open && html`<${Members} ...${{ trace, seq, depth, before, look }} id=${v.id} />`}
    </div>`;
}

function Frame({ trace, seq, frame, open, onOpen, before, look, inner }) {
    const key = frame.entered + ':';
    const method = shortName(frame.class) + '.' + frame.method;
    const row = (name, v, what) => html`<${Variable} key=${name} name=${name} v=${v} path=${key + name} within=${key} what=${what}
        ...${{ trace, seq, before, look }} />`;
    return html`<div class="frame ${open ? 'open' : ''}">
        <button class="head" aria-expanded=${open} onClick=${onOpen}>
            <span class="fold">${open ? '▾' : '▸'}</span>${place(frame)}
            ${frame.monitors && html`<span class="tag">${frame.monitors.length} locked</span>`}
        </button>
        ${open && html`<div class="variables">
            ${frame.this && row('this', frame.this)}
            ${Object.entries(frame.parameters ?? {}).map(([n, v]) => row(n, v, inner ? `${method}:${n}` : null))}
            ${Object.entries(frame.locals ?? {}).map(([n, v]) => row(n, v, inner ? `${method}:${n}` : null))}
            ${(frame.monitors ?? []).map((m) => html`<div class="member dim">holds ${valueText(m.object)}</div>`)}
        </div>`}
    </div>`;
}

// The value of an expression at the moment, in the scope of the frame that is open. The input keeps its text itself: an
// answer that comes while somebody types must not put the last one back.
function Evaluate({ trace, seq, frame }) {
    const [expression, setExpression] = useState('');
    const answer = useAnswer('eval', expression ? { trace, expression, at: seq, frame } : null);
    const x = answer.rows[0];
    return html`<div class="evaluate">
        <input aria-label="Expression" placeholder="expression: item.count * 2" onChange=${(e) => setExpression(e.target.value.trim())} />
        ${answer.error && html`<span class="bad">${answer.error}</span>`}
        ${x && !answer.loading && html`<span class="result">${x.throws ? html`<span class="bad">throws ${x.throws}</span>`
            : x.not_recorded ? html`<span class="dim">not recorded: ${x.not_recorded}</span>` : html`<${Long} ...${{ trace, v: x.value, seq }} />`}</span>`}
    </div>`;
}

export function Stack({ trace, seq, event, look }) {
    const frames = useAnswer('locals', { trace, at: seq });
    const [opened, setOpened] = useState(0);
    // the values of the stop before this one, and those of this one as they are shown
    const before = useRef({ shown: new Map(), now: new Map(), seq: null });
    if (before.current.seq !== seq) {
        before.current.shown = before.current.now;
        before.current.now = new Map(before.current.shown);
        before.current.seq = seq;
    }
    useEffect(() => setOpened(0), [seq]);
    return html`<${Panel} name="state" title="State">
        ${event && html`<div class="now" data-event=${event.event}>
            <span class="event">${event.event.toLowerCase()}</span>
            ${event.attr?.name && html`<b>${event.attr.name}</b>`}
            ${'value' in event && html`<${Long} ...${{ trace, v: event.value, seq }} />`}
            <button class="link" onClick=${() => look({ kind: 'why', seq })}>why?</button>
        </div>`}
        <${Evaluate} ...${{ trace, seq }} frame=${Math.max(opened, 0)} />
        <${State} answer=${frames} empty="No frame is open here." />
        ${frames.rows.map((frame, i) => html`<${Frame} key=${frame.entered + ' ' + i} open=${i === opened} inner=${i === 0}
            onOpen=${() => setOpened(i === opened ? -1 : i)} before=${before.current} ...${{ trace, seq, frame, look }} />`)}
    </${Panel}>`;
}
