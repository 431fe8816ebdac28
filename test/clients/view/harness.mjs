// harness.mjs - the page of `hindsight view` in Debian's chromium: what the tests of the page share.
//
// Called as NAME.mjs ADDRESS HINDSIGHT TRACES ROOT. `cli` is the command's answer. With SHOTS=DIRECTORY in the
// environment, `shot` leaves pictures there: those of docs/img come from it.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const { chromium } = createRequire(process.env.NODE_PATH + '/')('playwright-core');
export const [address, hindsight, traces, sources] = process.argv.slice(2);
let failures = 0;
export const fail = (text) => {
    failures++;
    console.log('FAILED: ' + text);
};
export const equal = (what, got, want) => {
    if (JSON.stringify(got) !== JSON.stringify(want)) fail(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(want)}`);
};
// The same of what takes a while to show: `get` is asked until it answers that, a minute at most.
export const eventually = async (what, get, want) => {
    for (let i = 0; i < 1200 && JSON.stringify(await get()) !== JSON.stringify(want); i++) await page.waitForTimeout(50);
    equal(what, await get(), want);
};
export const cli = (command, trace, ...words) => {
    const told = spawnSync(hindsight, [command, `${traces}/${trace}`, ...words, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 });
    if (told.status !== 0 && told.status !== 3) throw new Error(`${command} ${words.join(' ')}: ${told.stderr}`);
    return told.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
};

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
context.setDefaultTimeout(60000);
export const page = await context.newPage();
let refused = 0; // questions that a test makes fail on purpose
const asking = new Set(); // requests that have no answer yet
page.on('request', (r) => asking.add(r));
for (const end of ['requestfinished', 'requestfailed']) page.on(end, (r) => asking.delete(r));
// 0: no more of them, when the last one has been answered, which may be later than what it is about is seen
export const refuse = async (n) => {
    for (let quiet = 0, i = 0; n === 0 && quiet < 5 && i < 1200; i++) {
        quiet = asking.size === 0 ? quiet + 1 : 0;
        await page.waitForTimeout(50);
    }
    refused = n;
};
page.on('console', (m) => {
    if (m.type() === 'error' && !(/status of 4\d\d|ERR_FAILED/.test(m.text()) && refused > 0)) fail('console: ' + m.text());
});
page.on('pageerror', (e) => fail('page: ' + e.message));
page.on('request', (r) => {
    if (!r.url().startsWith(new URL(address).origin) && !r.url().startsWith('data:')) fail('request to ' + r.url());
});
export const base = new URL(address).origin + '/';
let opened = 0;
export const open = async (trace, seq, view = 'run', more = '') => {
    asking.clear(); // nothing says how those of the page that is left end
    await page.goto(`${base}?${++opened}#trace=${trace}${seq === undefined ? '' : '&t=' + seq}&view=${view}${more}`);
    await page.waitForSelector(view === 'run' ? '[data-panel=state] .frame' : 'main.one');
};
// what the API answers to this page
export const asked = (path) => page.evaluate(async (p) => {
    const headers = { Authorization: 'Bearer ' + localStorage.getItem('hindsight-token') };
    return (await fetch('/api/' + p, { headers })).text();
}, path);
export const texts = (selector) => page.$$eval(selector, (list) => list.map((e) => e.textContent.replace(/\s+/g, ' ').trim()));
export const moment = () => page.evaluate(() => Number(new URLSearchParams(location.hash.slice(1)).get('t')));
export const until = (what, f, ...args) => page.waitForFunction(f, ...args).catch(() => fail('never: ' + what));
export const at = (seq) => until('seq ' + seq, (s) => new URLSearchParams(location.hash.slice(1)).get('t') === String(s), seq);
export const shot = async (name) => {
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
};

// Runs the tests, each a function, and ends the process.
export async function run(tests) {
    for (const [name, test] of Object.entries(tests)) {
        const before = failures;
        const begun = Date.now();
        try {
            await test();
        } catch (e) {
            fail(`${name}: ${e.message.split('\n').slice(0, 3).join(' ')}`);
        }
        console.log(`${failures === before ? 'ok' : 'not ok'} ${name} ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    }
    await browser.close();
    console.log(`${Object.keys(tests).length} tests, ${failures} failures`);
    process.exit(failures ? 1 : 0);
}

// the address: its token goes into the storage of the page and out of the address; a cookie would go to other ports
await page.goto(address);
await page.waitForSelector('[data-panel=calls]');
equal('the token is not in the address', page.url().includes('token'), false);
equal('cookies', await page.evaluate(() => document.cookie), '');
await page.reload();
await page.waitForSelector('[data-panel=calls]');
