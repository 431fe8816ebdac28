// lines.js - a class line by line, over the whole run: how often each line ran as heat, and the latest values that its
// instructions saw (`freq` and `latest`).
import { useMemo } from 'preact/hooks';
import { html, Panel, Rows, shortName, State, useAnswer, Value } from './ui.js';
import { missingSource, said } from './source.js';

const VALUES = 3; // of a data ID, the newest first
const NAMES_MAX = 4; // of a line

// How often each line ran: that is how often it began, or without events of LINE the greatest count of what it has.
export function heatOf(rows) {
    const lines = new Map();
    for (const r of rows) {
        if (r.line === undefined || r.event === 'METHOD_EXCEPTIONAL_EXIT') continue; // which stands on no line
        const key = [r.class, r.method, r.file, r.line].join(':');
        const known = lines.get(key) ?? { ...r, began: 0, most: 0 };
        if (r.event === 'LINE_NUMBER') known.began += r.count;
        known.most = Math.max(known.most, r.count);
        lines.set(key, known);
    }
    return [...lines.values()].map((l) => ({ ...l, count: l.began || l.most }));
}

// Of each line the names that it read or wrote with their latest values, newest first.
export function latestOf(rows) {
    const lines = new Map();
    for (const r of rows) {
        const values = (r.values ?? []).filter((v) => 'value' in v);
        const name = values.length > 0 && r.line !== undefined ? said({ ...r, value: values[0].value })?.[0] : undefined;
        if (name === undefined) continue;
        if (!lines.has(r.line)) lines.set(r.line, new Map());
        const of = lines.get(r.line);
        of.set(name, [...(of.get(name) ?? []), ...values].sort((a, b) => (b.seq ?? 0) - (a.seq ?? 0)).slice(0, VALUES));
    }
    return lines;
}

const fileOf = (name) => name.replace(/(?<=[^.])\$.*/, ''); // classes inside of others stand in the same file

export function Lines({ trace, sources, name: any, snapshot, values: kept, go }) {
    const name = fileOf(any);
    const file = useAnswer('source', sources ? { trace, class: name } : null);
    const freq = useAnswer('freq', { trace, class: name + '*', limit: 20000, snapshot });
    const latest = useAnswer('latest', kept ? { trace, class: name + '*', limit: 20000, snapshot } : null);
    const lines = useMemo(() => {
        const ran = new Map();
        const shown = file.rows[0]?.file;
        const own = (r) => fileOf(r.class) === name && (!r.file || !shown || r.file === shown);
        for (const l of heatOf(freq.rows.filter(own))) ran.set(l.line, (ran.get(l.line) ?? 0) + l.count);
        const values = latestOf(latest.rows.filter(own));
        const last = Math.max(0, file.rows.length, ...ran.keys());
        return Array.from({ length: last }, (_, i) => ({
            line: i + 1, text: file.rows[i]?.text ?? '', count: ran.get(i + 1), values: values.get(i + 1),
        })).filter((l) => file.rows.length > 0 || l.count !== undefined);
    }, [file.rows, freq.rows, latest.rows, name]);
    const most = Math.log1p(Math.max(0, ...lines.map((l) => l.count ?? 0)));
    const first = lines.findIndex((l) => l.count !== undefined);
    return html`<${Panel} name="lines" title=${shortName(name) + ', line by line'}>
        ${(!sources || file.error) && html`<p class="note">${missingSource(sources, { class: name }, file.error)}</p>`}
        ${latest.error && html`<p class="note">${latest.error}</p>`}
        <${State} answer=${freq} empty="Nothing of it ran." />
        <${Rows} key=${name} label="Lines" count=${lines.length} selected=${first} row=${(i, style) => {
            const l = lines[i];
            return html`<div key=${l.line} class="row line" data-line=${l.line} data-count=${l.count ?? ''} style=${{ ...style,
                '--heat': l.count ? (Math.log1p(l.count) / most) * 45 + '%' : '0%' }}>
                <span class="times">${l.count ?? ''}</span><span class="number">${l.line}</span><span class="code">${l.text}</span>
                ${l.values && [...l.values].slice(0, NAMES_MAX).map(([n, list]) => html`<button class="latest" disabled=${list[0].seq === undefined}
                    title=${'latest values of ' + n} onClick=${() => go(list[0].seq)}>${n} = ${list.map((v, k) => html`${k > 0 ? ', ' : ''}<${Value} v=${v.value} />`)}</button>`)}
            </div>`;
        }} />
    </${Panel}>`;
}
