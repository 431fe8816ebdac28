// page.mjs - see page.sh and harness.mjs. Each test has the page at one moment.
import { readFileSync } from 'node:fs';
import { asked, at, base, cli, equal, eventually, moment, open, page, refuse, run, sources, texts, traces, until } from './harness.mjs';

const TESTS = {
    async list_of_calls() {
        await open('shop', 214);
        await page.waitForSelector('[data-panel=calls] .row');
        const rows = cli('tree', 'shop', '--depth', '1', '--fold', 'equal');
        await until('the first level', (n) => document.querySelectorAll('[data-panel=calls] .row').length === n, rows.length);
        equal('calls', (await texts('[data-panel=calls] .row .seq')).map(Number), rows.map((r) => r.seq));
        equal('a call', (await texts('[data-panel=calls] .row .text'))[2], 'Stock#5.deliver("ink 7"#9)');
        // the call of the moment: the second of two that are alike but for their values
        const entered = cli('locals', 'shop', '--at', '214')[0].entered;
        await until('the call of the moment', (s) => document.querySelector('[data-panel=calls] .row.here')?.dataset.seq === s, String(entered));
        equal('its argument', (await texts('[data-panel=calls] .row.here .text'))[0], 'Stock#5.deliver("pen 12"#16)');
        await page.click('[data-panel=calls] .row[data-seq="224"] .fold');
        const inner = cli('tree', 'shop', '--from', '224').filter((r) => r.depth === 1)[0];
        await page.waitForSelector(`[data-panel=calls] .row[data-seq="${inner.seq}"]`);
        await page.click('[data-panel=calls] .row[data-seq="224"]');
        const params = cli('print', 'shop', '--event', 'METHOD_PARAM', '--method', 'order');
        await at(params[params.length - 1].seq);
    },
    async the_call_of_the_moment_in_a_folded_row() {
        const all = cli('tree', 'many', '--fold', 'none').filter((r) => r.method === 'step');
        for (const call of [all[650], all[655]]) { // one of them throws
            await open('many', call.seq);
            await until('the call', (s) => document.querySelector('[data-panel=calls] .row.here')?.dataset.seq === s, String(call.seq));
            const text = (await texts('[data-panel=calls] .row.here .text'))[0];
            equal('it is shown', [text.includes(`(${call.arguments[0]})`), text.includes('throws')], [true, 'exception' in call]);
        }
        equal('one throws', [all[650], all[655]].filter((c) => 'exception' in c).length, 1);
    },
    async calls_near_and_keys() {
        await open('shop', 214);
        await page.click('[data-panel=calls] .tabs button:has-text("near")');
        const rows = cli('tree', 'shop', '--at', '214', '--limit', '120');
        await until('calls near', (n) => document.querySelectorAll('[data-panel=calls] .row').length === n, rows.length);
        equal('calls near', (await texts('[data-panel=calls] .row .seq')).map(Number), rows.map((r) => r.seq));
        const entered = cli('locals', 'shop', '--at', '214')[0].entered;
        equal('the call of the moment', await page.$$eval('[data-panel=calls] .row.here', (l) => l.map((e) => Number(e.dataset.seq))), [entered]);
    },
    async search() {
        for (const [by, text, words] of [
            ['method', 'deliver', ['tree', '--method', '*deliver*']],
            ['value', '"pen 12"', ['print', '--value', '"pen 12"']],
            ['text', 'pen', ['print', '--text', 'pen']],
            ['line', 'Stock:31', ['print', '--class', 'Stock', '--where', 'line == 31', '--event', 'LINE_NUMBER']],
        ]) {
            await open('shop', 214);
            await page.selectOption('[data-panel=calls] .search select', by);
            await page.keyboard.press('Escape');
            await page.fill('input[name=text]', text);
            await page.press('input[name=text]', 'Enter');
            const want = cli(words[0], 'shop', ...words.slice(1)).map((r) => r.seq);
            await until('found ' + text, (n) => document.querySelector('[aria-label=Found]')?.dataset.count === n,
                String(want.length));
            const seqs = (await texts('[data-panel=calls] .row .seq')).map(Number); // those on the screen
            equal('search by ' + by, seqs, want.slice(0, seqs.length));
            equal('some are on the screen', seqs.length >= Math.min(10, want.length), true);
        }
    },
    async state() {
        await open('shop', 214);
        const frames = cli('locals', 'shop', '--at', '214');
        equal('frames', (await texts('[data-panel=state] .head')).map((t) => t.slice(1)),
            frames.map((f) => `${f.class}.${f.method}:${f.line}`));
        const names = Object.keys({ this: 0, ...frames[0].parameters, ...frames[0].locals });
        equal('variables', await texts('[data-panel=state] .name'), names);
        equal('a local', await texts('[data-panel=state] [data-name=count] .v'), [String(frames[0].locals.count)]);
        await page.click('[data-panel=state] [data-name=item] .fold');
        const item = cli('object', 'shop', String(frames[0].locals.item.id), '--at', '214')[0];
        await page.waitForSelector('[data-panel=state] .members [data-name]');
        equal('fields', await texts('[data-panel=state] .members .name'), Object.keys(item.fields).map((n) => n.replace(/.*\./, '')));
        equal('an object', await texts('[data-panel=state] .members [data-name=name] .v, .members [data-name=count] .v'),
            Object.values(item.fields).map((v) => (v.string ? `"${v.string}"#${v.id}` : String(v))));
    },
    async an_expression_at_the_moment() {
        await open('shop', 214);
        const result = () => texts('[data-panel=state] .evaluate .result');
        for (const expression of ['count * 2', 'item', 'line.substring(4)', '1 / (count - 2)']) {
            const x = cli('eval', 'shop', expression, '--at', '214')[0];
            await page.fill('[aria-label=Expression]', expression);
            await page.press('[aria-label=Expression]', 'Enter');
            await until(expression, (text) => document.querySelector('.evaluate .result')?.textContent.includes(text),
                String(x.throws ?? x.value.string ?? x.value.id ?? x.value));
        }
        refuse(1);
        await page.fill('[aria-label=Expression]', 'nothing');
        await page.press('[aria-label=Expression]', 'Enter');
        await until('a name that is not there', () => /nothing/.test(document.querySelector('.evaluate .bad')?.textContent));
        equal('no value of it', await result(), []);
        await page.locator('[data-panel=state] .frame .head').last().click(); // main
        const shop = Object.entries(cli('locals', 'shop', '--at', '214').at(-1).locals).find(([, v]) => v.type === 'Stock')[0];
        await page.fill('[aria-label=Expression]', shop);
        await page.waitForTimeout(500); // the answer of `nothing` in this frame comes, and leaves what is typed
        equal('what was typed', await page.inputValue('[aria-label=Expression]'), shop);
        await page.press('[aria-label=Expression]', 'Enter');
        await until('in the frame of main', () => /^Stock#/.test(document.querySelector('.evaluate .result')?.textContent));
        await refuse(0); // the name is asked for in each frame
    },
    async a_watch_beside_the_source() {
        await open('shop', 214);
        await page.click('[data-panel=source] button:text-is("watch")');
        await page.fill('[aria-label="Watched text"]', '{line}, so {count}');
        await page.press('[aria-label="Watched text"]', 'Enter');
        const want = cli('watch', 'shop', 'Stock.deliver:31', '{line}, so {count}');
        await until('rows', (n) => document.querySelectorAll('[data-panel=watch] .row').length === n, want.length);
        equal('their texts', await texts('[data-panel=watch] .row .c-main'), want.map((r) => r.text.replace(/\s+/g, ' ')));
        equal('their moments', (await texts('[data-panel=watch] .row .c-seq')).map(Number), want.map((r) => r.seq));
        await page.click('[data-panel=watch] .row >> nth=0');
        await at(want[0].seq);
        equal('it stays', (await texts('[data-panel=watch] .row')).length, want.length);
    },
    async steps_and_changes() {
        const lines = cli('print', 'shop', '--event', 'LINE_NUMBER').map((e) => e.seq);
        const first = lines.filter((s) => s > 116)[0];
        await open('shop', first);
        const i = lines.indexOf(first);
        await page.keyboard.press('j');
        await at(lines[i + 1]);
        await page.keyboard.press('k');
        await at(first);
        await page.keyboard.press('.');
        await at(first + 1);
        await page.keyboard.press(',');
        await at(first);
        // over: the next line of the same call, although `find` is called
        await page.keyboard.press('n');
        await page.keyboard.press('Shift');
        await until('a step', (s) => !location.hash.includes(`t=${s}&`), first);
        const over = await moment();
        const inside = (seq) => cli('locals', 'shop', '--at', String(seq))[0].entered;
        equal('over stays in the call', inside(over), inside(first));
        // what is assigned between two stops is marked, nothing else
        const store = cli('print', 'shop', '--event', 'LOCAL_STORE', '--method', 'deliver').filter((e) => e.seq > 116)[0];
        await open('shop', store.seq);
        await page.keyboard.press('.');
        await at(store.seq + 1);
        await page.goBack();
        await at(store.seq);
        const order = cli('print', 'shop', '--event', 'PUT_INSTANCE_FIELD_VALUE', '--method', 'deliver').pop();
        await open('shop', order.seq - 1);
        await page.click('[data-panel=state] [data-name=item] .fold');
        await page.waitForSelector('[data-panel=state] .members [data-name=name]');
        equal('nothing changed', await texts('[data-panel=state] .changed .name'), []);
        await page.keyboard.press('.');
        await at(order.seq);
        await page.waitForSelector('[data-panel=state] .changed');
        equal('a field changed', await texts('[data-panel=state] .changed .name'), ['count']);
    },
    async why_and_history() {
        await open('shop', 214);
        await page.click('[data-panel=state] .now .link');
        await page.waitForSelector('[data-panel=trail] li');
        const chain = cli('why', 'shop', '--at', '214', '--limit', '40');
        equal('why', (await texts('[data-panel=trail] .seq')).map(Number), chain.map((e) => e.seq));
        equal('because', await texts('[data-panel=trail] .because'), chain.map((e) => e.because).filter(Boolean));
        await page.click(`[data-panel=trail] li[data-seq="${chain[2].seq}"] button`);
        await at(chain[2].seq);
        await open('shop', 214);
        await page.click('[data-panel=state] [data-name=item] .fold');
        await page.hover('[data-panel=state] .members [data-name=count]');
        await page.click('[data-panel=state] .members [data-name=count] .ask[title="every value"]');
        const item = cli('locals', 'shop', '--at', '214')[0].locals.item.id;
        await page.waitForSelector('[data-panel=trail] .history li');
        equal('history', (await texts('[data-panel=trail] .seq')).map(Number),
            cli('history', 'shop', item + '.count').map((e) => e.seq));
    },
    async source_with_values() {
        await open('shop', 214);
        await page.waitForSelector('.cm-line.now');
        const [line] = cli('print', 'shop', '--from', '214', '--num', '1').map((e) => e.line);
        const source = readFileSync(sources + '/docs/programs/Stock.java', 'utf8').split('\n')[line - 1].trim();
        await page.waitForSelector('.cm-line.now .values');
        const shown = (await texts('.cm-line.now'))[0];
        equal('the line', shown.startsWith(source), true);
        equal('its values', await texts('.cm-line.now .values button'), ['item = Stock$Item#19', 'count = 2']);
        await page.click('.cm-line.now .values button:nth-child(2)');
        await page.waitForSelector('[data-panel=trail] li');
        // a loop: the slider has the times that its line ran in this call
        const inLoop = ['hostile', '--method', 'add', '--event', 'LINE_NUMBER'];
        const stores = cli('print', 'hostile', '--method', 'add', '--event', 'LOCAL_STORE').filter((e) => e.attr.name === 'sum');
        const last = stores[stores.length - 1];
        const visits = cli('print', ...inLoop).filter((e) => e.line === last.line).map((e) => e.seq);
        await open('hostile', last.seq);
        await page.waitForSelector('[aria-label=Iteration]');
        equal('iterations', await page.$eval('[aria-label=Iteration]', (e) => [Number(e.max), Number(e.value)]),
            [visits.length, visits.length]);
        await page.focus('[aria-label=Iteration]');
        await page.keyboard.press('Home');
        await at(visits[0]);
        await until('no sum yet', () => !document.querySelector('[data-panel=state] [data-name=sum] .v')?.textContent.match(/[1-9]/));
        equal('a link is a moment', await moment(), visits[0]);
    },
    async source_that_is_missing() {
        await page.route('**/api/source?*', (r) => r.fulfill({ status: 422, body: '{"error":"hindsight source: it is gone"}' }));
        refuse(1);
        await open('shop', 214);
        await page.waitForSelector('.cm-line.now');
        equal('what is recorded of the line', (await texts('.cm-line.now'))[0].startsWith('.count = …'), true);
        equal('it is told', (await texts('.note'))[0].startsWith('it is gone'), true);
        await refuse(0);
        await page.unroute('**/api/source?*');
    },
    async timeline() {
        await open('shop', 214);
        const spans = cli('timeline', 'shop', '--from', '0', '--to', '307', '--buckets', '400');
        await until('spans', (n) => document.querySelector('.flames').dataset.spans === String(n), spans.length);
        const box = await page.locator('.lanes canvas').boundingBox();
        const call = spans.find((s) => s.method === 'order');
        const middle = ((call.from + call.to) / 2 / 308) * box.width;
        await page.mouse.move(box.x + middle, box.y + 18 + call.depth * 15 + 7);
        await until('the call below the pointer', () => document.querySelector('.over b')?.textContent === 'Stock.order');
        await page.mouse.click(box.x + middle, box.y + 18 + call.depth * 15 + 7);
        await until('inside of it', (s) => !location.hash.includes(`t=${s}&`), 214);
        equal('a click goes into the call', (await moment()) > call.from && (await moment()) < call.to, true);
        const range = () => page.$eval('.flames', (e) => [Number(e.dataset.from), Number(e.dataset.to)]);
        await page.keyboard.press('w');
        await until('zoom', () => document.querySelector('.flames').dataset.from !== '0');
        const [from, to] = await range();
        equal('w halves it', to - from, 153);
        await page.keyboard.press('a');
        await until('pan', (f) => Number(document.querySelector('.flames').dataset.from) < f, from);
        await page.keyboard.press('0');
        await until('all of it', () => document.querySelector('.flames').dataset.from === '0');
        equal('0 shows all', await range(), [0, 307]);
    },
    async markup_stays_text() {
        const stores = cli('print', 'hostile', '--event', 'LOCAL_STORE', '--method', 'add');
        await open('hostile', stores[stores.length - 1].seq);
        equal('a string', await texts('[data-panel=state] [data-name=text] .v'),
            [`"<script>window.hit = 1</script>"#${cli('locals', 'hostile', '--at', String(stores[0].seq))[0].parameters.text.id}`]);
        equal('a thread', (await texts('.moves .dim'))[0].endsWith('</option><script>window.hit = 3</script>'), true);
        await page.click('[data-panel=state] [data-name=this] .fold');
        await page.waitForSelector('[data-panel=state] .members [data-name=image]');
        equal('a long and a double', await texts('[data-panel=state] .members [data-name=big] .v, .members [data-name=half] .v'),
            ['9007199254740993', '2.5']);
        equal('no markup of the trace', await page.evaluate(() => [window.hit ?? 0, document.querySelectorAll('img, svg, body script').length]),
            [0, 0]);
    },
    async exceptions() {
        await open('shop', undefined, 'exceptions');
        const [e] = cli('exceptions', 'shop');
        await page.waitForSelector('[data-panel=exceptions] .row');
        equal('exceptions', await texts('[data-panel=exceptions] .row span[class^=c-]'),
            [String(e.thrown), `${e.type.replace(/.*\./, '')} ${e.message}`, `${e.class}.${e.method}:${e.line}`, 'uncaught']);
        await page.click('[data-panel=exceptions] .row');
        await at(e.thrown);
        await page.waitForSelector('[data-panel=state] .frame');
    },
    async methods_and_heat() {
        await open('shop', undefined, 'methods');
        const report = cli('report', 'shop');
        await page.waitForSelector('[data-panel=methods] .row');
        const calls = new Map(report.map((r) => [r.class + '.' + r.method, String(r.calls)]));
        const shown = await texts('[data-panel=methods] .row .c-main');
        equal('methods', shown.sort(), [...calls.keys()].sort());
        await page.click('[data-panel=methods] .c-count');
        equal('sorted by calls', await texts('[data-panel=methods] .row .c-count'),
            [...calls.values()].map(Number).sort((a, b) => b - a).map(String));
        await open('shop', undefined, 'heat');
        await page.waitForSelector('[data-panel=heat] .row');
        const lines = new Map(); // counted from the events themselves
        for (const e of cli('print', 'shop', '--event', 'LINE_NUMBER'))
            lines.set(`${e.class.replace(/.*\./, '')}.${e.method}:${e.line}`, (lines.get(`${e.class}.${e.method}:${e.line}`) ?? 0) + 1);
        const names = await texts('[data-panel=heat] .row .c-main');
        const counts = await texts('[data-panel=heat] .row .c-count');
        const times = new Map(names.map((n, i) => [n, Number(counts[i])]));
        equal('heat', [...times].sort(), [...lines].sort());
        equal('the hottest is first', Number(counts[0]), Math.max(...times.values()));
    },
    async locks() {
        await open('dead', undefined, 'locks');
        await page.waitForSelector('.deadlock li');
        const [dead] = cli('deadlocks', 'dead');
        equal('who waits', await texts('.deadlock li b:first-child'), dead.threads.map((t) => t.name));
        await page.click('.deadlock li button');
        await at(dead.threads[0].waits.since);
    },
    async live_control() {
        const status = () => cli('status', 'living')[0];
        await open('living', undefined, 'features');
        await page.waitForSelector('[role=status].banner');
        equal('it is incomplete', (await texts('[role=status].banner'))[0].includes('still being recorded'), true);
        const jvm = `.jvm[data-pid="${status().pid}"]`;
        const press = async (act) => {
            await page.click(`${jvm} button:text-is("${act}")`);
            await page.waitForSelector('[role=dialog]');
        };
        await press('stop');
        await page.click('[role=dialog] button:has-text("cancel")');
        equal('nothing happens without an answer', status().recording, true);
        await press('mark');
        await page.fill('[role=dialog] [name=name]', '<b>first</b>');
        await page.click('[role=dialog] .solid');
        await until('mark', () => document.querySelector('[data-panel=live] .banner')?.textContent === 'mark: done');
        equal('a mark', status().marks, ['<b>first</b>']);
        await press('unmark');
        await page.click('[role=dialog] .solid');
        await until('unmark', () => document.querySelector('[data-panel=live] .banner')?.textContent === 'unmark: done');
        equal('no mark', status().marks, []);
        await press('stop');
        await page.click('[role=dialog] .solid');
        await until('stop', () => document.querySelector('[data-panel=live] .banner')?.textContent === 'stop: done');
        equal('it is stopped', status().recording, false);
        await page.waitForSelector(`${jvm} .tag:has-text("not recording")`);
        await open('living', undefined, 'features');
        await page.waitForSelector('[data-panel=features] li');
        equal('features', await texts('[data-panel=features] .list:first-of-type b'), cli('features', 'living').map((f) => f.feature));
    },
    async compare() {
        await open('shop', undefined, 'compare');
        const offered = await asked('');
        if (offered.includes('"command":"diff"')) {
            const other = await page.$eval('[aria-label="The other trace"]', (e) => e.value);
            const rows = cli('diff', 'shop', `${traces}/${other}`, '--limit', '500');
            await until('differences', (n) => document.querySelectorAll('.diff tbody tr').length === n, rows.length);
        } else {
            await until('no diff', () => document.querySelector('main.one .state')?.textContent.startsWith('This build has no'));
        }
    },
    async panels_are_resized() {
        const width = (name) => page.$eval(`[data-panel=${name}]`, (e) => Math.round(e.getBoundingClientRect().width));
        const height = () => page.$eval('[data-panel=timeline]', (e) => Math.round(e.getBoundingClientRect().height));
        const drag = async (edge, x, y) => {
            const box = await (await page.$(`[data-edge=${edge}]`)).boundingBox();
            const from = [box.x + box.width / 2, box.y + box.height / 2];
            await page.mouse.move(...from);
            await page.mouse.down();
            await page.mouse.move(from[0] + x, from[1] + y, { steps: 4 });
            await page.mouse.up();
        };
        await open('shop', 214);
        const first = [await width('calls'), await width('state'), await height()];
        await drag('calls', -60, 0);
        await drag('state', -40, 0);
        await drag('timeline', 0, 30);
        const want = [first[0] - 60, first[1] + 40, first[2] + 30];
        await eventually('sizes', async () => [await width('calls'), await width('state'), await height()], want);
        await page.reload();
        await page.waitForSelector('[data-panel=state] .frame');
        await eventually('they are kept', async () => [await width('calls'), await width('state'), await height()], want);
        await page.focus('[data-edge=calls]');
        await page.keyboard.press('ArrowRight');
        await eventually('by the keyboard', () => width('calls'), want[0] + 24);
        for (const edge of ['calls', 'state', 'timeline']) await page.dblclick(`[data-edge=${edge}]`);
        await eventually('as they were', async () => [await width('calls'), await width('state'), await height()], first);
        equal('nothing is kept', await page.evaluate(() => Object.keys(localStorage).filter((k) => k.includes('size'))), []);
    },
    async what_needs_room() {
        const threads = cli('threads', 'wide').filter((t) => t.events > 0);
        await open('wide', threads[threads.length - 1].last.seq);
        const lane = () => page.$eval('.flames .lanes', (e) => e.dataset.lane !== '' && e.scrollHeight > e.clientHeight
            && e.scrollTop <= Number(e.dataset.lane) && Number(e.dataset.lane) < e.scrollTop + e.clientHeight);
        await eventually('the thread of the moment is on the screen', lane, true);
        const stored = cli('print', 'wide', '--method', 'main', '--event', 'LOCAL_STORE').find((e) => e.attr.name === 'text');
        await open('wide', stored.seq);
        const value = '[data-panel=state] [data-name=text] .v';
        await page.waitForSelector(value + '.long');
        await page.click(value);
        const whole = Array.from({ length: 40 }, (_, i) => `line ${i} of a text that is long\n`).join('');
        await eventually('a long text is shown whole', () => page.$eval(value, (e) => e.textContent), whole);
        await page.click(value);
        await page.waitForSelector(value + '.long');
        // the list of calls at a deep one: it begins near the left edge, with its depth
        const deepest = cli('tree', 'wide', '--method', 'deep', '--fold', 'none').reduce((a, b) => (a.depth >= b.depth ? a : b));
        await open('wide', deepest.seq);
        await page.click('[data-panel=calls] .tabs button:has-text("near")');
        const row = '[data-panel=calls] .row.here';
        await page.waitForSelector(row);
        const left = () => page.$eval(row, (e) => e.querySelector('.text').getBoundingClientRect().left - e.getBoundingClientRect().left
            < e.getBoundingClientRect().width / 2);
        await eventually('a deep call is on the screen', left, true);
    },
    async without_a_stream() {
        await page.goto(`${base}?latest#trace=latest`);
        await page.waitForSelector('[data-panel=heat] .row');
        equal('views', await texts('.views button'), ['Heat', 'Methods']);
        const counts = async () => (await texts('[data-panel=heat] .row .c-count')).map(Number);
        const began = new Map(); // a line may begin at several places
        for (const r of cli('freq', 'latest').filter((e) => e.event === 'LINE_NUMBER'))
            began.set(r.class + r.method + r.line, (began.get(r.class + r.method + r.line) ?? 0) + r.count);
        await eventually('the most frequent line', async () => (await counts())[0], Math.max(...began.values()));
        equal('snapshots', (await texts('[aria-label=Snapshot] option')).slice(1),
            cli('info', 'latest')[0].snapshots.map((s) => `${s.number}: IllegalStateException ${s.exception.message}`));
        await page.selectOption('[aria-label=Snapshot]', '1');
        const rows = new Set(cli('freq', 'latest', '--snapshot', '1').filter((r) => r.count > 0 && r.line !== undefined
            && r.event !== 'METHOD_EXCEPTIONAL_EXIT').map((r) => [r.class, r.method, r.line].join()));
        await until('its lines', (n) => document.querySelector('[data-panel=heat] .rows').dataset.count === n, String(rows.size));
        await page.waitForSelector('[data-panel=lines] .row');
        await page.click('.views button:has-text("Methods")');
        await page.waitForSelector('[data-panel=methods] .row');
        equal('no error', await page.$$eval('.bad', (l) => l.length), 0);
    },
    async source_of_another_program() {
        refuse(1);
        await open('other', cli('exceptions', 'other')[0].thrown);
        await page.waitForSelector('[data-panel=source] .note');
        await eventually('one sentence', () => texts('[data-panel=source] .note'),
            ['The source of Failure is not in the folders of --source: these lines are as they were recorded.']);
        await refuse(0);
    },
    async broken_trace_and_phone() {
        refuse(1);
        await page.goto(base + '#trace=wrecked');
        await page.waitForSelector('[role=alert]');
        equal('a broken trace is told', (await texts('[role=alert]'))[0].length > 10, true);
        await refuse(0);
        await page.setViewportSize({ width: 390, height: 844 });
        await open('shop', 214);
        equal('fits a phone', await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
        await page.setViewportSize({ width: 1280, height: 800 });
        await open('shop', 214);
        equal('fits a screen', await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), true);
    },
};
await run(TESTS);
