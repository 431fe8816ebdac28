// run.mjs - see run.sh and harness.mjs: the timeline on a run with locks and on one that was recorded in parts.
import { at, cli, equal, moment, open, page, run, shot, texts, until } from './harness.mjs';

const LABEL = 18, ROW = 15; // of reader/view/lanes.js
const shown = (selector) => page.waitForSelector(selector);
const events = (trace) => cli('info', trace)[0].events;
const ids = (selector) => page.$$eval(selector, (list) => list.map((e) => e.dataset.id));
const flames = () => page.$eval('.flames', (e) => ({ ...e.dataset }));
const drawn = async (trace) => {
    await open(trace, 0);
    await until('a picture', () => document.querySelector('.flames')?.dataset.spans !== '');
    return page.locator('.lanes canvas').boundingBox();
};

const point = (x, y) => page.locator('.lanes canvas').hover({ position: { x, y }, force: true });

// Where a lane begins: below those of the threads before it, each as high as its calls, at most 8 unless it is opened.
function lane(trace, spans, parts, thread) {
    let y = 0;
    for (const t of cli('threads', trace).filter((t) => t.events > 0)) {
        const own = (r) => r.thread === t.thread;
        if (t.thread === thread) return y;
        if (spans.some(own) || parts.some(own)) y += LABEL + Math.min(8, Math.max(1, ...spans.filter(own).map((s) => s.depth + 1))) * ROW + 4;
    }
    throw new Error('no such thread');
}

