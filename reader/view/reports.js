// reports.js - tables of the whole run: output, exceptions, time per method, how often lines ran, locks and deadlocks.
import { useMemo, useState } from 'preact/hooks';
import { html, nanoseconds, Panel, place, Rows, shortName, State, useAnswer, valueText } from './ui.js';
import { number } from './api.js';
import { Flame } from './flame.js';
import { heatOf, Lines } from './lines.js';
import { lockName, LockOrder } from './sync.js';

// columns: [name, title, (row) => what it shows, (row) => number to sort by]
function Table({ name, title, answer, columns, empty, onSelect, tools, sorted, isNow }) {
    const [by, setBy] = useState(sorted ?? null);
    const [at, setAt] = useState(-1);
    const rows = useMemo(() => {
        const column = columns.find(([key]) => key === by);
        return column?.[3] ? [...answer.rows].sort((a, b) => column[3](b) - column[3](a)) : answer.rows;
    }, [answer.rows, by]);
    return html`<${Panel} name=${name} title=${title} tools=${tools}>
        <div class="columns" role="row">${columns.map(([key, text, , key2]) => html`<button class="c-${key} ${by === key ? 'on' : ''}"
            disabled=${!key2} onClick=${() => setBy(key)}>${text}</button>`)}</div>
        <${State} answer=${answer} empty=${empty} />
        <${Rows} label=${title} count=${rows.length} selected=${at} onSelect=${setAt} onKey=${(e) => e.key === 'Enter' && rows[at] && onSelect?.(rows[at])}
            row=${(i, style) => html`<div key=${i} class="row ${i === at ? 'chosen' : ''} ${isNow?.(rows[i]) ? 'now' : ''}" style=${style} role="option" aria-selected=${i === at}
            onClick=${() => onSelect?.(rows[i])}>
            ${columns.map(([key, , show]) => html`<span class="c-${key}">${show(rows[i])}</span>`)}</div>`} />
    </${Panel}>`;
}

const method = (r) => html`<span title=${r.class + '.' + r.method + r.desc}><span class="dim">${shortName(r.class)}.</span>${r.method}</span>`;
const share = (r, greatest) => html`<span class="bar"><i style=${{ width: Math.min(100, greatest ? (100 * r) / greatest : 0) + '%' }}></i></span>`;

export function Exceptions({ trace, change }) {
    const answer = useAnswer('exceptions', { trace, limit: 5000 });
    return html`<main class="one"><${Table} name="exceptions" title="Exceptions" answer=${answer} empty="No exception was recorded."
        onSelect=${(r) => r.thrown !== undefined && change({ seq: r.thrown, view: 'run' })}
        columns=${[
            ['seq', 'thrown', (r) => r.thrown ?? '–', (r) => -(r.thrown ?? 0)],
            ['main', 'exception', (r) => html`<b>${shortName(r.type)}</b> <span class="v text">${r.message ?? ''}</span>`],
            ['place', 'at', (r) => (r.class ? place(r) : '')],
            ['end', 'end', (r) => (r.caught !== undefined ? html`caught at ${r.caught}${r.swallowed ? html` <span class="tag">swallowed</span>` : ''}`
                : r.uncaught ? html`<span class="bad">uncaught</span>` : '')],
        ]} /></main>`;
}

const OUTPUT_MAX = 20000; // lines that are asked for at once

// What the program wrote: a click goes to the call that wrote the line; the line of the moment is marked.
export function Output({ trace, seq, change }) {
    const [text, setText] = useState('');
    const answer = useAnswer('output', { trace, limit: OUTPUT_MAX, ...(text && { text }) });
    const now = useMemo(() => answer.rows.reduce((last, r) => (r.seq <= (seq ?? -1) ? r : last), null), [answer.rows, seq]);
    const find = html`<input aria-label="Text" placeholder="text" defaultValue=${text} onChange=${(e) => setText(e.target.value)} />`;
    return html`<main class="one"><${Table} name="output" title="Output" answer=${answer} tools=${find} empty="No such line."
        isNow=${(r) => r === now} onSelect=${(r) => change({ seq: r.seq, view: 'run' })}
        columns=${[
            ['seq', 'moment', (r) => r.seq],
            ['stream', 'stream', (r) => r.stream],
            ['main', 'text', (r) => html`<span class="v text ${r.stream === 'stderr' ? 'bad' : ''}">${r.text}</span>`],
            ['place', 'by', (r) => (r.class ? place(r) : 'code that is not recorded')],
        ]} /></main>`;
}

export function Methods({ trace, about }) {
    const answer = useAnswer('report', { trace, limit: 5000 });
    const most = Math.max(0, ...answer.rows.map((r) => number(r.self_ns) ?? 0));
    const time = (key) => [(r) => nanoseconds(r[key]), (r) => number(r[key]) ?? -1];
    return html`<main class="one ${about?.format === 'omni' ? 'flames-too' : ''}">${about?.format === 'omni' && html`<${Flame} trace=${trace} />`}<${Table} name="methods" title="Time of each method" answer=${answer} sorted="self"
        empty="No call was recorded."
        columns=${[
            ['main', 'method', method],
            ['count', 'calls', (r) => r.calls, (r) => r.calls],
            ['bar', '', (r) => share(number(r.self_ns) ?? 0, most)],
            ['self', 'self', ...time('self_ns')],
            ['total', 'total', ...time('total_ns')],
            ['max', 'max', ...time('max_ns')],
            ['exc', 'exceptions', (r) => r.exceptions || '', (r) => r.exceptions],
        ]} /></main>`;
}

