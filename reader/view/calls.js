// calls.js - the list of calls of a thread: folded, opened call by call; the calls near the moment; and search.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ask } from './api.js';
import { html, Panel, place, Rows, shortName, State, useAnswer, Value, valueText } from './ui.js';

const CHILDREN_MAX = 500;

// The calls that a call made: those of depth 1 before the next of depth 0. Calls with equal values are one row; where
// that is too many rows, those that only differ in values are, too.
async function children(trace, thread, call, end) {
    for (const fold of ['equal', 'shape']) {
        const rows = await ask('tree', { trace, thread, from: call.seq, to: end, depth: 1, fold, limit: CHILDREN_MAX + 1 });
        const next = rows.findIndex((row, i) => i > 0 && row.depth === 0);
        const made = rows.slice(1, next < 0 ? undefined : next);
        if (made.length < CHILDREN_MAX || fold === 'shape') return made;
    }
    return [];
}

// Loops of several calls: [from, to, times] as indices into calls beside each other.
const repeats = (call) => (call.repeats ?? []).map((r) => `(${r.calls} calls) ×${r.times}`).join(' ');

export function CallText({ call }) {
    return html`<span class="callee">${call.this ? valueText(call.this) : shortName(call.class)}</span>.<b>${call.method}</b
        >(${call.arguments.map((a, i) => html`${i > 0 ? ', ' : ''}<${Value} v=${a} />`)})
        ${'result' in call && html`${' = '}<${Value} v=${call.result} />`}
        ${call.exception && html`<span class="bad">${' throws '}${valueText(call.exception)}</span>`}
        ${call.times > 1 && html` <span class="times">×${call.times}</span>`}
        ${call.repeats && html` <span class="times">${repeats(call)}</span>`}`;
}

// The last event of the entry of a call: behind its parameters.
export async function entered(trace, call) {
    const rows = await ask('print', { trace, thread: call.thread, from: call.seq, num: 1 + call.arguments.length });
    let at = call.seq;
    for (const e of rows.slice(1)) if (e.event === 'METHOD_PARAM') at = e.seq;
    return at;
}

// The calls that are open at the moment, outermost first: by their first events.
function useOpen(trace, seq) {
    const frames = useAnswer('locals', seq === null ? null : { trace, at: seq });
    return useMemo(() => frames.rows.map((f) => f.entered).filter((entered) => entered !== undefined).reverse(), [frames.rows]);
}

// The row of the innermost call that is open and listed; without one the last that began before the moment.
function rowHere(calls, opened, seq) {
    const at = calls.reduce((best, call, i) => (opened.includes(call.seq) ? i : best), -1);
    return at >= 0 ? at : calls.reduce((best, call, i) => (call.seq <= seq ? i : best), -1);
}

// The first call that is open at the moment and not listed, though what called it is opened: a folded row stands for it.
// Its place in the list, and its first event; null: there is none.
function foldedCall(rows, opened) {
    const listed = (entered) => rows.findIndex((r) => r.call.seq === entered);
    const at = opened.findIndex((entered) => listed(entered) < 0);
    const caller = at > 0 ? rows[listed(opened[at - 1])] : null;
    if (at < 0 || (caller && !caller.open)) return null;
    const depth = caller ? caller.depth + 1 : 0;
    const before = rows.reduce((best, r, i) => (r.call.seq < opened[at] && r.depth >= depth ? i : best), -1);
    return before < 0 ? null : { index: before + 1, entered: opened[at], depth };
}

// Calls are indented by their depth as far as it fits: beside deep ones, of which the first columns would be blank, by
// what they are deeper than some calls above the one that is looked at; then the depth stands there.
const LEVELS = 10;
function Indent({ depth, near, step }) {
    const base = Math.max(0, near - LEVELS);
    const levels = Math.max(0, Math.min(depth - base, 2 * LEVELS));
    return html`<span class="indent" style=${{ width: `min(${levels * step}px, 45%)` }}></span>
        ${base > 0 && html`<span class="depth" title="depth">${depth}</span>`}`;
}

