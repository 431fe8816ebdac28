// resize.js - edges between panels, which move them: by dragging, or by arrows while they have the focus; a double click
// gives the first size back. Sizes are kept in the storage of the page, and stand in variables of app.css.
import { useEffect, useState } from 'preact/hooks';
import { html } from './ui.js';

// name: [variable, sign of its growth to the right or down, least and greatest size in px or shares of the window]
const EDGES = {
    timeline: ['--timeline', 1, 60, 0.7, true],
    calls: ['--calls', 1, 160, 0.7, false],
    state: ['--state', -1, 160, 0.7, false],
    trail: ['--trail', -1, 80, 0.8, true],
};
const STEP = 24;
const PANEL = { timeline: 'timeline', calls: 'calls', state: 'state', trail: 'trail' };

const stored = (name) => Number(localStorage.getItem('hindsight-size-' + name)) || null;
const sizeOf = (name) => {
    const box = document.querySelector(`[data-panel=${PANEL[name]}]`)?.getBoundingClientRect();
    return box ? (EDGES[name][4] ? box.height : box.width) : 0;
};

export function Resize({ name, title }) {
    const [variable, sign, least, most, across] = EDGES[name];
    const [size, setSize] = useState(() => stored(name));
    const [drag, setDrag] = useState(null);
    useEffect(() => {
        const root = document.documentElement.style;
        if (size === null) root.removeProperty(variable);
        else root.setProperty(variable, size + 'px');
    }, [size]);
    const set = (to) => {
        const bound = most * (across ? innerHeight : innerWidth);
        const made = to === null ? null : Math.round(Math.max(least, Math.min(bound, to)));
        setSize(made);
        if (made === null) localStorage.removeItem('hindsight-size-' + name);
        else localStorage.setItem('hindsight-size-' + name, String(made));
    };
    const place = (e) => (across ? e.clientY : e.clientX);
    const keys = across ? { ArrowDown: 1, ArrowUp: -1 } : { ArrowRight: 1, ArrowLeft: -1 };
    return html`<div class="edge-of ${across ? 'across' : ''} ${drag ? 'dragged' : ''}" data-edge=${name} role="separator" tabindex="0"
        aria-label=${title} aria-orientation=${across ? 'horizontal' : 'vertical'} aria-valuenow=${size ?? undefined}
        title=${title + ' (drag, arrows; double click: as it was)'}
        onPointerDown=${(e) => {
            e.preventDefault();
            e.currentTarget.focus();
            e.currentTarget.setPointerCapture(e.pointerId);
            setDrag({ from: place(e), size: sizeOf(name) });
        }}
        onPointerMove=${(e) => drag && set(drag.size + sign * (place(e) - drag.from))}
        onPointerUp=${() => setDrag(null)} onPointerCancel=${() => setDrag(null)}
        onDblClick=${() => set(null)}
        onKeyDown=${(e) => {
            if (!keys[e.key]) return;
            e.preventDefault();
            e.stopPropagation();
            set(sizeOf(name) + sign * keys[e.key] * STEP);
        }}></div>`;
}
