// source.js - the method at the moment: its source, and behind each line the values that this call saw there.
//
// The editor stands in a shadow root, so that its styles are adopted sheets: the page's policy allows no style elements.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { java } from '@codemirror/lang-java';
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, lineNumbers, WidgetType } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { fileOf, html, isReference, lineOf, Panel, place, shortName, useAnswer, valueText } from './ui.js';

const EVENTS_MAX = 4000; // of one call that are looked at
const AROUND = 1500; // events on each side of the moment, in a call that has more

// What an event says about its line: [name, value], or nothing.
export function said(e) {
    const name = e.attr?.name;
    switch (e.event) {
        case 'METHOD_PARAM':
        case 'LOCAL_STORE':
        case 'LOCAL_INCREMENT':
        case 'PUT_INSTANCE_FIELD_VALUE':
        case 'PUT_STATIC_FIELD':
        case 'GET_INSTANCE_FIELD_RESULT':
        case 'GET_STATIC_FIELD':
        case 'LOCAL_LOAD':
            return name ? [name, e.value] : null;
        case 'METHOD_NORMAL_EXIT':
            return 'value' in e ? ['returns', e.value] : null;
        case 'METHOD_THROW':
            return ['throws', e.value];
        case 'CATCH':
            return ['catches', e.value];
        default:
            return null;
    }
}

// What an event reads or writes, as `history` and `last-write` name it; of a field that of all objects.
function named(e) {
    if (/^(LOCAL_|METHOD_PARAM)/.test(e.event)) return `${e.class}.${e.method}:${e.attr?.name}`;
    return /^(GET|PUT)_/.test(e.event) ? `${e.attr.owner?.replaceAll('/', '.')}.${e.attr.name}` : undefined;
}

// Of the events of a method in a thread, those of the call that is open at `seq`: recursive calls are passed over. If
// they begin in the middle of it (`whole` is false), an exit before the moment is that of a recursive call, and what
// came before it was, too.
function ofCall(rows, seq, whole) {
    let events = [];
    let depth = 0;
    for (const [i, e] of rows.entries()) {
        if (e.event === 'METHOD_ENTRY' && !(whole && i === 0)) depth++;
        if (depth === 0) events.push(e);
        if (e.event === 'METHOD_NORMAL_EXIT' || e.event === 'METHOD_EXCEPTIONAL_EXIT') {
            if (depth > 0) depth--;
            else if (e.seq < seq) events = [];
            else break;
        }
    }
    return events;
}

// Of each line: how often it began (`visits`, the seq of each), and the last values until the moment, or else the
// first ones behind it.
export function linesOf(events, seq, file) {
    const lines = new Map();
    for (const e of events) {
        const line = lineOf(e);
        if (line === undefined || fileOf(e) !== file) continue;
        if (!lines.has(line)) lines.set(line, { visits: [], values: new Map(), later: true });
        const l = lines.get(line);
        if (e.event === 'LINE_NUMBER') l.visits.push(e.seq);
        const v = said(e);
        if (e.seq > seq && !l.later) continue;
        if (e.seq <= seq) {
            if (l.later) l.values.clear();
            l.later = false;
        }
        if (v && (e.seq <= seq || !l.values.has(v[0]))) l.values.set(v[0], { value: v[1], seq: e.seq, what: named(e) });
    }
    return lines;
}

// The lines of a slice: how near to its moment, from 0, the moment itself, in layers that double.
export const LAYERS = 5;
const layerOf = (distance) => Math.min(LAYERS - 1, Math.ceil(Math.log2(distance + 1)));
export function litLines(slice, of) {
    const lit = new Map();
    for (const e of slice) {
        const line = lineOf(e);
        const same = of && fileOf(e) === of.file && (of.file || classFile(e.class) === classFile(of.class));
        if (line === undefined || !same) continue;
        lit.set(line, Math.min(lit.get(line) ?? LAYERS, layerOf(e.distance)));
    }
    return lit;
}
const classFile = (name) => name.replace(/(?<=[^.])\$.*/, ''); // classes inside of others stand in the same file
const NOTHING = []; // the same at each draw

class Values extends WidgetType {
    constructor(line, values, later, look) {
        super();
        Object.assign(this, { line, values, later, look });
        this.key = [...values].map(([n, v]) => n + v.seq).join() + later;
    }
    eq(other) {
        return other.key === this.key;
    }
    toDOM() {
        const box = document.createElement('span');
        box.className = 'values' + (this.later ? ' later' : '');
        for (const [name, v] of this.values) {
            const one = box.appendChild(document.createElement('button'));
            one.textContent = `${name} = ${valueText(v.value)}`;
            one.title = 'why? (event ' + v.seq + ')';
            const id = isReference(v.value) ? v.value.id : undefined;
            one.onclick = () => this.look({ kind: 'why', seq: v.seq, what: v.what, id });
        }
        return box;
    }
    ignoreEvent() {
        return true;
    }
}

