// main.js - the page: what it shows stands in the address (#t=SEQ&trace=NAME&view=run), so that a link is a moment.
import { h, render } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ask } from './api.js';
import { Calls } from './calls.js';
import { Compare } from './compare.js';
import { Features } from './features.js';
import { MOVES } from './moves.js';
import { Resize } from './resize.js';
import { Player } from './player.js';
import { Exceptions, Heat, Locks, Methods, Output } from './reports.js';
import { Source } from './source.js';
import { Stack } from './state.js';
import { Races } from './sync.js';
import { Timeline } from './timeline.js';
import { questionFrom, questionText, sliceOf, Trail } from './trail.js';
import { count, html, useAnswer } from './ui.js';
import { Watch } from './watch.js';

const VIEWS = [
    ['run', 'Run', null],
    ['player', 'Player', Player],
    ['output', 'Output', Output],
    ['exceptions', 'Exceptions', Exceptions],
    ['methods', 'Methods', Methods],
    ['heat', 'Heat', Heat],
    ['locks', 'Locks', Locks],
    ['races', 'Races', Races],
    ['features', 'Features', Features],
    ['compare', 'Compare', Compare],
];
// What traces without a stream of events can answer, by their format; the first one is shown.
const WITHOUT_STREAM = { latest: ['heat', 'methods'], freq: ['heat', 'methods'], timing: ['methods'] };

function fromAddress() {
    const a = new URLSearchParams(location.hash.slice(1));
    const t = a.get('t');
    return {
        seq: t !== null && /^\d{1,15}$/.test(t) ? Number(t) : null,
        trace: a.get('trace'),
        view: VIEWS.some(([name]) => name === a.get('view')) ? a.get('view') : 'run',
        q: questionFrom(a.get('q')),
    };
}

function toAddress(at) {
    const a = new URLSearchParams();
    if (at.seq !== null) a.set('t', at.seq);
    if (at.trace) a.set('trace', at.trace);
    if (at.view !== 'run') a.set('view', at.view);
    else if (at.q) a.set('q', questionText(at.q));
    return '#' + a;
}

function useAddress() {
    const [at, setAt] = useState(fromAddress);
    useEffect(() => {
        const changed = () => setAt(fromAddress());
        addEventListener('hashchange', changed);
        return () => removeEventListener('hashchange', changed);
    }, []);
    const change = useCallback((part) => {
        const to = toAddress({ ...fromAddress(), ...part });
        if (to !== location.hash) location.hash = to;
    }, []);
    return [at, change];
}

function Run({ trace, threads, seq, q, change, go, sources, total, marked }) {
    const [chosen, setThread] = useState(null);
    const [note, setNote] = useState(null);
    const [watched, setWatched] = useState(null); // a place
    const event = useAnswer('print', seq !== null ? { trace, from: seq, num: 1 } : null).rows[0];
    const busy = threads.filter((t) => t.events > 0);
    const thread = chosen ?? event?.thread ?? busy[0]?.thread ?? 0;
    useEffect(() => setThread(null), [seq]);
    useEffect(() => {
        if (seq === null && busy.length > 0) ask('print', { trace, num: 1 }).then((rows) => rows[0] && go(rows[0].seq), () => {});
    }, [trace, seq, busy.length]);
    const move = async (step) => {
        setNote(null);
        try {
            const to = await step(trace, thread, fromAddress().seq ?? 0); // keys can be faster than the page
            if (to !== undefined) go(to);
            else setNote('There is no such event in this direction.');
        } catch (e) {
            setNote(e.message);
        }
    };
    useEffect(() => {
        const key = (e) => {
            if (e.ctrlKey || e.altKey || e.metaKey || /INPUT|SELECT|TEXTAREA/.test(e.target.tagName)) return;
            const found = MOVES.find(([k]) => k === e.key);
            if (found) {
                e.preventDefault();
                move(found[3]);
            } else if (e.key === '/') {
                e.preventDefault();
                document.querySelector('input[name=text]')?.focus();
            }
        };
        addEventListener('keydown', key);
        return () => removeEventListener('keydown', key);
    });
    const look = (what) => change({ q: { at: seq, ...what } });
    return html`<nav class="moves" aria-label="Steps">
            ${MOVES.map(([key, what, sign, step]) => html`<button title=${what + ' (' + key + ')'} aria-label=${what}
                onClick=${() => move(step)}>${sign}</button>`)}
            <form onSubmit=${(e) => {
                e.preventDefault();
                const text = new FormData(e.target).get('seq');
                if (/^\d+$/.test(text)) go(Number(text));
            }}><input name="seq" aria-label="Moment" inputmode="numeric" key=${seq} defaultValue=${seq ?? ''} size="12" /></form>
            ${event && html`<span class="dim">thread ${event.thread} ${threads.find((t) => t.thread === event.thread)?.name}</span>`}
            ${note && html`<span class="bad">${note}</span>`}
        </nav>
        ${total > 0 && html`<${Timeline} ...${{ trace, threads: busy, total, marked, seq, go }} thread=${event?.thread} />
            <${Resize} name="timeline" title="height of the timeline" />`}
        <main class="run">
            <${Calls} ...${{ trace, thread, threads: busy, seq, go, setThread }} />
            <${Resize} name="calls" title="width of the calls" />
            <div class="middle">
                ${seq !== null && html`<${Source} ...${{ trace, seq, event, sources, go, look }}
                    slice=${q?.kind === 'slice' ? sliceOf(q) : null} watch=${setWatched} />`}
                ${watched && html`<${Watch} key=${watched} ...${{ trace, seq, go }} place=${watched} close=${() => setWatched(null)} />`}
                ${q && html`<${Resize} name="trail" title="height of the question" /><${Trail} ...${{ trace, q, go, seq, look }} close=${() => change({ q: null })} />`}
            </div>
            ${seq !== null && html`<${Resize} name="state" title="width of the state" /><${Stack} ...${{ trace, seq, event, look }} />`}
        </main>`;
}