function Tree({ trace, thread, seq, go }) {
    const equal = useAnswer('tree', { trace, thread, depth: 0, fold: 'equal', limit: CHILDREN_MAX });
    const shape = useAnswer('tree', equal.rows.length < CHILDREN_MAX ? null : { trace, thread, depth: 0, limit: CHILDREN_MAX });
    const roots = shape.rows.length > 0 ? shape : equal;
    const opened = useOpen(trace, seq);
    const [open, setOpen] = useState(new Map());
    const [selected, setSelected] = useState(-1);
    const listed = useMemo(() => {
        const list = [];
        const add = (calls, depth, end) =>
            calls.forEach((call, i) => {
                const stop = i + 1 < calls.length ? calls[i + 1].seq - 1 : end;
                const made = open.get(call.seq);
                list.push({ call, depth, end: stop, open: made !== undefined });
                if (made) add(made, depth + 1, stop);
            });
        add(roots.rows, 0, undefined);
        return list;
    }, [roots.rows, open]);
    const folded = useMemo(() => foldedCall(listed, opened), [listed, opened]);
    const own = useAnswer('tree', folded && { trace, thread, from: folded.entered, depth: 0, fold: 'none', limit: 1 }).rows[0];
    const rows = useMemo(() => {
        if (!folded || own?.seq !== folded.entered) return listed;
        const row = { call: own, depth: folded.depth, end: undefined, open: false, own: true };
        return [...listed.slice(0, folded.index), row, ...listed.slice(folded.index)];
    }, [listed, folded, own]);
    const toggle = async (row, want = !row.open) => {
        if (want === row.open || row.call.calls === 0 || row.own) return;
        const made = want ? await children(trace, thread, row.call, row.end).catch(() => []) : undefined;
        setOpen((before) => {
            const after = new Map(before);
            if (made) after.set(row.call.seq, made);
            else after.delete(row.call.seq);
            return after;
        });
    };
    useEffect(() => {
        setOpen(new Map());
    }, [trace, thread]);
    useEffect(() => {
        // the first level is open, so that there is something to see
        if (roots.rows.length > 0 && roots.rows.length < 20)
            roots.rows.slice(0, 1).forEach((call) => toggle({ call, open: false, end: roots.rows[1]?.seq - 1 || undefined }));
    }, [roots.rows]);
    const here = rowHere(rows.map((r) => r.call), opened, seq);
    const visit = async (i) => {
        setSelected(i);
        go(await entered(trace, rows[i].call));
    };
    const at = selected >= 0 && selected < rows.length ? selected : here;
    return html`<${State} answer=${roots} empty="No call: were events of EXEC recorded?" />
        <${Rows} label="Calls" count=${rows.length} selected=${at}
            onSelect=${setSelected}
            onKey=${(e) => {
                const row = rows[at];
                if (!row) return;
                if (e.key === 'ArrowRight' || e.key === 'ArrowLeft') {
                    e.preventDefault();
                    e.stopPropagation();
                    toggle(row, e.key === 'ArrowRight');
                } else if (e.key === 'Enter') visit(at);
            }}
            row=${(i, style) => {
                const r = rows[i];
                return html`<div key=${r.call.seq} class="row call ${i === here ? 'here' : ''} ${i === selected ? 'chosen' : ''} ${r.own ? 'own' : ''}"
                    style=${style} role="option" aria-selected=${i === at} data-seq=${r.call.seq} onClick=${() => visit(i)}>
                    <${Indent} depth=${r.depth} near=${rows[at]?.depth ?? 0} step=${12} />
                    <button class="fold" tabindex="-1" aria-label=${r.open ? 'close' : 'open'} onClick=${(e) => {
                        e.stopPropagation();
                        toggle(r);
                    }}>${r.call.calls > 0 && !r.own ? (r.open ? '▾' : '▸') : ''}</button>
                    <span class="text"><${CallText} call=${r.call} /></span><span class="seq">${r.call.seq}</span>
                </div>`;
            }} />`;
}

