// player.js - the call graph of the run, on which a thread is played forwards and back, and the list of calls beside it.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { graphOf, laidOut, nodeOf, opened, packageOf, pathOf } from './callgraph.js';
import { Calls } from './calls.js';
import { Playback } from './playback.js';
import { count, html, Panel, shortName, State, useAnswer, useKeys } from './ui.js';

const SPEEDS = [1, 2, 5, 20, 100, 500, 2000]; // steps a second
const PICTURES = 25; // a second

// Is the method shown by this node, or inside of it?
const inside = (m, id) => id === 'p ' + packageOf(m.class) || id === 'c ' + m.class || id === 'm ' + m.class + '.' + m.method + m.desc;

// The edges that touch what is looked at; null: all.
const touching = (edges, only) => (only ? edges.filter((e) => inside(e, only) || (e.caller && inside(e.caller, only))) : edges);

// Steps while `playing` is 1 or -1; `shown` is called behind each picture, `stopped` at the end of the run.
function usePlaying(playback, playing, speed, shown, stopped) {
    useEffect(() => {
        if (playing === 0 || !playback) return undefined;
        let gone = false;
        const wait = 1000 / Math.min(speed, PICTURES);
        (async () => {
            while (!gone) {
                const begun = performance.now();
                let more = true;
                for (let i = 0; more && !gone && i < Math.max(1, speed / PICTURES); i++)
                    more = await (playing > 0 ? playback.forward() : playback.back());
                if (gone) return;
                shown();
                if (!more) return void stopped();
                await new Promise((done) => setTimeout(done, Math.max(0, wait - (performance.now() - begun))));
            }
        })().catch(stopped);
        return () => {
            gone = true;
        };
    }, [playback, playing, speed]);
}

// `zoom` 1: as large as the panel is wide, if it can be read then.
function Graph({ graph, active, top, selected, select, open, zoom }) {
    const on = new Map(active.map((id, i) => [id, i]));
    const links = new Set(active.slice(1).map((id, i) => active[i] + '\n' + id));
    const box = useRef(null);
    const [width, setWidth] = useState(800);
    useLayoutEffect(() => {
        const watch = new ResizeObserver(() => box.current && setWidth(box.current.clientWidth));
        watch.observe(box.current);
        return () => watch.disconnect();
    }, []);
    const scale = zoom * Math.min(1, Math.max(0.6, (width - 20) / graph.width));
    useEffect(() => {
        box.current?.querySelector('.node.top')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }, [top, graph, scale]);
    return html`<div class="callgraph" ref=${box}><svg viewBox="0 0 ${graph.width} ${graph.height}" role="img" aria-label="call graph"
        width=${graph.width * scale} height=${graph.height * scale} data-nodes=${graph.nodes.length} data-links=${graph.links.length}>
        ${graph.links.map((l) => html`<path key=${l.from + '\n' + l.to} class=${links.has(l.from + '\n' + l.to) ? 'on' : ''}
            data-from=${l.from} data-to=${l.to} d=${pathOf(l.points)} stroke-width=${1 + Math.min(3, Math.log10(l.calls + 1) / 2)}>
            <title>${count(l.calls)} calls</title></path>`)}
        ${graph.nodes.map((n) => html`<g key=${n.id} data-id=${n.id} tabindex="0" role="button"
            class="node ${n.kind} ${on.has(n.id) ? 'on' : ''} ${n.id === top ? 'top' : ''} ${n.id === selected ? 'chosen' : ''}"
            transform="translate(${n.x - n.width / 2} ${n.y - n.height / 2})"
            onClick=${() => select(n.id)} onDblClick=${() => open(n.id)}
            onKeyDown=${(e) => e.key === 'Enter' && (e.ctrlKey ? open(n.id) : select(n.id))}>
            <rect width=${n.width} height=${n.height} rx=${n.kind === 'method' ? 4 : 12} />
            <text x="8" y="19">${n.text}</text>
            <title>${n.id.slice(2)}: ${count(n.calls)} calls, ${n.methods.size} methods</title>
        </g>`)}</svg></div>`;
}