const setMarks = StateEffect.define();
const marks = StateField.define({
    create: () => Decoration.none,
    update(now, change) {
        for (const e of change.effects) if (e.is(setMarks)) return e.value;
        return now.map(change.changes);
    },
    provide: (f) => EditorView.decorations.from(f),
});

const look = EditorView.theme({
    '&': { height: '100%', fontSize: '12px', color: 'var(--text)', backgroundColor: 'var(--panel)' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
    '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--dim)', border: 'none' },
    ...Object.fromEntries(Array.from({ length: LAYERS }, (_, i) => ['.lit-' + i, {
        backgroundColor: `color-mix(in srgb, var(--changed) ${100 - i * 20}%, transparent)`,
    }])),
    '.now': { backgroundColor: 'var(--here)' },
    '.ran': { boxShadow: 'inset 2px 0 var(--accent)' },
    '.values': { paddingLeft: '24px' },
    '.values button': {
        font: '11px var(--mono)', color: 'var(--value)', background: 'var(--head)', border: '0', borderRadius: '8px',
        padding: '0 7px', marginRight: '5px', cursor: 'pointer', maxWidth: '30em', overflow: 'hidden',
        textOverflow: 'ellipsis', verticalAlign: 'middle', whiteSpace: 'nowrap',
    },
    '.values.later button': { opacity: '.5' },
});
const colours = HighlightStyle.define([
    { tag: [tags.keyword, tags.modifier], color: 'var(--accent)' },
    { tag: [tags.string, tags.number, tags.bool, tags.null], color: 'var(--value)' },
    { tag: [tags.comment], color: 'var(--dim)', fontStyle: 'italic' },
    { tag: [tags.typeName, tags.className], color: 'var(--ref)' },
]);

function Editor({ text, lines, line, lit, ask }) {
    const box = useRef(null);
    const view = useRef(null);
    useEffect(() => {
        const root = box.current.shadowRoot ?? box.current.attachShadow({ mode: 'open' });
        view.current = new EditorView({
            root,
            parent: root,
            state: EditorState.create({
                doc: text,
                extensions: [
                    lineNumbers(), EditorState.readOnly.of(true), java(), syntaxHighlighting(colours),
                    syntaxHighlighting(defaultHighlightStyle, { fallback: true }), marks, look,
                    EditorView.contentAttributes.of({ 'aria-label': 'Source', tabindex: '0' }),
                ],
            }),
        });
        // the line of the moment stays in sight when another panel opens
        const watch = new ResizeObserver(() => {
            const doc = view.current.state.doc;
            const n = Number(box.current?.dataset.line);
            if (n >= 1 && n <= doc.lines)
                view.current.dispatch({ effects: EditorView.scrollIntoView(doc.line(n).from, { y: 'center' }) });
        });
        watch.observe(box.current);
        return () => {
            watch.disconnect();
            view.current.destroy();
        };
    }, [text]);
    useEffect(() => {
        const doc = view.current.state.doc;
        const list = [];
        for (let n = 1; n <= doc.lines; n++) {
            const at = lines.get(n);
            if (n !== line && !at && !lit.has(n)) continue;
            const l = doc.line(n);
            const near = lit.has(n) ? `lit lit-${lit.get(n)} ` : '';
            list.push(Decoration.line({ class: near + (at && !at.later ? 'ran ' : '') + (n === line ? 'now' : '') }).range(l.from));
            if (at && at.values.size > 0)
                list.push(Decoration.widget({ widget: new Values(n, at.values, at.later, ask), side: 1 }).range(l.to));
        }
        const effects = [setMarks.of(Decoration.set(list, true))];
        if (line >= 1 && line <= doc.lines) effects.push(EditorView.scrollIntoView(doc.line(line).from, { y: 'center' }));
        view.current.dispatch({ effects });
    }, [text, lines, line, lit]);
    return html`<div class="editor" ref=${box} data-line=${line}></div>`;
}