function Near({ trace, seq, go }) {
    const near = useAnswer('tree', { trace, at: seq, limit: 120 });
    const here = rowHere(near.rows, useOpen(trace, seq), seq);
    const least = near.rows.reduce((least, call) => Math.min(least, call.depth), Infinity);
    return html`<${State} answer=${near} empty="No call is open here." />
        <${Rows} label="Calls near the moment" count=${near.rows.length} selected=${here}
            onSelect=${async (i) => go(await entered(trace, near.rows[i]))}
            row=${(i, style) => {
                const call = near.rows[i];
                return html`<div key=${call.seq} class="row call ${i === here ? 'here' : ''}" style=${style} role="option"
                    aria-selected=${i === here} data-seq=${call.seq} onClick=${async () => go(await entered(trace, call))}>
                    <${Indent} depth=${call.depth - least} near=${near.rows[here] ? near.rows[here].depth - least : 0} step=${8} />
                    <span class="text"><${CallText} call=${call} /></span><span class="seq">${call.seq}</span>
                </div>`;
            }} />`;
}

const SEARCHES = {
    method: ['tree', (text) => ({ method: /[*?(]/.test(text) ? text : '*' + text + '*' })],
    value: ['print', (value) => ({ value })],
    text: ['print', (text) => ({ text })],
    line: ['print', (text) => {
        const [, name, line] = /^(?:(.*):)?(\d+)$/.exec(text.trim()) ?? [null, undefined, '-1'];
        return { class: name || undefined, where: 'line == ' + line, event: 'LINE_NUMBER' };
    }],
    condition: ['print', (where) => ({ where })],
};

function Found({ trace, search, seq, go }) {
    const [command, parameters] = SEARCHES[search.by];
    const found = useAnswer(command, { trace, limit: 500, ...parameters(search.text) });
    const here = found.rows.findIndex((r) => r.seq >= seq);
    return html`<${State} answer=${found} empty="Nothing is found." />
        <${Rows} label="Found" count=${found.rows.length} selected=${here}
            onSelect=${(i) => go(found.rows[i].seq)}
            row=${(i, style) => {
                const r = found.rows[i];
                return html`<div key=${r.seq} class="row call ${r.seq === seq ? 'here' : ''}" style=${style} role="option"
                    aria-selected=${i === here} data-seq=${r.seq} onClick=${() => go(r.seq)}>
                    <span class="text">${command === 'tree' ? html`<${CallText} call=${r} />`
                        : html`<span class="event">${r.event.toLowerCase()}</span> ${'value' in r && html`<${Value} v=${r.value} />`}
                            <span class="dim">${' '}${place(r)}</span>`}</span>
                    <span class="seq">${r.seq}</span>
                </div>`;
            }} />`;
}

export function Calls({ trace, thread, threads, seq, go, setThread }) {
    const [mode, setMode] = useState('tree');
    const [by, setBy] = useState('method');
    const [search, setSearch] = useState(null);
    const submit = (e) => {
        e.preventDefault();
        const text = new FormData(e.target).get('text');
        setSearch(text ? { by, text } : null);
        setMode(text ? 'found' : 'tree');
    };
    const tab = (name, title) => html`<button class=${mode === name ? 'on' : ''} aria-pressed=${mode === name}
        onClick=${() => setMode(name)}>${title}</button>`;
    const tools = html`<span class="tabs">${tab('tree', 'all')}${tab('near', 'near')}${search && tab('found', 'found')}</span>
        <select aria-label="Thread" value=${thread} onChange=${(e) => setThread(Number(e.target.value))}>
            ${threads.map((t) => html`<option value=${t.thread}>${t.thread} ${t.name}</option>`)}
        </select>`;
    return html`<${Panel} name="calls" title="Calls" tools=${tools}>
        <form class="search" onSubmit=${submit}>
            <select aria-label="Search by" value=${by} onChange=${(e) => setBy(e.target.value)}>
                ${Object.keys(SEARCHES).map((name) => html`<option>${name}</option>`)}
            </select>
            <input name="text" type="search" placeholder="search ( / )" aria-label="Search" />
        </form>
        ${mode === 'tree' && html`<${Tree} ...${{ trace, thread, seq, go }} />`}
        ${mode === 'near' && html`<${Near} ...${{ trace, seq, go }} />`}
        ${mode === 'found' && search && html`<${Found} key=${search.by + ' ' + search.text} ...${{ trace, search, seq, go }} />`}
    </${Panel}>`;
}
