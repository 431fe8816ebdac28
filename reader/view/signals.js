// signals.js - when features ran: calls over the run, one row a feature, darker where there were more (`features --signal`).
import { useMemo, useState } from 'preact/hooks';
import { count, html, nanoseconds, Panel, State, useAnswer } from './ui.js';
import { number } from './api.js';

const BUCKETS = 120;

export function Signals({ trace, change }) {
    const [by, setBy] = useState('seq');
    const answer = useAnswer('features', { trace, signal: 'true', by, buckets: BUCKETS });
    const most = useMemo(() => Math.max(1, ...answer.rows.flatMap((r) => r.calls)), [answer.rows]);
    const tools = [['seq', 'by events'], ['time', 'by time']].map(([b, text]) => html`<button class=${by === b ? 'on' : ''}
        onClick=${() => setBy(b)}>${text}</button>`);
    const width = (r) => number(r.width);
    const where = (r, i) => (r.by === 'seq' ? `events ${count(Math.round(i * width(r)))} on` : `${nanoseconds(i * width(r))} on`);
    return html`<${Panel} name="signals" title="Signal: calls over the run" tools=${tools}>
        <${State} answer=${answer} empty="There is no mark." />
        <div class="signals">${answer.rows.map((r) => html`<div class="signal" data-feature=${r.feature ?? ''}>
            <span class="signal-name" title=${r.feature}>${r.feature ?? 'all'}</span>
            <svg viewBox="0 0 ${r.calls.length} 20" preserveAspectRatio="none" role="img" aria-label=${'calls of ' + (r.feature ?? 'all')}>
                ${r.calls.map((n, i) => n > 0 && html`<rect key=${i} x=${i} width="1.02" y=${20 - 20 * Math.sqrt(n / most)} height=${20 * Math.sqrt(n / most)}
                    data-calls=${n} data-bucket=${i} onClick=${() => r.by === 'seq' && change({ seq: Math.floor(i * width(r)), view: 'run' })}>
                    <title>${`${where(r, i)}: ${count(n)} calls${r.depth ? ', depth ' + r.depth[i] : ''}`}</title></rect>`)}
            </svg></div>`)}</div>
    </${Panel}>`;
}