const HEAT_MAX = 20000; // data IDs that are asked for at once

// The snapshots of logsave= and freeze=: what was counted and seen until then.
function Snapshots({ list, chosen, choose }) {
    return html`<select aria-label="Snapshot" value=${chosen ?? ''} onChange=${(e) => choose(e.target.value === '' ? undefined : Number(e.target.value))}>
        <option value="">at the end</option>
        ${list.map((s) => html`<option value=${s.number}>${s.number}: ${s.exception ? shortName(s.exception.type) + (s.exception.message ? ' ' + s.exception.message : '') : s.by}</option>`)}
    </select>`;
}

export function Heat({ trace, traces, about, change }) {
    const [glob, setGlob] = useState('');
    const [snapshot, setSnapshot] = useState(undefined);
    const snapshots = about?.snapshots ?? [];
    const [chosen, setChosen] = useState(null);
    const answer = useAnswer('freq', { trace, class: glob, limit: HEAT_MAX, snapshot });
    const lines = useMemo(() => heatOf(answer.rows), [answer.rows]);
    const most = Math.log1p(Math.max(0, ...lines.map((l) => l.count)));
    const name = chosen ?? lines.reduce((a, b) => (a && a.count >= b.count ? a : b), null)?.class;
    return html`<main class="one two"><${Table} name="heat" title="How often lines ran"
        tools=${html`${snapshots.length > 0 && html`<${Snapshots} list=${snapshots} chosen=${snapshot} choose=${setSnapshot} />`}${answer.rows.length === HEAT_MAX && html`<span class="dim">the first ${HEAT_MAX} data IDs</span>`}
            <input type="search" placeholder="class: a.b.*" aria-label="Class" onChange=${(e) => setGlob(e.target.value)} />`} answer=${{ ...answer, rows: lines }} sorted="count"
        empty="Nothing was counted." onSelect=${(r) => setChosen(r.class)}
        columns=${[
            ['main', 'line', (r) => html`<span class="dim">${shortName(r.class)}.</span>${r.method}<b>:${r.line}</b>`],
            ['bar', '', (r) => share(Math.log1p(r.count), most)],
            ['count', 'times', (r) => r.count, (r) => r.count],
        ]} />
        ${name && html`<${Lines} ...${{ trace, name, snapshot }} values=${['omni', 'latest'].includes(about?.format)} sources=${traces[0]?.sources} go=${(seq) => change({ seq, view: 'run' })} />`}</main>`;
}

export function Locks({ trace, change, commands }) {
    const locks = useAnswer('locks', commands.has('locks') ? { trace, limit: 2000 } : null);
    const dead = useAnswer('deadlocks', { trace });
    const threads = useAnswer('threads', { trace });
    return html`<main class="one two">
        ${commands.has('locks') && html`<${Table} name="locks" title="Locks" answer=${locks} sorted="wait"
            empty="No lock was taken."
            columns=${[
                ['main', 'lock', (r) => html`<span title=${r.type}>${lockName(r.lock)}</span>`],
                ['exc', 'entered', (r) => r.entered, (r) => r.entered],
                ['count', 'contended', (r) => r.contended ?? '–', (r) => number(r.contended) ?? -1],
                ['self', 'waited', (r) => nanoseconds(r.wait_ns), (r) => number(r.wait_ns) ?? -1],
                ['total', 'held', (r) => nanoseconds(r.hold_ns), (r) => number(r.hold_ns) ?? -1],
            ]} />`}
        ${commands.has('locks') && html`<${LockOrder} trace=${trace} change=${change} />`}
        <${Table} name="threads" title="Threads" answer=${threads} empty="There is no thread."
            onSelect=${(t) => t.last && change({ seq: t.last.seq, view: 'run' })}
            columns=${[
                ['seq', 'thread', (t) => t.thread, (t) => -t.thread],
                ['main', 'name', (t) => t.name],
                ['count', 'events', (t) => t.events, (t) => t.events],
                ['place', 'at the end', (t) => (t.stack?.[0] ? place(t.stack[0]) : '')],
                ['end', 'waits', (t) => (t.waits ? lockName(t.waits.object ?? t.waits) : '')],
            ]} />
        <${Panel} name="deadlocks" title="Deadlocks">
            <${State} answer=${dead} empty="No threads wait for each other's monitors; locks of java.util.concurrent are not known." />
            ${dead.rows.map((d) => html`<ul class="deadlock">${d.threads.map((t) => html`<li>
                <button onClick=${() => change({ seq: t.waits.since, view: 'run' })}><b>${t.name}</b> waits for${' '}
                    <span class="v ref">${lockName(t.waits.object ?? t.waits)}</span>, which <b>${d.threads.find((o) => o.thread === t.waits.owner)?.name ?? t.waits.owner}</b>${' '}
                    holds since ${t.waits.held}, at ${t.stack?.[0] ? place(t.stack[0]) : '?'}</button></li>`)}</ul>`)}
        </${Panel}>
    </main>`;
}
