// watch.js - what the program would have printed at a line, each time that it came there; a click goes to that moment.
import { useState } from 'preact/hooks';
import { html, Panel, Rows, State, useAnswer } from './ui.js';

const WATCH_MAX = 20000; // rows that are asked for at once

export function Watch({ trace, seq, place: first, go, close }) {
    const [asked, setAsked] = useState(null);
    const answer = useAnswer('watch', asked && { trace, ...asked, limit: WATCH_MAX });
    const now = answer.rows.reduce((last, r, i) => (r.seq <= seq ? i : last), -1);
    const submit = (e) => {
        e.preventDefault();
        const form = new FormData(e.target);
        setAsked({ place: form.get('place').trim(), text: form.get('text') });
    };
    const tools = html`${answer.rows.length === WATCH_MAX && html`<span class="dim">the first ${WATCH_MAX}</span>`}
        <button class="link" aria-label="close the watch" onClick=${close}>✕</button>`;
    return html`<${Panel} name="watch" title="Watch" tools=${tools}>
        <form class="watch" onSubmit=${submit}>
            <input name="place" aria-label="Place" defaultValue=${first} />
            <input name="text" aria-label="Watched text" placeholder="text {expression}" autofocus />
            <button>print</button>
        </form>
        ${asked && html`<${State} answer=${answer} empty="Execution did not come there." />`}
        <${Rows} label="Watched" count=${answer.rows.length} selected=${now} row=${(i, style) => html`<div key=${i} class="row ${i === now ? 'now' : ''}" style=${style}
            role="option" aria-selected=${i === now} onClick=${() => go(answer.rows[i].seq)}><span class="c-seq">${answer.rows[i].seq}</span>
            <span class="c-main v text">${answer.rows[i].text}</span></div>`} />
    </${Panel}>`;
}
