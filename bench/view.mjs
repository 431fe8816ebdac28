// view.mjs ADDRESS TRACE SERVER REPEATS: how fast is the page of `hindsight view`, and how much memory does it take?
//
// One JSON line a question. `zoom` and `pan` are steps of the timeline as the page makes them: three questions asked at
// once (calls, activity, pauses); the time is that until the last answer is there (`cpu`: what they take of the processor, to 10 ms), from the whole run down to single
// events around random moments. `paint` is the time from opening the address until the timeline is drawn. `scroll` is
// the time between two pictures while the list of calls is scrolled, `play` the steps that the player makes in a second.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { chromium } = createRequire(process.env.NODE_PATH + '/')('playwright-core');
const [address, trace, server, repeats] = process.argv.slice(2);
const token = new URL(address).searchParams.get('token');
const base = new URL(address).origin;
const say = (what, figures) => console.log(JSON.stringify({ bench: 'view', what, ...figures }));
const sorted = (list) => [...list].sort((a, b) => a - b);
const share = (list, p) => Math.round(sorted(list)[Math.min(list.length - 1, Math.floor(list.length * p))] * 10) / 10;
const spread = (list) => ({ steps: list.length, median_ms: share(list, 0.5), p99_ms: share(list, 0.99), max_ms: share(list, 1) });

const ask = async (command, parameters) => {
    const answer = await fetch(`${base}/api/${command}?${new URLSearchParams({ trace, ...parameters })}`,
        { headers: { authorization: 'Bearer ' + token } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(command + ': ' + text);
    return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
};
// Milliseconds of the processor that the server and its commands have taken.
const spent = () => {
    const fields = readFileSync(`/proc/${server}/stat`, 'utf8').replace(/.*\) /, '').split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + 10 * Number(ticks), 0);
};
async function step(from, to) {
    const part = { from: Math.round(from), to: Math.round(to) };
    const begun = performance.now();
    await Promise.all([ask('timeline', { ...part, buckets: 400, fast: true }), ask('activity', { ...part, buckets: 400 }),
        ask('activity', { ...part, pauses: true, limit: 1000 })]);
    return performance.now() - begun;
}

const [{ events }] = await ask('info', {});
await step(0, events - 1); // builds the index if there is none
let seed = 7; // the same moments every time
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const zooms = [], pans = [], costs = [];
const measured = async (list, from, to) => {
    const before = spent();
    list.push(await step(from, to));
    costs.push(spent() - before);
};
for (let n = 0; n < repeats * 2; n++) {
    const moment = Math.floor(random() * events);
    for (let wide = events; wide > 20; wide /= 2) {
        const from = Math.max(0, Math.min(events - wide, moment - wide / 2));
        await measured(zooms, from, from + wide - 1);
        const left = Math.max(0, from - wide / 4);
        if (wide < events) await measured(pans, left, left + wide - 1);
    }
}
say('zoom', { events, ...spread(zooms) });
say('pan', { events, ...spread(pans) });
say('cpu', { events, mean_ms: Math.round(costs.reduce((a, b) => a + b) / costs.length), ...spread(costs) });

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--enable-precise-memory-info'] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
page.setDefaultTimeout(120000);
await page.goto(address);
const drawn = () => page.waitForFunction(() => Number(document.querySelector('.flames')?.dataset.spans) > 0);
await drawn();
const paints = [];
for (let n = 0; n < repeats; n++) {
    const begun = performance.now();
    await page.goto(`${base}/?${n}#trace=${trace}&t=${Math.floor(random() * events)}`);
    await drawn();
    paints.push(performance.now() - begun);
}
say('paint', { events, ...spread(paints) });

// a long list of calls: every level of the first ones is opened
await page.waitForSelector('[data-panel=calls] .row');
await page.focus('[data-panel=calls] .rows');
for (let n = 0; n < 40; n++) {
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(50);
    await page.keyboard.press('ArrowDown');
}
await page.waitForTimeout(1000);
const frames = await page.evaluate(() => new Promise((done) => {
    const list = document.querySelector('[data-panel=calls] .rows'), times = [];
    let last = performance.now(), down = 60;
    const picture = (now) => {
        times.push(now - last);
        last = now;
        if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) down = -60;
        if (list.scrollTop === 0) down = 60;
        list.scrollTop += down;
        if (times.length < 300) requestAnimationFrame(picture);
        else done(times.slice(1));
    };
    requestAnimationFrame(picture);
}));
const rows = await page.$eval('[data-panel=calls] .rows', (e) => Number(e.dataset.count));
say('scroll', { rows, pictures_a_second: Math.round(1000 / (frames.reduce((a, b) => a + b) / frames.length)), ...spread(frames) });

const kilobytes = (pid, key) => Number(new RegExp(key + ':\\s*(\\d+)').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
const heap = await page.evaluate(() => performance.memory.usedJSHeapSize);
say('memory', { events, page_heap_mb: Math.round(heap / 1e5) / 10, server_peak_mb: Math.round(kilobytes(server, 'VmHWM') / 102.4) / 10 });

await page.goto(`${base}/?play#trace=${trace}&t=0&view=player`);
await page.waitForSelector('.callgraph .node');
await page.selectOption('[aria-label="Steps a second"]', '2000');
const stood = () => page.$eval('.now', (e) => Number(e.dataset.seq));
await page.click('[aria-label="play (space)"]');
await page.waitForFunction(() => Number(document.querySelector('.now').dataset.seq) > 100);
const first = await stood();
await page.waitForTimeout(3000);
await page.click('[aria-label=stop]');
const last = await stood();
const [{ thread }] = await ask('print', { num: 1 });
const made = await ask('print', { from: first + 1, to: last, event: 'METHOD_ENTRY,METHOD_NORMAL_EXIT,METHOD_EXCEPTIONAL_EXIT', thread });
say('play', { events, steps_a_second: Math.round(made.length / 3), wanted: 2000 });
await browser.close();