// Without the source: the lines of the method as they were recorded, numbered as in the file.
function recorded(places, file) {
    const lines = [];
    for (const p of places) {
        if (p.line === undefined || p.file !== file) continue;
        const what = /^(CALL|GET_|PUT_|NEW_OBJECT$|LOCAL_STORE)/.test(p.event) && p.attr?.name ? p.attr.name : null;
        const at = (lines[p.line] ??= new Set());
        if (what && p.event === 'CALL') at.add(shortName(p.attr.owner ?? '') + '.' + what + '()');
        else if (what && p.event === 'LOCAL_STORE') at.add(what + ' = …');
        else if (what && p.event.startsWith('PUT_')) at.add('.' + what + ' = …');
    }
    return Array.from(lines, (l) => (l ? '    ' + [...l].join('; ') : '')).slice(1).join('\n');
}

// What stands above lines that are not from the source.
export function missingSource(sources, of, error) {
    const what = !sources ? 'hindsight view --source PATH shows the source'
        : !error || /its source file is not in/.test(error) ? `The source of ${of.file ?? shortName(of.class)} is not in the folders of --source`
            : error;
    return what + ': these lines are as they were recorded.';
}

export function Source({ trace, seq, event, sources, slice, go, look: ask, watch }) {
    const frames = useAnswer('locals', { trace, at: seq });
    const [up, setUp] = useState(0); // how many frames out
    useEffect(() => setUp(0), [seq]);
    const frame = frames.rows[Math.min(up, frames.rows.length - 1)];
    const known = frame && frame.entered !== undefined;
    // the source of a line in another file than that of the class is asked for by its name
    const file = useAnswer('source', sources && frame ? { trace, class: frame.file ?? frame.class } : null);
    const method = frame && { trace, class: frame.class, method: frame.method + frame.desc };
    const bare = !sources || file.error;
    const places = useAnswer('dataids', bare && method ? method : null);
    const thread = event?.thread;
    const own = known && thread !== undefined ? { ...method, thread, limit: EVENTS_MAX } : null;
    const first = useAnswer('print', own && { ...own, from: frame.entered });
    // a call that had many events: also those around the moment
    const many = first.rows.length === EVENTS_MAX && first.rows[EVENTS_MAX - 1].seq < seq;
    const near = useAnswer('print', own && many ? { ...own, from: Math.max(frame.entered, seq - AROUND), to: seq + AROUND } : null);
    const events = many ? near : first;
    const lines = useMemo(() => linesOf(ofCall(events.rows, seq, !many), seq, frame?.file), [events.rows, seq, many, frame?.file]);
    const text = useMemo(() => {
        if (!bare) return file.rows.map((l) => l.text).join('\n');
        return recorded(places.rows, frame?.file);
    }, [bare, file.rows, places.rows, frame?.file]);
    const parts = useAnswer('slice', slice && { trace, ...slice });
    const rows = slice ? parts.rows : NOTHING;
    const lit = useMemo(() => litLines(rows, frame), [rows, frame?.file, frame?.class]);
    const visits = lines.get(frame?.line)?.visits ?? [];
    const visit = visits.filter((s) => s <= seq).length;
    const iterations = visits.length > 1 && html`<label class="iterations">line ${frame.line}, time ${visit} of ${visits.length}${many ? ' near here' : ''}
        <input type="range" min="1" max=${visits.length} value=${visit} aria-label="Iteration"
            onChange=${(e) => go(visits[Number(e.target.value) - 1])} /></label>`;
    const crumbs = frames.rows.slice(0, 12).map((f, i) => html`<button class=${i === up ? 'on' : ''}
        onClick=${() => setUp(i)}>${place(f)}</button>`).reverse();
    const tools = html`${iterations}${frame?.line !== undefined && html`<button class="link" title="print a text each time that execution comes to this line"
        onClick=${() => watch(`${frame.class}.${frame.method}:${frame.line}`)}>watch</button>`}`;
    return html`<${Panel} name="source" title=${frame ? shortName(frame.class) + '.' + frame.method : 'Source'} tools=${tools}>
        <nav class="crumbs" ref=${(e) => e && up === 0 && (e.scrollLeft = e.scrollWidth)} aria-label="Calls around">${crumbs}</nav>
        ${bare && frame && html`<p class="note">${missingSource(sources, frame, file.error)}</p>`}
        ${(many || first.rows.length === EVENTS_MAX) && html`<p class="note">Values of ${many ? 'the events near this moment' : `the first ${EVENTS_MAX} events of this call`}.</p>`}
        ${text && html`<${Editor} key=${(frame?.file ?? frame?.class) + bare} ...${{ text, lines, lit, ask }} line=${frame?.line ?? 0} />`}
    </${Panel}>`;
}