function App() {
    const [at, change] = useAddress();
    const [theme, setTheme] = useState(null);
    const traces = useAnswer('traces', {});
    const commands = new Set(useAnswer('', {}).rows.map((c) => c.command)); // that this build has
    const trace = at.trace ?? traces.rows[0]?.trace;
    const info = useAnswer('info', trace ? { trace } : null);
    const threads = useAnswer('threads', trace ? { trace } : null);
    const go = useCallback((seq) => change({ seq }), []);
    useEffect(() => {
        if (traces.rows.length === 2 && location.hash === '') change({ view: 'compare' }); // hindsight view A B
    }, [traces.rows]);
    useEffect(() => {
        if (theme) document.documentElement.dataset.theme = theme;
    }, [theme]);
    useEffect(() => {
        document.title = trace ? trace + ' – Hindsight' : 'Hindsight';
    }, [trace]);
    const about = info.rows[0];
    const dark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    const views = WITHOUT_STREAM[about?.format]?.map((name) => VIEWS.find((v) => v[0] === name)) ?? VIEWS;
    const view = views.find(([name]) => name === at.view) ?? views[0];
    const known = about || info.error; // which questions the trace can answer
    return html`<header class="top">
            <h1>hindsight</h1>
            <select aria-label="Trace" value=${trace} onChange=${(e) => change({ trace: e.target.value, seq: null, q: null })}>
                ${traces.rows.map((t) => html`<option value=${t.trace}>${t.trace}</option>`)}
            </select>
            <nav class="views" aria-label="Views">${views.map(([name, title]) => html`<button class=${view[0] === name ? 'on' : ''}
                aria-current=${view[0] === name ? 'page' : null} onClick=${() => change({ view: name })}>${title}</button>`)}</nav>
            <span class="about dim">${about && html`${count(about.events)} events · ${about.format} · ${about.end ?? 'recording'}`}</span>
            <button class="link" aria-label="light or dark" onClick=${() => setTheme(dark ? 'light' : 'dark')}>◐</button>
        </header>
        ${info.rows.incomplete && html`<p class="banner" role="status">incomplete: ${info.rows.incomplete}</p>`}
        ${(traces.error || info.error) && html`<p class="banner bad" role="alert">${traces.error || info.error}</p>`}
        ${trace && known && (view[2] ? h(view[2], { trace, commands, about, traces: traces.rows, threads: threads.rows, seq: at.seq, change })
            : html`<${Run} ...${{ trace, go, change, q: at.q, threads: threads.rows, seq: at.seq, sources: traces.rows[0]?.sources, total: about?.events ?? 0,
                marked: about?.marks > 0 }} key=${trace} />`)}
        ${!trace && !traces.loading && html`<p class="state">No trace is served here.</p>`}`;
}

render(html`<${App} />`, document.getElementById('app'));
