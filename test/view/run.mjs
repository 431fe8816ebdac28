// run.mjs - see run.sh and harness.mjs: the timeline on a run with locks and on one that was recorded in parts.
import { at, cli, equal, moment, open, page, run, shot, texts, until } from './harness.mjs';

const LABEL = 18, ROW = 15; // of reader/view/lanes.js
const shown = (selector) => page.waitForSelector(selector);
const events = (trace) => cli('info', trace)[0].events;
const flames = () => page.$eval('.flames', (e) => ({ ...e.dataset }));
const drawn = async (trace) => {
    await open(trace, 0);
    await until('a picture', () => document.querySelector('.flames')?.dataset.spans !== '');
    return page.locator('.lanes canvas').boundingBox();
};

const point = (x, y) => page.locator('.lanes canvas').hover({ position: { x, y }, force: true });

// Where a lane begins: below those of the threads before it, each as high as its calls.
function lane(trace, spans, parts, thread) {
    let y = 0;
    for (const t of cli('threads', trace).filter((t) => t.events > 0)) {
        const own = (r) => r.thread === t.thread;
        const deep = Math.max(...spans.filter(own).map((s) => s.depth + 1), ...parts.filter(own).map((p) => Math.min(p.depth_max ?? 0, 60)));
        if (t.thread === thread) return y;
        if (Number.isFinite(deep)) y += LABEL + Math.max(1, deep) * ROW + 4;
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
        equal('it says how long', (await texts('.over'))[0].includes((wait.ns / 1e9).toFixed(2) + ' s after monitor_enter Lanes.locked'), true);
        const call = spans.filter((s) => s.thread === 0 && s.method === 'work').sort((a, b) => b.to - b.from - a.to + a.from)[0];
        await point(((call.from + call.to) / 2 / total) * box.width, LABEL + call.depth * ROW + 7);
        await until('a call', () => document.querySelector('.over b')?.textContent === 'Lanes.work');
        await shot('timeline');
    },
    async the_axis_of_time() {
        const box = await drawn('lanes');
        const total = events('lanes');
        await page.keyboard.press('t');
        await until('the axis', () => document.querySelector('.flames').dataset.axis === 'time');
        // the lock was waited for during most of the run: now it is as wide as it took
        const range = ['--from', '0', '--to', String(total - 1)];
        const spans = cli('timeline', 'lanes', ...range, '--buckets', '400', '--fast');
        const parts = cli('activity', 'lanes', ...range, '--buckets', '400');
        const wait = cli('activity', 'lanes', ...range, '--pauses').find((p) => p.event === 'MONITOR_ENTER');
        const begin = Math.min(...parts.map((p) => p.begin_ns));
        const end = Math.max(...parts.map((p) => p.begin_ns));
        const x = (ns) => ((ns - begin) / (end - begin)) * box.width;
        equal('it is most of the run', x(wait.begin_ns + wait.ns) - x(wait.begin_ns) > box.width / 2, true);
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
};
await run(TESTS);
