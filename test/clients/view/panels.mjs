// panels.mjs - see panels.sh and harness.mjs.
import {
    asked, at, base, cli, equal, eventually, fail, moment, open, page, refuse, run, shot, texts, traces, until,
} from './harness.mjs';

const graph = () => page.$$eval('.graph .node', (list) => list.map((e) => Number(e.dataset.id)).sort((a, b) => a - b));
const arrows = () => page.$$eval('.graph .edge', (list) => list.map((e) => e.dataset.from + ' ' + e.dataset.to).sort());

const TESTS = {
    async output() {
        const [line] = cli('output', 'said');
        await open('said', line.seq, 'output');
        await page.waitForSelector('[data-panel=output] .row.now');
        equal('lines of output', await texts('[data-panel=output] .row .c-main'), cli('output', 'said').map((r) => r.text));
        equal('moments', await texts('[data-panel=output] .row .c-seq'), cli('output', 'said').map((r) => String(r.seq)));
        await open('said', line.seq - 1, 'output'); // before the line was written
        await until('no line is marked', () => document.querySelector('[data-panel=output] .row')
            && !document.querySelector('[data-panel=output] .row.now'));
        await page.click('[data-panel=output] .row');
        await at(line.seq);
        await page.waitForSelector('[data-panel=state] .frame');
    },
    // the lines of a slice are lit in the source, the nearest strongest
    async slice_in_the_source() {
        const rows = cli('slice', 'shop', '--at', '214', '--limit', '2000');
        const want = new Map();
        const file = (name) => name.replace(/\$.*/, '');
        const own = file(rows.find((e) => e.seq === 214).class);
        for (const e of rows) {
            if (file(e.class) !== own || e.line === undefined) continue;
            let layer = 0;
            while (2 ** layer < e.distance + 1 && layer < 4) layer++; // 0, 1, 2 to 3, 4 to 7, more
            want.set(e.line, Math.min(want.get(e.line) ?? 9, layer));
        }
        if (want.size < 4 || new Set(want.values()).size < 3) fail('the slice has few lines: ' + [...want]);
        await open('shop', 214);
        await page.waitForSelector('.cm-line.now');
        equal('nothing is lit before', await page.$$eval('.cm-line.lit', (l) => l.length), 0);
        await page.click('[data-panel=state] .now .link');
        await page.click('[data-panel=trail] [data-kind=slice]');
        await page.waitForSelector('[data-panel=trail] ol.slice li');
        equal('moments', (await texts('[data-panel=trail] .seq')).map(Number), rows.map((e) => e.seq));
        await page.setViewportSize({ width: 1280, height: 2400 }); // the editor draws the lines that are in sight
        const lit = () => page.$$eval('.cm-line', (list) => list.flatMap((e) => {
            const layer = /\blit-(\d)/.exec(e.className);
            const number = [...e.closest('.cm-editor').querySelectorAll('.cm-lineNumbers .cm-gutterElement')].find((g) =>
                g.getBoundingClientRect().height > 0 && Math.abs(g.getBoundingClientRect().top - e.getBoundingClientRect().top) < 4);
            return layer ? [Number(number.textContent) + ' ' + layer[1]] : [];
        }));
        await eventually('lit lines', lit, [...want].sort((a, b) => a[0] - b[0]).map(([line, layer]) => line + ' ' + layer));
        const strength = await page.$$eval('.cm-line.lit:not(.now)', (list) => list.map((e) => [
            Number(/\blit-(\d)/.exec(e.className)[1]), Number(/\/ ([\d.]+)\)$/.exec(getComputedStyle(e).backgroundColor)?.[1] ?? 1)]));
        for (const [layer, alpha] of strength)
            if (Math.abs(alpha - (1 - layer / 5)) > 0.01) fail(`layer ${layer} has the strength ${alpha}`);
        await shot('view-slice');
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.click('[data-panel=trail] [data-kind=why]');
        await eventually('nothing is lit behind', () => page.$$eval('.cm-line.lit', (l) => l.length), 0);
    },
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
            ['Object', 'Values', 'Last write', 'Why', 'Why, as a graph', 'Slice']);
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
        await eventually('contended', async () => (await texts('[data-panel=locks] .row .c-count')).map((t) => (t === '–' ? null : Number(t))).sort(),
            uses.map((r) => r.contended ?? null).sort());
        await eventually('names', async () => (await texts('[data-panel=locks] .row .c-main')).sort(),
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
        const argument = rows.findIndex((r) => r.what === 'argument'), decision = rows.findIndex((r) => r.kind === 'decision');
        await eventually('why each branch went that way', () => texts(`.diff tbody tr:nth-child(${decision + 1}) .condition`),
            [rows[decision].a_decision.condition, rows[decision].b_decision.condition]);
        await page.focus('.diff');
        for (let i = 0; i < argument; i++) await page.keyboard.press('ArrowDown');
        await page.waitForSelector('[data-panel=values] tr.changed[data-name=discount]');
        await eventually('an argument', () => texts('tr.changed[data-name=discount] td'), [rows[argument].a, rows[argument].b].map((e) => String(e.value)));
        for (let i = argument; i < k; i++) await page.keyboard.press('ArrowDown');
        await page.waitForSelector('[data-panel=values] tr[data-name=this]');
        const [a, b] = [['ten', rows[k].a], ['sixty', rows[k].b]].map(([trace, e]) => cli('locals', trace, '--at', String(e.seq))[0]);
        const all = (f) => ({ ...f.parameters, ...f.locals });
        for (const [name, value] of Object.entries(all(a)))
            if (typeof value === 'number')
                await eventually(name, () => texts(`[data-panel=values] tbody:nth-of-type(1) tr[data-name="${name}"] td`), [String(value), String(all(b)[name] ?? '')]);
        const changed = await page.$$eval('[data-panel=values] tbody:nth-of-type(1) tr.changed', (l) => l.map((e) => e.dataset.name));
        equal('what is different', changed, Object.keys(all(b)).filter((n) => all(a)[n] !== all(b)[n]));
        const [left, right] = [cli('tree', 'ten', '--at', String(rows[k].a.seq), '--limit', '60'), cli('tree', 'sixty', '--at', String(rows[k].b.seq), '--limit', '60')];
        const side = (n) => page.$$eval(`[data-panel=trees] tbody tr td:nth-child(${n}):not(.absent)`, (l) => l.length);
        await eventually('calls of both', async () => [await side(1), await side(2)], [left.length, right.length]);
        equal('a call of one run', (await texts('[data-panel=trees] tr:has(td.absent)')).some((t) => t.includes('.check(')), true);
        await shot('view-compare');
        await page.click('[data-panel=trees] td:nth-child(2) button:has-text("check")');
        await until('the other run', () => location.hash.includes('trace=sixty'));
    },
    async two_traces_begin_with_their_differences() {
        const list = await asked('traces');
        const two = list.split('\n').filter((row) => /"trace":"(ten|sixty)"/.test(row)).reverse();
        await page.route('**/api/traces?*', (route) => route.fulfill({ body: two.join('\n') }));
        await page.goto(base + '?two');
        await page.waitForSelector('.diff tbody tr');
        equal('the view', await page.evaluate(() => location.hash), '#view=compare');
        await page.goto(base + '?two-and-a-moment#t=8');
        await page.waitForSelector('[data-panel=state] .frame');
        await page.unroute('**/api/traces?*');
    },
    async features_beside_each_other() {
        await open('features', undefined, 'features');
        await page.waitForSelector('[data-panel=feature-trees] td button');
        await page.waitForSelector('[data-panel=affinity] .row');
        const names = cli('features', 'features').map((f) => f.feature);
        await eventually('features', () => texts('[data-panel=features] .list:first-of-type b'), names);
        const signal = cli('features', 'features', '--signal', '--by', 'seq', '--buckets', '120');
        await page.waitForSelector('.signal rect');
        for (const s of signal) {
            const bars = await page.$$eval(`.signal[data-feature="${s.feature ?? ''}"] rect`, (l) => l.map((e) => [Number(e.dataset.bucket), Number(e.dataset.calls)]));
            equal('signal of ' + (s.feature ?? 'all'), bars, [...s.calls.entries()].filter(([, n]) => n > 0));
        }
        const similarity = new Map(cli('features', 'features', '--similarity').flatMap((r) => [[r.a + r.b, r.similarity], [r.b + r.a, r.similarity]]));
        await eventually('similarity', () => texts('[data-panel=features] .matrix td'),
            names.flatMap((a) => names.map((b) => (a === b ? 1 : similarity.get(a + b)).toFixed(2))));
        const affinity = cli('features', 'features', '--affinity');
        const rows = await page.$$eval('.row.affinity', (l) => l.map((e) => [e.querySelector('.c-main').textContent.trim(),
            e.querySelector('.c-kind').textContent, ...[...e.querySelectorAll('.c-dot')].map((d) => d.dataset.in)]));
        equal('affinity', rows.map(String).sort(),
            affinity.map((m) => String([m.class + '.' + m.method, m.affinity, ...names.map((n) => m.features.includes(n))])).sort());
        const instances = cli('features', 'features', '--instances');
        const pairs = () => page.$$eval('[data-panel=instances] td button', (l) => l.map((e) => [e.ariaLabel, Number(e.textContent)]).sort());
        await eventually('instances', pairs, instances.map((r) => [`${r.from} to ${r.to}`, r.objects]).sort());
        await page.click('[data-panel=instances] td button');
        await eventually('their types', async () => (await texts('.types .times')).map(Number), Object.values(instances.find((r) => r.from === names[0]).types));
        await page.selectOption('[aria-label="Right feature"]', 'edit');
        const [a, b] = [cli('tree', 'features', '--mark', 'load#1', '--limit', '200'), cli('tree', 'features', '--mark', 'edit', '--limit', '200')];
        const side = (n) => page.$$eval(`[data-panel=feature-trees] tbody tr td:nth-child(${n}):not(.absent) b`, (l) => l.map((e) => e.textContent));
        await eventually('calls of both', async () => [await side(1), await side(2)], [a, b].map((l) => l.map((c) => c.method)));
        equal('nothing became markup', await page.$$eval('th b, .signal-name b, option b', (l) => l.length), 0);
        await shot('view-features');
        await page.locator('.signal[data-feature=edit] rect').first().click();
        await page.waitForSelector('[data-panel=state] .frame');
        const edit = cli('features', 'features').find((f) => f.feature === 'edit');
        const bucket = signal.find((s) => s.feature === 'edit');
        const seq = Math.floor(bucket.calls.findIndex((n) => n > 0) * bucket.width);
        equal('a click on a signal', (await moment()) === seq && seq + bucket.width >= edit.first, true);
    },
    async empty_loading_and_failed() {
        await open('ten', undefined, 'exceptions');
        await until('empty', () => document.querySelector('[data-panel=exceptions] .state')?.textContent === 'No exception was recorded.');
        let answer;
        await page.route('**/api/races?*', (route) => {
            answer = () => route.continue();
        });
        await open('races', undefined, 'races');
        await until('loading', () => document.querySelector('[data-panel=races] .state')?.textContent.startsWith('loading'));
        answer();
        await page.waitForSelector('.races li');
        await page.unroute('**/api/races?*');
        refuse(1);
        await page.route('**/api/races?*', (route) => route.fulfill({ status: 422, body: '{"error":"hindsight races: <b>broken</b>: chunk 7"}' }));
        await open('ten', undefined, 'races');
        await until('the error', () => document.querySelector('[data-panel=races] .state.bad')?.textContent === '<b>broken</b>: chunk 7');
        await page.unroute('**/api/races?*');
        await page.route('**/api/races?*', (route) => route.abort());
        await open('sixty', undefined, 'races');
        await page.waitForSelector('[data-panel=races] .state.bad');
        await page.unroute('**/api/races?*');
        await refuse(0);
        // what a trace without events cannot show is not asked for, the rest is shown
        await page.goto(base + '#trace=timing&view=methods');
        await page.waitForSelector('[data-panel=methods] .row');
        await eventually('methods of a recording of times', async () => (await texts('[data-panel=methods] .row .c-main')).sort(),
            cli('report', 'timing').map((r) => `${r.class}.${r.method}`).sort());
        equal('no flame graph, no error', await page.$$eval('[data-panel=flame], .bad', (l) => l.length), 0);
        equal('views', await texts('.views button'), ['Methods']);
    },
    async incomplete_trace() {
        const told = cli('info', 'killed')[0];
        await open('killed', undefined, 'methods');
        await page.waitForSelector('[role=status].banner');
        equal('it is said', (await texts('[role=status].banner'))[0].startsWith('incomplete: '), true);
        equal('its end', (await texts('.top .about'))[0].split(' · ').pop(), told.end);
        equal('an end that is not clean', told.end !== 'clean', true);
        await page.waitForSelector('[data-panel=methods] .row');
        const calls = cli('report', 'killed').find((r) => r.method === 'round').calls;
        await eventually('what there is, is shown', async () => (await texts('[data-panel=methods] .row:has-text("round") .c-count'))[0], String(calls));
    },
    async with_the_keyboard_alone() {
        await open('shop', 214);
        await page.evaluate(() => document.activeElement.blur());
        const press = async (key, times = 1) => {
            for (let i = 0; i < times; i++) await page.keyboard.press(key);
        };
        // Tab comes to everything, and what has the focus shows it
        const seen = new Set();
        for (let i = 0; i < 90; i++) {
            await press('Tab');
            const [name, outline] = await page.evaluate(() => {
                const e = document.activeElement;
                const within = e.shadowRoot?.activeElement;
                return [e.closest('[data-panel]')?.dataset.panel ?? e.closest('nav')?.getAttribute('aria-label') ?? e.tagName,
                    within ? 'auto' : getComputedStyle(e).outlineStyle];
            });
            seen.add(name);
            if (name !== 'BODY' && outline === 'none' && name !== 'source') fail('the focus does not show in ' + name);
        }
        for (const part of ['Views', 'Steps', 'calls', 'source', 'state']) equal('Tab comes to ' + part, seen.has(part), true);
        // from the views to a row of a report, and from there to its moment
        await page.focus('.views button:has-text("Exceptions")');
        await press('Enter');
        await page.waitForSelector('[data-panel=exceptions] .row');
        await page.focus('[data-panel=exceptions] .rows');
        await press('ArrowDown');
        await press('Enter');
        await at(cli('exceptions', 'shop')[0].thrown);
        await page.waitForSelector('[data-panel=state] .frame');
        // a variable, what is asked of it, and away with it
        await page.focus('[data-panel=state] .now .link');
        await press('Enter');
        await page.waitForSelector('[data-panel=trail] li');
        await page.focus('[data-panel=trail] [aria-label=close]');
        await press('Enter');
        await until('closed', () => !document.querySelector('[data-panel=trail]'));
    },
    async light_and_dark() {
        // WCAG 2.1: the contrast of text with what is behind it
        const contrasts = () => page.evaluate(() => {
            const of = (name) => {
                const e = document.body.appendChild(document.createElement('i'));
                e.style.color = `var(${name})`;
                const rgb = getComputedStyle(e).color.match(/[\d.]+/g).slice(0, 3).map((v) => v / 255);
                e.remove();
                const [r, g, b] = rgb.map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const ratio = (a, b) => (Math.max(of(a), of(b)) + 0.05) / (Math.min(of(a), of(b)) + 0.05);
            const low = [];
            for (const text of ['--text', '--dim', '--value', '--ref', '--accent', '--bad'])
                for (const back of ['--panel', '--back']) if (ratio(text, back) < 4.5) low.push(text + ' on ' + back + ' ' + ratio(text, back).toFixed(2));
            for (const back of ['--here', '--changed', '--head']) if (ratio('--text', back) < 4.5) low.push('--text on ' + back);
            return [getComputedStyle(document.body).backgroundColor, low];
        });
        const colours = [];
        for (const scheme of ['light', 'dark']) {
            await page.emulateMedia({ colorScheme: scheme });
            await open('shop', 214);
            const [back, low] = await contrasts();
            equal('contrast in ' + scheme, low, []);
            colours.push(back);
            if (scheme === 'dark') await shot('view-dark');
            await page.click('[aria-label="light or dark"]');
            await until('the other one', (was) => getComputedStyle(document.body).backgroundColor !== was, back);
        }
        equal('they differ', colours[0] !== colours[1], true);
        await page.emulateMedia({ colorScheme: null });
    },
    async screen_and_phone() {
        const views = [['shop', 'run'], ['shop', 'exceptions'], ['slow', 'methods'], ['shop', 'heat'], ['order', 'locks'], ['races', 'races'],
            ['features', 'features'], ['ten', 'compare']];
        for (const [trace, view] of views) {
            await open(trace, view === 'run' ? 214 : undefined, view);
            await page.waitForSelector('.panel');
            for (const [width, height] of [[1280, 800], [390, 844]]) {
                await page.setViewportSize({ width, height });
                await page.waitForTimeout(150);
                const [wide, high] = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
                equal(`${view} fits the width of ${width}`, wide <= 0, true);
                if (width === 1280) equal(`${view} fits the height`, high <= 0, true);
                const flat = await page.$$eval('.panel', (l) => l.filter((e) => e.clientHeight < 60).map((e) => e.dataset.panel));
                equal(`panels of ${view} that cannot be read at ${width}`, flat, []);
            }
        }
        await shot('view-phone');
        await page.setViewportSize({ width: 1280, height: 800 });
    },
    async a_link_is_the_same_view() {
        await open('shop', 214);
        await page.click('[data-panel=state] .now .link');
        await page.click('[data-panel=trail] [data-kind=graph]');
        await page.waitForSelector('.graph .node.here');
        await page.keyboard.press('.');
        await at(215);
        const shown = () => texts('[data-panel=state] .head, [data-panel=state] .member, [data-panel=state] .now, .graph .node text, .top select');
        await page.waitForSelector('[data-panel=state] [data-name=count]');
        await page.waitForTimeout(700);
        const [link, here] = [page.url(), await shown()];
        await page.goto('about:blank');
        await page.goto(link);
        await page.waitForSelector('.graph .node');
        await page.waitForSelector('[data-panel=state] [data-name=count]');
        await eventually('the same', shown, here);
        for (const bad of ['#t=999999999&trace=shop', '#t=abc&trace=shop&q=why,1', '#trace=nothing', '#t=1e3&view=<b>']) {
            refuse(1);
            await page.goto(base + '?' + bad.length + bad);
            await page.waitForSelector('.top');
            await page.waitForTimeout(300);
            equal('the page lives with ' + bad, await page.$$eval('.top h1', (l) => l.length), 1);
        }
        await refuse(0);
    },
    async markup_in_names_stays_text() {
        const markup = '<img src=x onerror=hit(1)><script>';
        equal('the class is there', cli('report', 'names').some((r) => r.class === markup), true);
        await page.addInitScript(() => {
            window.hits = [];
            window.hit = (n) => window.hits.push(n);
        });
        const clean = async (where) => {
            equal('no markup in ' + where, await page.evaluate(() => [window.hits,
                document.querySelectorAll('#app img, #app script, body > script, [onerror], [onload]').length]), [[], 0]);
            equal('the title in ' + where, await page.title(), 'names – Hindsight');
        };
        refuse(1); // there is no source of such a class
        const store = cli('print', 'names', '--event', 'PUT_INSTANCE_FIELD_VALUE')[0];
        await open('names', store.seq);
        await page.waitForSelector('[data-panel=state] [data-name^="<img src=x onerror=hit(3)>"]');
        await clean('the state');
        await page.click('[data-panel=state] [data-name=this] .fold');
        await page.waitForSelector('[data-panel=state] .members [data-name^="<img src=x onerror=hit(2)>"]');
        equal('a string', (await texts('[data-panel=state] .members .v'))[0].startsWith('"<script>hit(4)</script>"#'), true);
        equal('the class', (await texts('[data-panel=state] .head'))[0].includes(markup), true);
        for (const kind of ['why', 'graph', 'slice', 'last-write', 'history', 'object']) {
            await open('names', store.seq, 'run', '&q=' + encodeURIComponent([kind, store.seq, store.seq, store.value.id, 'HostileNames.NAMES']));
            await page.waitForSelector('[data-panel=trail] .tabs');
            await page.waitForTimeout(200);
            await clean(kind);
        }
        for (const [view, there] of [['exceptions', '.row'], ['methods', '.flame button'], ['heat', '[data-panel=lines] .row'], ['locks', '.graph .node'],
            ['races', '.races li'], ['features', '[data-panel=features]'], ['compare', '.diff tr']]) {
            await open('names', undefined, view);
            await page.waitForSelector(there);
            await page.waitForTimeout(100);
            if (view !== 'features' && view !== 'compare') equal('it is shown in ' + view, (await page.textContent('main')).includes('<img src=x onerror=hit('), true);
            await clean(view);
        }
        await refuse(0);
    },
};
await run(TESTS);
