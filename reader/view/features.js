// features.js - marked intervals: which methods they share, how similar they are, and the JVMs that run, which can be
// made to record, to mark and to stop. Whatever changes a JVM asks first.
import { useEffect, useState } from 'preact/hooks';
import { forget, liveAddress, parse, post } from './api.js';
import { Affinity, FeatureTrees, Instances } from './shared.js';
import { Signals } from './signals.js';
import { count, html, Panel, State, useAnswer } from './ui.js';

function Matrix({ names, rows }) {
    const of = new Map();
    for (const r of rows) {
        const v = typeof r.similarity === 'object' ? Number(r.similarity.n) : r.similarity;
        of.set(r.a + '\n' + r.b, v).set(r.b + '\n' + r.a, v);
    }
    const cell = (a, b) => (a === b ? 1 : of.get(a + '\n' + b));
    return html`<table class="matrix"><thead><tr><th></th>${names.map((n) => html`<th scope="col">${n}</th>`)}</tr></thead>
        <tbody>${names.map((a) => html`<tr><th scope="row">${a}</th>${names.map((b) => {
            const v = cell(a, b);
            return html`<td style=${{ '--share': (v ?? 0) * 60 + '%' }} title=${a + ' and ' + b}>${v === undefined ? '' : v.toFixed(2)}</td>`;
        })}</tr>`)}</tbody></table>`;
}

export function Features({ trace, change }) {
    const features = useAnswer('features', { trace });
    // each reads all events: one after the other
    const asked = !features.loading && features.rows.length > 0;
    const affinity = useAnswer('features', asked && { trace, affinity: 'true', limit: 2000 });
    const similarity = useAnswer('features', asked && !affinity.loading ? { trace, similarity: 'true' } : null);
    const instances = useAnswer('features', asked && !affinity.loading && !similarity.loading ? { trace, instances: 'true', limit: 500 } : null);
    const names = [...new Set(features.rows.map((f) => f.feature))];
    return html`<main class="one two features">
        <${Panel} name="features" title="Features">
            <${State} answer=${features} empty="There is no mark: hindsight mark NAME, or the JVMs beside." />
            <ul class="list">${features.rows.map((f) => html`<li key=${f.feature}>
                <button onClick=${() => change({ seq: f.first, view: 'run' })}><b>${f.feature}</b>
                <span class="dim">${f.methods?.length ?? 0} methods, ${count(f.calls)} calls, ${count(f.first)} – ${count(f.last)}</span></button></li>`)}</ul>
            ${names.length > 1 && html`<h3>Similarity</h3><${Matrix} names=${names} rows=${similarity.rows} />`}
        </${Panel}>
        <${Live} trace=${trace} />
        ${names.length > 0 && html`<${Signals} trace=${trace} change=${change} /><${Instances} answer=${instances} names=${names} />
            <${Affinity} answer=${affinity} names=${names} /><${FeatureTrees} ...${{ trace, change }} features=${features.rows} />`}
    </main>`;
}

// The JVMs as the server lists them, once a second.
function useJvms() {
    const [jvms, setJvms] = useState({ rows: [], loading: true });
    useEffect(() => {
        let socket, wait, over = false;
        const connect = () => {
            socket = new WebSocket(liveAddress());
            socket.onmessage = (e) => setJvms({ rows: parse(e.data) });
            socket.onclose = () => {
                if (over) return;
                setJvms((before) => ({ ...before, error: 'the server has ended, or does not answer' }));
                wait = setTimeout(connect, 3000);
            };
        };
        connect();
        return () => {
            over = true;
            clearTimeout(wait);
            socket.close();
        };
    }, []);
    return jvms;
}

// [command, title, what is asked before, does it take a name?]
const ACTS = {
    recorded: [
        ['start', 'start', 'Start recording in', false],
        ['stop', 'stop', 'Stop recording in', false],
        ['mark', 'mark', 'Begin a mark in', true],
        ['unmark', 'unmark', 'End the mark in', true],
        ['snapshot', 'snapshot', 'Store what is recorded so far of', false],
    ],
    other: [['attach', 'attach', 'Load the agent into, and record every event of,', false]],
};

function Live({ trace }) {
    const jvms = useJvms();
    const [asked, setAsked] = useState(null);
    const [said, setSaid] = useState(null);
    const act = async (e) => {
        e.preventDefault();
        const name = new FormData(e.target).get('name') || undefined;
        const { jvm, command } = asked;
        setAsked(null);
        try {
            await post(command, { trace: jvm.pid, name, ...(command === 'attach' ? { options: 'format=omni' } : {}) });
            setSaid({ text: `${command}: done` });
            forget();
        } catch (error) {
            setSaid({ text: `${command}: ${error.message}`, bad: true });
        }
    };
    return html`<${Panel} name="live" title="Running JVMs">
        ${said && html`<p class="banner ${said.bad ? 'bad' : ''}" role="status">${said.text}</p>`}
        ${asked && html`<form class="ask-first" role="dialog" aria-label="Are you sure?" onSubmit=${act}>
            <p>${asked.what} process ${asked.jvm.pid}?</p><p class="dim mono">${asked.jvm.command}</p>
            ${asked.named && html`<input name="name" aria-label="Name" placeholder="name" required=${asked.command === 'mark'} autofocus />`}
            <button class="solid">${asked.command}</button> <button type="button" onClick=${() => setAsked(null)}>cancel</button>
        </form>`}
        <${State} answer=${jvms} empty="No JVM of this user runs." />
        <ul class="list">${jvms.rows.map((j) => html`<li key=${j.pid} class="jvm" data-pid=${j.pid}>
            <div><b>${j.pid}</b> <span class="mono dim">${j.command}</span></div>
            <div>${j.status ? html`<span class="tag">${j.status.recording ? 'recording' : 'not recording'}</span>
                ${count(j.status.events)} events ${(j.status.marks ?? []).map((m) => html`<span class="tag">${m}</span> `)}` : ''}
            ${(j.trace ? ACTS.recorded : ACTS.other).map(([command, title, what, named]) => html`<button class="link"
                onClick=${() => setAsked({ jvm: j, command, what, named })}>${title}</button>`)}</div>
        </li>`)}</ul>
    </${Panel}>`;
}
