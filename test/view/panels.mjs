// panels.mjs - see panels.sh and harness.mjs.
import { at, cli, equal, open, page, run, shot, texts, until } from './harness.mjs';

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
};
await run(TESTS);
