// panels.mjs - see panels.sh and harness.mjs.
import { at, cli, equal, open, page, run, shot, texts, traces, until } from './harness.mjs';

const graph = () => page.$$eval('.graph .node', (list) => list.map((e) => Number(e.dataset.id)).sort((a, b) => a - b));
const arrows = () => page.$$eval('.graph .edge', (list) => list.map((e) => e.dataset.from + ' ' + e.dataset.to).sort());

const TESTS = {
    async causes_as_a_graph() {
        await open('shop', 214);
        await page.click('[data-panel=state] .now .link');
        await page.click('[data-panel=trail] [data-kind=graph]');
        await page.waitForSelector('.graph .node');
        const nodes = new Set(), edges = new Set();
        const walk = (e) => {
            nodes.add(e.seq);
            for (const cause of e.causes ?? []) {
                edges.add(e.seq + ' ' + cause.seq);
                walk(cause);
            }
        };
        walk(cli('why', 'shop', '--at', '214', '--all', '--depth', '30')[0]);
        equal('moments', await graph(), [...nodes].sort((a, b) => a - b));
        equal('causes', await arrows(), [...edges].sort());
        equal('the moment is marked', await page.$$eval('.graph .node.here', (l) => l.map((e) => e.dataset.id)), ['214']);
        await shot('view-why');
        // keyboard: right to the cause, Enter goes there; back and forward of the browser bring the question with them
        await page.focus('.graph .node.here');
        await page.keyboard.press('ArrowRight');
        const next = await page.evaluate(() => document.activeElement.dataset.id);
        equal('right goes to a cause', edges.has('214 ' + next), true);
        await page.keyboard.press('Enter');
        await at(Number(next));
        await page.waitForSelector(`.graph .node.here[data-id="${next}"]`);
        await page.goBack();
        await at(214);
        await page.waitForSelector('.graph .node.here[data-id="214"]');
        await page.goBack();
        await page.waitForSelector('[data-panel=trail] ol.why li');
        await page.goBack();
        await until('no question', () => !document.querySelector('[data-panel=trail]'));
        await page.goForward();
        await page.goForward();
        await page.waitForSelector('.graph .node.here[data-id="214"]');
        // the address is all of it
        const link = await page.evaluate(() => location.hash);
        await page.goto('about:blank');
        await open('shop', 214, 'run', '&' + new URLSearchParams(link.slice(1)).toString().replace(/.*(q=)/, '$1'));
        await page.waitForSelector('.graph .node.here[data-id="214"]');
    },
    async all_about_a_value() {
        await open('shop', 214);
        await page.waitForSelector('.cm-line.now .values');
        await page.click('.cm-line.now .values button:has-text("item")');
        await page.waitForSelector('[data-panel=trail] .tabs');
        equal('questions', await texts('[data-panel=trail] .tabs button'),
            ['Object', 'Values', 'Last write', 'Why', 'Why, as a graph']);
        const [frame] = cli('locals', 'shop', '--at', '214');
        const id = frame.locals.item.id;
        await page.click('[data-panel=trail] [data-kind=object]');
        await page.waitForSelector('[data-panel=trail] .members [data-name]');
        const [item] = cli('object', 'shop', String(id), '--at', '214');
        equal('its fields', await texts('[data-panel=trail] .members .name'), Object.keys(item.fields).map((n) => n.replace(/.*\./, '')));
        await page.click('[data-panel=trail] [data-kind=history]');
        await page.waitForSelector('[data-panel=trail] ol.history li');
        equal('its values', (await texts('[data-panel=trail] .seq')).map(Number),
            cli('history', 'shop', `${frame.class}.${frame.method}:item`).map((e) => e.seq));
        await page.click('[data-panel=trail] [data-kind=last-write]');
        await page.waitForSelector('[data-panel=trail] ol.last-write li');
        equal('its last write', (await texts('[data-panel=trail] .seq')).map(Number),
            cli('last-write', 'shop', `${frame.class}.${frame.method}:item`, '--before', '214').map((e) => e.seq));
    },
    async time_as_a_flame_graph() {
        await open('slow', undefined, 'methods');
        await page.waitForSelector('.flame button');
        const rows = cli('report', 'slow', '--tree');
        const ns = (depth) => rows.filter((r) => r.depth === depth).map((r) => r.total_ns).filter((n) => n >= 0.001 * rows[0].total_ns);
        const weights = (row) => page.$$eval('.flame button', (list, top) => list.filter((e) => e.style.top === top)
            .map((e) => Number(e.dataset.weight)), row * 20 + 'px');
        const falling = (list) => [...list].sort((a, b) => b - a);
        for (const depth of [0, 1, 2]) equal('times at depth ' + depth, await weights(depth), falling(ns(depth)));
        const widths = await page.$$eval('.flame button', (l) => l.slice(0, 2).map((e) => parseFloat(e.style.width)));
        equal('widths are shares', Math.abs(widths[1] / widths[0] - falling(ns(1))[0] / ns(0)[0]) < 1e-6, true);
        await shot('view-flame');
        await page.click('.flame button:nth-child(2)');
        const joined = rows.find((r) => r.method === 'join');
        await until('zoomed', (calls) => document.querySelector('.flame button').textContent.trim() === 'Slow.join', joined.calls);
        await page.focus('.flame button');
        await page.keyboard.press('ArrowDown');
        equal('down goes to a callee', await page.evaluate(() => document.activeElement.textContent.trim()), 'Slow.part');
        await page.keyboard.press('Escape');
        await until('all of it', () => document.querySelector('.flame button').textContent.trim() === 'Slow.main');
        await page.click('[data-panel=flame] header button:has-text("calls")');
        const total = rows.reduce((sum, r) => sum + r.calls, 0);
        await until('calls', (n) => document.querySelector('.flame button').dataset.weight === String(n), total);
    },
    async lines_with_heat_and_latest_values() {
        await open('shop', undefined, 'heat');
        await page.waitForSelector('[data-panel=lines] .line[data-line="31"] .latest');
        const events = cli('print', 'shop');
        const began = new Map();
        for (const e of events) if (e.event === 'LINE_NUMBER') began.set(e.line, (began.get(e.line) ?? 0) + 1);
        const shown = await page.$$eval('[data-panel=lines] .line', (l) => l.map((e) => [Number(e.dataset.line), e.dataset.count]));
        for (const [line, n] of shown) equal('line ' + line, n, String(began.get(line) ?? ''));
        equal('lines are there', shown.filter(([, n]) => n).length > 10, true);
        const stored = events.filter((e) => e.line === 30 && e.event === 'LOCAL_STORE').map((e) => e.value).reverse();
        equal('latest values', (await texts('.line[data-line="30"] .latest')).find((t) => t.startsWith('count')), 'count = ' + stored.join(', '));
        await shot('view-lines');
        await page.click('.line[data-line="30"] .latest:has-text("count")');
        await at(events.filter((e) => e.line === 30 && e.event === 'LOCAL_STORE').pop().seq);
    },
    async races() {
        await open('races', undefined, 'races');
        await page.waitForSelector('.races li');
        const rows = cli('races', 'races');
        equal('races', await page.$$eval('.races li', (l) => l.map((e) => [e.dataset.location, Number(e.dataset.a), Number(e.dataset.b)])),
            rows.map((r) => [r.location, r.a.seq, r.b.seq]));
        const names = new Map(cli('threads', 'races').map((t) => [t.thread, t.name]));
        equal('their threads', await texts('.races b'), rows.flatMap((r) => [names.get(r.a.thread), names.get(r.b.thread)]));
        await shot('view-races');
        await page.click('.races li button');
        await at(rows[0].a.seq);
        await open('shop', undefined, 'races');
        await until('none', () => document.querySelector('[data-panel=races] .state')?.textContent.startsWith('No two threads'));
    },
    async order_of_monitors() {
        await open('order', undefined, 'locks');
        await page.waitForSelector('[data-panel=lock-order] .graph .node');
        const rows = cli('locks', 'order', '--order');
        const id = (l) => String(l.id ?? l.class);
        const ids = new Set(rows.flatMap((r) => [id(r.from), id(r.to)]));
        equal('monitors', await page.$$eval('.graph .node', (l) => l.map((e) => e.dataset.id).sort()), [...ids].sort());
        equal('arrows', await arrows(), rows.map((r) => id(r.from) + ' ' + id(r.to)).sort());
        equal('circles', await page.$$eval('.graph .edge.bad', (l) => l.map((e) => e.dataset.from + ' ' + e.dataset.to).sort()),
            rows.filter((r) => r.circle).map((r) => id(r.from) + ' ' + id(r.to)).sort());
        const uses = cli('locks', 'order');
        equal('contended', (await texts('[data-panel=locks] .row .c-count')).map(Number).sort(), uses.map((r) => r.contended).sort());
        equal('names', (await texts('[data-panel=locks] .row .c-main')).sort(),
            uses.map((r) => (r.lock.class ? 'class ' + r.lock.class : `${r.type}#${r.lock.id}`)).sort());
        await shot('view-locks');
    },
    async two_runs() {
        await open('ten', undefined, 'compare');
        await page.selectOption('[aria-label="The other trace"]', 'sixty');
        const rows = cli('diff', 'ten', traces + '/sixty', '--limit', '500');
        await until('differences', (n) => document.querySelectorAll('.diff tbody tr').length === n, rows.length);
        const seq = (e) => (e ? String(e.seq) : null);
        equal('both sides', await page.$$eval('.diff tbody tr', (l) => l.map((tr) => [...tr.querySelectorAll('td')].slice(1)
            .map((td) => td.querySelector('.seq')?.textContent ?? null))), rows.map((r) => [seq(r.a), seq(r.b)]));
        equal('the first is chosen', rows[0].first && (await texts('.diff tr.here td:first-child')), ['first value']);
        // a result: the values of both frames beside each other, and the call that only one run made
        const k = rows.findIndex((r) => r.what === 'result');
        await page.focus('.diff');
        await page.keyboard.press('ArrowDown');
        await page.waitForSelector('[data-panel=values] tr.changed[data-name=discount]');
        equal('an argument', await texts('tr.changed[data-name=discount] td'), [rows[1].a, rows[1].b].map((e) => String(e.value)));
        for (let i = 1; i < k; i++) await page.keyboard.press('ArrowDown');
        await page.waitForSelector('[data-panel=values] tr[data-name=this]');
        const [a, b] = [['ten', rows[k].a], ['sixty', rows[k].b]].map(([trace, e]) => cli('locals', trace, '--at', String(e.seq))[0]);
        const all = (f) => ({ ...f.parameters, ...f.locals });
        for (const [name, value] of Object.entries(all(a)))
            if (typeof value === 'number')
                equal(name, await texts(`[data-panel=values] tbody:nth-of-type(1) tr[data-name="${name}"] td`), [String(value), String(all(b)[name] ?? '')]);
        const changed = await page.$$eval('[data-panel=values] tbody:nth-of-type(1) tr.changed', (l) => l.map((e) => e.dataset.name));
        equal('what is different', changed, Object.keys(all(b)).filter((n) => all(a)[n] !== all(b)[n]));
        const [left, right] = [cli('tree', 'ten', '--at', String(rows[k].a.seq), '--limit', '60'), cli('tree', 'sixty', '--at', String(rows[k].b.seq), '--limit', '60')];
        const side = (n) => page.$$eval(`[data-panel=trees] tbody tr td:nth-child(${n}):not(.absent)`, (l) => l.length);
        equal('calls of both', [await side(1), await side(2)], [left.length, right.length]);
        equal('a call of one run', (await texts('[data-panel=trees] tr:has(td.absent)')).some((t) => t.includes('.check(')), true);
        await shot('view-compare');
        await page.click('[data-panel=trees] td:nth-child(2) button:has-text("check")');
        await until('the other run', () => location.hash.includes('trace=sixty'));
    },
};
await run(TESTS);