const nameOf = (id) => (id.startsWith('p ') ? id.slice(2) || '(no package)' : shortName(id.slice(2).replace(/\(.*/, '')));

// The graph and what is done with it: opening packages and classes, looking at one thing only.
function useGraph(trace) {
    const answer = useAnswer('report', { trace, callers: '*' });
    const [chosen, setOpen] = useState(null);
    const [only, setOnly] = useState(null);
    const [selected, select] = useState(null);
    const open = useMemo(() => chosen ?? opened(answer.rows), [chosen, answer.rows]);
    const graph = useMemo(() => laidOut(graphOf(touching(answer.rows, only), open)), [answer.rows, only, open]);
    const change = (act) => {
        const after = new Set(open);
        act(after);
        setOpen(after);
    };
    const look = (id) => { // double click: a package or class is opened, what is a method already is looked at
        if (id.startsWith('m ')) setOnly(only === id ? null : id);
        else change((ids) => ids.add(id));
    };
    const close = (id) => {
        const m = answer.rows.flatMap((e) => (e.caller ? [e, e.caller] : [e])).find((x) => inside(x, id));
        if (!m) return;
        change((ids) => (id.startsWith('m ') ? ids.delete('c ' + m.class) : ids.delete('p ' + packageOf(m.class))));
        select(null);
    };
    const into = (id) => {
        change((ids) => ids.add(id));
        setOnly(id);
    };
    const everything = () => {
        setOnly(null);
        setOpen(null);
    };
    return { answer, open, only, selected, select, graph, look, close, into, everything };
}

const SETTLED = 150; // ms behind the last step, when the address follows

// The address follows the player, and the player the address, unless it has moved since.
function usePlayback(trace, thread, seq, change) {
    const playback = useMemo(() => new Playback(trace, thread), [trace, thread]);
    const [now, setNow] = useState(null);
    const follows = useRef(null);
    const show = () => setNow(playback.now);
    const moved = () => {
        show();
        clearTimeout(follows.current);
        follows.current = setTimeout(() => {
            follows.current = null;
            if (playback.now?.seq >= 0) change({ seq: playback.now.seq });
        }, SETTLED);
    };
    useEffect(() => () => clearTimeout(follows.current), []);
    useEffect(() => {
        if (follows.current !== null || (playback.now && playback.now.seq === seq)) return;
        playback.seek(seq).then(show);
    }, [playback, seq]);
    const go = (to) => {
        clearTimeout(follows.current);
        follows.current = null;
        change({ seq: to });
    };
    return { playback, now, show, moved, go };
}

export function Player({ trace, threads, seq, change }) {
    const busy = threads.filter((t) => t.events > 0);
    const event = useAnswer('print', seq !== null ? { trace, from: seq, num: 1 } : null).rows[0];
    const [chosen, setThread] = useState(null);
    const thread = chosen ?? event?.thread ?? busy[0]?.thread ?? 0;
    const g = useGraph(trace);
    const { playback, now, show, moved, go } = usePlayback(trace, thread, seq, change);
    const steps = useRef(Promise.resolve()); // one after the other, however fast the keys are
    const [playing, play] = useState(0);
    const [speed, setSpeed] = useState(5);
    const [zoom, setZoom] = useState(1);
    const stop = () => {
        play(0);
        moved();
    };
    usePlaying(playback, playing, speed, show, stop);
    const step = (back) => {
        play(0);
        steps.current = steps.current.then(() => (back ? playback.back() : playback.forward())).then(moved, () => {});
    };
    useKeys({
        ' ': () => (playing ? stop() : play(1)), b: () => (playing ? stop() : play(-1)),
        '.': () => step(false), ',': () => step(true),
    });
    const active = (now?.open ?? []).map((m) => nodeOf(m, g.open).id);
    const top = active[active.length - 1];
    const button = (sign, what, act, on) => html`<button aria-label=${what} title=${what} class=${on ? 'on' : ''}
        aria-pressed=${on ?? null} onClick=${act}>${sign}</button>`;
    const tools = html`${button('‹', 'step back (,)', () => step(true))}
        ${button('◀', 'play back (b)', () => (playing < 0 ? stop() : play(-1)), playing < 0)}
        ${button('■', 'stop', stop)}
        ${button('▶', 'play (space)', () => (playing > 0 ? stop() : play(1)), playing > 0)}
        ${button('›', 'step (.)', () => step(false))}
        <select aria-label="Steps a second" value=${speed} onChange=${(e) => setSpeed(Number(e.target.value))}>
            ${SPEEDS.map((s) => html`<option value=${s}>${s} / s</option>`)}</select>
        ${button('+', 'larger', () => setZoom(Math.min(4, zoom * 1.25)))}${button('−', 'smaller', () => setZoom(Math.max(0.1, zoom / 1.25)))}`;
    const isOne = g.selected && !g.selected.startsWith('m ');
    return html`<main class="one player">
        <${Panel} name="player" title="Call graph" tools=${tools}>
            <div class="now" data-seq=${now && now.seq >= 0 ? now.seq : ''} data-playing=${playing}>
                <span>${now?.event ? `${now.seq}  ${now.event.toLowerCase()}` : ''}</span>
                <span class="dim">${now?.open.length ? shortName(now.open[now.open.length - 1].class) + '.' + now.open[now.open.length - 1].method : 'no call is open'}
                    ${now?.open.length > 1 ? ` depth ${now.open.length - 1}` : ''}</span>
                ${g.selected && html`<span class="tag">${nameOf(g.selected)}</span>
                    ${isOne && html`<button onClick=${() => g.look(g.selected)}>open</button>`}
                    ${!g.selected.startsWith('p ') && html`<button onClick=${() => g.close(g.selected)}>close its ${g.selected.startsWith('m ') ? 'class' : 'package'}</button>`}
                    <button onClick=${() => g.into(g.selected)}>only this</button>`}
                ${(g.only || g.graph.cut > 0) && html`<span class="dim">${g.only ? 'only ' + nameOf(g.only) : ''}${g.graph.cut > 0 ? ` ${g.graph.cut} with fewer calls left out` : ''}</span>`}
                <button class="link" onClick=${g.everything}>all</button>
            </div>
            <${State} answer=${g.answer} empty="No call was recorded." />
            ${g.answer.rows.length > 0 && html`<${Graph} graph=${g.graph} active=${active} top=${top} selected=${g.selected}
                select=${g.select} open=${g.look} zoom=${zoom} />`}
        </${Panel}>
        <${Calls} ...${{ trace, thread, threads: busy, seq: now?.seq ?? seq ?? 0, setThread, go }} />
    </main>`;
}