const TESTS = {
    async a_large_run() {
        const box = await drawn('lanes');
        const total = events('lanes');
        const range = ['--from', '0', '--to', String(total - 1)];
        const spans = cli('timeline', 'lanes', ...range, '--buckets', '400', '--fast');
        const parts = cli('activity', 'lanes', ...range, '--buckets', '400');
        const pauses = cli('activity', 'lanes', ...range, '--pauses', '--limit', '1000');
        equal('what is drawn', [(await flames()).spans, (await flames()).pauses], [spans.length, pauses.length].map(String));
        const wait = pauses.find((p) => p.event === 'MONITOR_ENTER');
        await point(((wait.from + wait.to) / 2 / total) * box.width, lane('lanes', spans, parts, wait.thread) + LABEL - 3);
        await until('a wait for a lock', () => document.querySelector('.over b')?.textContent === 'waits for a lock');
        const took = wait.ns < 1e9 ? (wait.ns / 1e6).toFixed(1) + ' ms' : (wait.ns / 1e9).toFixed(2) + ' s'; // less if busy
        equal('it says how long', (await texts('.over'))[0].includes(took + ' after monitor_enter Lanes.locked'), true);
        const call = spans.filter((s) => s.thread === 0 && s.method === 'work').sort((a, b) => b.to - b.from - a.to + a.from)[0];
        await point(((call.from + call.to) / 2 / total) * box.width, LABEL + call.depth * ROW + 7);
        await until('a call', () => document.querySelector('.over b')?.textContent === 'Lanes.work');
        await shot('timeline');
        const height = (await flames()).height;
        const deep = (thread) => Math.max(...spans.filter((s) => s.thread === thread).map((s) => s.depth + 1));
        await page.locator('.lanes canvas').click({ position: { x: 20, y: 6 }, force: true });
        await until('the lane is opened', (h) => document.querySelector('.flames').dataset.height === h, String(Number(height) + (deep(0) - 8) * ROW));
    },
    async the_axis_of_time() {
        const box = await drawn('lanes');
        const total = events('lanes');
        await page.keyboard.press('t');
        await until('the axis', () => document.querySelector('.flames').dataset.axis === 'time');
        // the wait for the lock is as wide as it took
        const range = ['--from', '0', '--to', String(total - 1)];
        const spans = cli('timeline', 'lanes', ...range, '--buckets', '400', '--fast');
        const parts = cli('activity', 'lanes', ...range, '--buckets', '400');
        const wait = cli('activity', 'lanes', ...range, '--pauses').find((p) => p.event === 'MONITOR_ENTER');
        const begin = Math.min(...parts.map((p) => p.begin_ns));
        const end = Math.max(...parts.map((p) => p.begin_ns));
        const x = (ns) => ((ns - begin) / (end - begin)) * box.width;
        const wide = x(wait.begin_ns + wait.ns) - x(wait.begin_ns);
        equal('there is room to point at it', wide > 10, true);
        const y = lane('lanes', spans, parts, wait.thread) + LABEL - 3;
        for (const part of [0.1, 0.5, 0.9]) {
            await point(x(wait.begin_ns + part * wait.ns), y);
            await until('the wait at ' + part, () => document.querySelector('.over b')?.textContent === 'waits for a lock');
        }
        const before = await flames();
        await page.keyboard.press('w');
        await until('zoom', (f) => document.querySelector('.flames').dataset.to !== f, before.to);
        await page.keyboard.press('0');
        await until('all of it', (t) => document.querySelector('.flames').dataset.to === t, String(total - 1));
        await page.keyboard.press('t');
        await until('events again', () => document.querySelector('.flames').dataset.axis === 'events');
    },
    async down_to_single_events() {
        await drawn('lanes');
        const total = events('lanes');
        const middle = Math.round(total / 2);
        await open('lanes', middle);
        for (let wide = total; wide > 25; wide /= 2) {
            const { from, to } = await flames();
            await page.keyboard.press('w');
            await until('a step', ([f, t]) => {
                const now = document.querySelector('.flames').dataset;
                return now.from !== f || now.to !== t;
            }, [from, to]);
        }
        await until('the last picture', () => document.querySelector('.flames').dataset.spans !== '');
        const { from, to, spans } = await flames();
        equal('the moment is in it', Number(from) <= middle && middle <= Number(to) && to - from < 40, true);
        equal('its calls', Number(spans), cli('timeline', 'lanes', '--from', from, '--to', to, '--buckets', '400').length);
    },
    async periods_and_gaps() {
        await drawn('parts');
        const periods = cli('info', 'parts')[0].intervals.list;
        equal('gaps', (await flames()).gaps, String(periods.length - 1));
        equal('there are some', periods.length > 1, true);
    },
    async the_call_graph() {
        await open('shop', 214, 'player');
        await shown('.callgraph .node');
        const edges = cli('report', 'shop', '--callers', '*');
        const key = (m) => 'm ' + m.class + '.' + m.method + m.desc;
        const nodes = new Set(edges.flatMap((e) => (e.caller ? [key(e), key(e.caller)] : [key(e)])));
        const links = new Set(edges.filter((e) => e.caller && key(e.caller) !== key(e)).map((e) => key(e.caller) + ' > ' + key(e)));
        equal('a node for each method', (await ids('.callgraph .node')).sort(), [...nodes].sort());
        equal('a line for each pair', (await page.$$eval('.callgraph path', (l) => l.map((e) => e.dataset.from + ' > ' + e.dataset.to))).sort(),
            [...links].sort());
        // callers are above what they call, unless they call each other in a circle
        const tops = Object.fromEntries(await page.$$eval('.callgraph .node', (l) => l.map((e) => [e.dataset.id, e.getBoundingClientRect().top])));
        const down = [...links].filter((l) => tops[l.split(' > ')[0]] < tops[l.split(' > ')[1]]).length;
        equal('layers', down >= links.size * 0.8, true);
        await shot('player');
        // zoom: the class closed is one node, and opened again; a method alone with those around it
        const main = [...nodes].find((n) => n.startsWith('m Stock.main'));
        await page.click(`.callgraph .node[data-id="${main}"]`);
        await page.click('.now button:has-text("close its class")');
        await shown('.callgraph .node[data-id="c Stock"]');
        equal('the class is one node', (await ids('.callgraph .node')).filter((n) => n.startsWith('m Stock.')).length, 0);
        await page.dblclick('.callgraph .node[data-id="c Stock"]');
        await shown(`.callgraph .node[data-id="${main}"]`);
        await page.click(`.callgraph .node[data-id="${main}"]`);
        await page.click('.now button:has-text("only this")');
        const around = new Set([...links].map((l) => l.split(' > ')).filter((l) => l.includes(main)).flat());
        await until('only main', (n) => document.querySelectorAll('.callgraph .node').length === n, around.size);
        equal('a method alone', (await ids('.callgraph .node')).sort(), [...around].sort());
        await page.click('.now button:has-text("all")');
        await until('all again', (n) => document.querySelectorAll('.callgraph .node').length === n, nodes.size);
    },
    async a_run_is_played() {
        const moves = cli('print', 'shop', '--thread', '0', '--event', 'METHOD_ENTRY,METHOD_NORMAL_EXIT,METHOD_EXCEPTIONAL_EXIT');
        const first = moves.findIndex((e) => e.method === 'order');
        const standing = (seq) => until('stands at ' + seq, (s) => document.querySelector('.now')?.dataset.seq === s, String(seq));
        await open('shop', moves[first].seq, 'player');
        await shown('.callgraph .node.top');
        await standing(moves[first].seq);
        const onGraph = async (e) => {
            const frames = cli('locals', 'shop', '--at', String(e.seq)); // as the state shows them
            const want = new Set(frames.map((f) => `m ${f.class}.${f.method}${f.desc}`));
            equal('calls at ' + e.seq, (await ids('.callgraph .node.on')).sort(), [...want].sort());
            equal('the innermost at ' + e.seq, await ids('.callgraph .node.top'), [...want].slice(0, 1));
        };
        await onGraph(moves[first]);
        for (let i = 1; i <= 4; i++) {
            await page.keyboard.press('.');
            await standing(moves[first + i].seq);
            await onGraph(moves[first + i]);
        }
        for (let i = 3; i >= -3; i--) {
            await page.keyboard.press(',');
            await standing(moves[first + i].seq);
        }
        await onGraph(moves[first - 3]);
        await page.selectOption('[aria-label="Steps a second"]', '500');
        await page.click('[aria-label="play (space)"]');
        await standing(moves[moves.length - 1].seq); // to the end, where it stops
        await until('it has stopped', () => document.querySelector('.now').dataset.playing === '0');
        await at(moves[moves.length - 1].seq);
        await page.click('[aria-label="play back (b)"]');
        await standing(moves[0].seq);
        await until('it has stopped', () => document.querySelector('.now').dataset.playing === '0');
        await page.selectOption('[aria-label="Steps a second"]', '5');
        await page.click('[aria-label="play (space)"]');
        await until('it plays', (s) => Number(document.querySelector('.now').dataset.seq) > s, moves[0].seq);
        await page.click('[aria-label="stop"]');
        await until('it has stopped', () => document.querySelector('.now').dataset.playing === '0');
        const [here, stopped] = await page.$eval('.now', (e) => [Number(e.dataset.seq), e.dataset.playing]);
        equal('it stays', [moves.some((e) => e.seq === here), here < moves[moves.length - 1].seq, stopped], [true, true, '0']);
    },
    async the_list_beside_it() {
        await open('shop', 214, 'player');
        await shown('[data-panel=calls] .row');
        const rows = cli('tree', 'shop', '--depth', '1', '--fold', 'equal');
        await until('the first level', (n) => document.querySelectorAll('[data-panel=calls] .row').length === n, rows.length);
        equal('calls', (await texts('[data-panel=calls] .row .seq')).map(Number), rows.map((r) => r.seq));
        equal('loops are folded', (await texts('[data-panel=calls] .row .times')).filter((t) => t.startsWith('×')).length,
            rows.filter((r) => r.times > 1).length);
        await page.selectOption('[data-panel=calls] .search select', 'value');
        await page.fill('input[name=text]', '"pen 12"');
        await page.press('input[name=text]', 'Enter');
        const found = cli('print', 'shop', '--value', '"pen 12"').map((e) => e.seq);
        await until('found', (n) => document.querySelector('[aria-label=Found]')?.dataset.count === n, String(found.length));
        await page.click(`[data-panel=calls] .row[data-seq="${found[1]}"]`);
        await at(found[1]);
        await until('the player goes there', (s) => document.querySelector('.now')?.dataset.seq === s, String(found[1]));
    },
};
await run(TESTS);
