// ui.js - what all panels share: html, asking inside of components, lists of any length, names and values.
import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import htm from 'htm';
import { ask, digits, isNumber, number } from './api.js';

export const html = htm.bind(h);

// { rows, error, loading } of a question; `parameters` null: there is none.
export function useAnswer(command, parameters) {
    const key = parameters ? command + JSON.stringify(parameters) : null;
    const [answer, setAnswer] = useState({ key: null });
    useEffect(() => {
        if (key === null) return undefined;
        let gone = false;
        ask(command, parameters).then(
            (rows) => !gone && setAnswer({ key, rows }),
            (error) => !gone && setAnswer({ key, error: error.message, rows: [] }),
        );
        return () => {
            gone = true;
        };
    }, [key]);
    if (key === null) return { rows: [] };
    // while the next answer is on its way the one before stays, so that a step does not flicker
    const rows = answer.key?.split('{')[0] === command ? answer.rows : undefined;
    return { rows: rows ?? [], error: answer.key === key ? answer.error : null, loading: answer.key !== key };
}

// What keys do while a component is shown. It is set when the page is drawn, not after it: a key that comes then acts on
// what is seen. Space is left to a button that has the focus.
export function useKeys(keys) {
    useLayoutEffect(() => {
        const key = (e) => {
            const place = e.key === ' ' ? /INPUT|SELECT|TEXTAREA|BUTTON/ : /INPUT|SELECT|TEXTAREA/;
            if (e.ctrlKey || e.altKey || e.metaKey || place.test(e.target.tagName) || !keys[e.key]) return;
            e.preventDefault();
            keys[e.key]();
        };
        addEventListener('keydown', key);
        return () => removeEventListener('keydown', key);
    });
}

export function State({ answer, empty }) {
    if (answer.error) return html`<p class="state bad">${answer.error}</p>`;
    if (answer.loading) return html`<p class="state">loading …</p>`;
    return answer.rows.length === 0 ? html`<p class="state">${empty}</p>` : null;
}

export function Panel({ title, tools, children, name }) {
    return html`<section class="panel" data-panel=${name} aria-label=${title}>
        <header><h2>${title}</h2>${tools}</header>
        <div class="body">${children}</div>
    </section>`;
}

const ROW = 22;

// Rows of one height, of which only those on the screen exist. `selected`: the index that is kept visible.
export function Rows({ count, row, selected = -1, onSelect, onKey, label }) {
    const box = useRef(null);
    const [top, setTop] = useState(0);
    const [height, setHeight] = useState(600);
    useLayoutEffect(() => {
        const watch = new ResizeObserver(() => box.current && setHeight(box.current.clientHeight));
        watch.observe(box.current);
        return () => watch.disconnect();
    }, []);
    useLayoutEffect(() => {
        const b = box.current;
        if (selected < 0 || selected >= count) return;
        if (selected * ROW < b.scrollTop) b.scrollTop = selected * ROW - ROW;
        else if ((selected + 1) * ROW > b.scrollTop + b.clientHeight) b.scrollTop = (selected + 2) * ROW - b.clientHeight;
    }, [selected, count]);
    const key = (e) => {
        const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -count, End: count }[e.key];
        if (move !== undefined && onSelect) {
            e.preventDefault();
            e.stopPropagation();
            onSelect(Math.max(0, Math.min(count - 1, selected + move)), e);
        } else if (onKey) onKey(e);
    };
    const first = Math.max(0, Math.floor(top / ROW) - 5);
    const last = Math.min(count, Math.ceil((top + height) / ROW) + 5);
    const shown = [];
    for (let i = first; i < last; i++) shown.push(row(i, { top: i * ROW + 'px' }));
    return html`<div class="rows" ref=${box} tabindex="0" role="listbox" aria-label=${label} data-count=${count} onKeyDown=${key}
        onScroll=${(e) => setTop(e.currentTarget.scrollTop)}>
        <div style=${{ height: count * ROW + 'px' }}>${shown}</div>
    </div>`;
}

export const shortName = (name) => (name ?? '?').replace(/^(?:[^.]*\.)*(?=[^.])/, '');
// "a.b.C$D[]" as "C$D[]"
export const shortType = (type) => shortName(type);
/* Where an event stands: an exit by an exception at the line that threw. */
export const lineOf = (e) => (e.thrown_at ?? e).line;
// The name of the file of its line, where its class names one (inlined functions, JSP).
export const fileOf = (e) => (e.thrown_at ?? e).file;
const lineText = (e) => (fileOf(e) ? ':' + fileOf(e).replace(/.*\//, '') : '') + ':' + lineOf(e);
export const place = (e) => shortName(e.class) + '.' + e.method + (lineOf(e) !== undefined ? lineText(e) : '');
export const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ' ');

const STRING_SHOWN = 60;
const shortened = (text) => (text.length > STRING_SHOWN ? text.slice(0, STRING_SHOWN) + '…' : text);

// A value as the command shows it: 2, "pen 12"#16, Item#19, BigDecimal#7 1.50.
export function valueText(v) {
    if (v === undefined) return '';
    if (v === null || typeof v === 'boolean' || typeof v === 'string') return String(v);
    if (isNumber(v)) return digits(v);
    if (v.redacted) return '(redacted)';
    if (v.string !== undefined) {
        const text = v.string.length > STRING_SHOWN ? v.string.slice(0, STRING_SHOWN) : v.string;
        return JSON.stringify(text) + (v.cut || text !== v.string ? '…' : '') + '#' + v.id;
    }
    return shortType(v.type) + '#' + v.id + (v.value !== undefined ? ' ' + shortened(valueText(v.value)) : '');
}
export const isReference = (v) => v !== null && typeof v === 'object' && v.id !== undefined;

export function Value({ v }) {
    const kind = isReference(v) ? (v.string !== undefined ? 'text' : 'ref') : 'plain';
    return html`<span class="v ${kind}" title=${isReference(v) ? v.string ?? (typeof v.value === 'string' ? v.value : v.type) : ''}>${valueText(v)}</span>`;
}

// A value that is shortened is shown whole by a click, or Enter: all that was recorded of a string.
export function Long({ trace, v, seq }) {
    const [whole, setWhole] = useState(false);
    const text = isReference(v) ? v.string ?? (typeof v.value === 'string' ? v.value : undefined) : undefined;
    const long = text !== undefined && (v.cut || text.length > STRING_SHOWN || /[\n\r\t]/.test(text));
    const all = useAnswer('object', whole && v.cut ? { trace, id: v.id, at: seq } : null).rows[0];
    if (!long) return html`<${Value} v=${v} />`;
    const turn = () => setWhole(!whole);
    return html`<span class="v ${v.string !== undefined ? 'text' : 'ref'} ${whole ? 'whole' : 'long'}" role="button" tabindex="0" aria-expanded=${whole}
        title=${whole ? 'shorten' : 'show all of it'} onClick=${turn}
        onKeyDown=${(e) => e.key === 'Enter' && turn()}>${whole ? all?.string ?? text : valueText(v)}</span>`;
}

export function nanoseconds(n) {
    const v = number(n);
    if (v === undefined) return '–';
    if (v < 1e3) return v + ' ns';
    if (v < 1e6) return (v / 1e3).toFixed(1) + ' µs';
    if (v < 1e9) return (v / 1e6).toFixed(1) + ' ms';
    return (v / 1e9).toFixed(2) + ' s';
}
