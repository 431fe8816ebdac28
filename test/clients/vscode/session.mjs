// session.mjs HINDSIGHT TRACE OTHER-TRACE ADDRESS SHOTS FOLDERS - see run.sh. What is expected is what the command says.
import { spawnSync } from 'node:child_process';
import { openCode } from './code.mjs';
import { serve } from './serve.mjs';

const [hindsight, trace, other, address, shots, folders] = process.argv.slice(2);
let failures = 0;
const same = (what, got, want) => {
    if (JSON.stringify(got) === JSON.stringify(want)) return;
    failures++;
    console.log(`FAILED: ${what}: ${JSON.stringify(got)}, not ${JSON.stringify(want)}`);
};
const cli = (command, ...words) => { // of `trace`, or the one that is named first
    const of = words[0] === other ? [] : [trace];
    const told = spawnSync(hindsight, [command, ...of, ...words, '--json'], { encoding: 'utf8' });
    if (told.status !== 0 && told.status !== 3) throw new Error(`${command} ${words.join(' ')}: ${told.stderr}`);
    return told.stdout.split('\n').filter(Boolean).map(line => JSON.parse(line));
};

const events = cli('print');
const lineSeqs = (method, line) => events
    .filter(e => e.event === 'LINE_NUMBER' && e.method === method && e.line === line).map(e => e.seq);
const simple = name => name.replace(/^.*\./, ''); // of a class, or a field
const text = v => v === null ? 'null' : typeof v !== 'object' ? String(v)
    : v.string !== undefined ? `"${v.string}"#${v.id}` : `${simple(v.type)}#${v.id}`;

const server = await serve(JSON.parse(folders));
const { code, close } = await openCode(server.address, shots);

// The page at a moment: the frames, the line and the variables that `hindsight locals` has.
async function checkMoment(what, seq) {
    const frames = cli('locals', '--at', String(seq)), top = frames[0];
    same(`${what}: event`, await code.until(() => code.seq(), s => s === seq), seq);
    const names = frames.map(f => `${f.class}.${f.method}`);
    const is = want => got => JSON.stringify(got) === JSON.stringify(want);
    same(`${what}: stack`, await code.until(() => code.stack(), is(names)), names);
    same(`${what}: line`, await code.until(() => code.line(), l => l === top.line), top.line);
    const values = Object.entries({ ...(top.this ? { this: top.this } : {}), ...top.parameters, ...top.locals })
        .map(([name, v]) => [name + ' =', text(v)]);
    const locals = () => code.variables('.debug-variables', 2);
    same(`${what}: variables`, await code.until(locals, is(values)), values);
}

const TESTS = {
    async a_breakpoint() {
        await code.openFile('Stock.java');
        await code.toggleBreakpoint(31);
        await code.move(() => code.page.keyboard.press('F5'));
        await checkMoment('the beginning', 0);
        for (const seq of lineSeqs('deliver', 31)) {
            await code.move(() => code.tool('Continue'));
            await checkMoment('breakpoint', seq);
        }
    },
    // From the second delivery: each step ends where the lines of the call say.
    async steps() {
        const at = lineSeqs('deliver', 31)[1];
        const [call] = cli('locals', '--at', String(at));
        const own = events.filter(e => e.event === 'LINE_NUMBER' && e.method === 'deliver' && e.seq > call.entered);
        const lines = own.map(e => e.seq), i = lines.indexOf(at);
        const exit = events.find(e => e.event === 'METHOD_NORMAL_EXIT' && e.method === 'deliver' && e.seq > at);
        const caller = events.find(e => e.method === 'main' && e.seq > exit.seq);
        const step = async (tool, seq) => {
            await code.move(() => code.tool(tool));
            await checkMoment(tool, seq);
        };
        await step('Step Over', lines[i + 1]);
        await step('Step Back', at);
        await step('Step Back', lines[i - 1]);
        await step('Step Back', lines[i - 2]);
        await step('Step Into', events.find(e => e.event === 'LINE_NUMBER' && e.seq > lines[i - 2]).seq); // find
        await step('Step Out', events.find(e => e.method === 'deliver' && e.seq > lines[i - 2] + 10).seq);
        await step('Continue', at);
        await step('Step Out', caller.seq);
        await step('Reverse', at);
    },
    async watch_and_fields() {
        const [, seq] = lineSeqs('deliver', 32);
        await code.move(() => code.tool('Step Over'));
        await checkMoment('after the write', seq);
        const [{ locals }] = cli('locals', '--at', String(seq));
        const fields = cli('object', String(locals.item.id), '--at', String(seq))[0].fields;
        await code.expand('item');
        const shown = async () => (await code.variables()).filter(([name]) => /^(name|count) =$/.test(name));
        const found = await code.until(shown, l => l.length === 3);
        const wanted = [...Object.entries(fields).map(([name, v]) => [simple(name) + ' =', text(v)]),
            ['count =', text(locals.count)]]; // of the object, and the local variable
        const bare = found.map(([name, value]) => [name, value.replace(/ \(may have changed.*/, '')]);
        same('fields and locals', bare.sort(), wanted.sort());
        await code.openView('Watch');
        await code.watch('item.count + count * 10');
        same('watch', await code.until(() => code.variables('.debug-watch'), l => l.length > 0 && /\d/.test(l[0][1])),
            [['item.count + count * 10 =', String(fields['Stock$Item.count'] + locals.count * 10)]]);
        await code.closeView('Watch');
    },
    async an_exception_and_its_cause() {
        const [{ thrown }] = cli('exceptions');
        await code.move(() => code.tool('Continue'));
        await checkMoment('uncaught exception', thrown);
        const item = cli('locals', '--at', String(thrown))[0].locals.item.id;
        const [write] = cli('last-write', `${item}.count`, '--at', String(thrown));
        const place = e => `${simple(e.class)}.${e.method}:${e.line}`;
        await code.expand('item');
        await code.menu(code.variable('count'), 'Who Wrote This?');
        same('who wrote it', await code.until(() => code.rows('Who Wrote It'), r => r.length > 0),
            [[text(write.value), place(write)]]);
        await code.move(() => code.row('Who Wrote It', place(write)).click());
        await checkMoment('the write', write.seq);

        await code.move(() => code.tool('Continue'));
        await checkMoment('the exception again', thrown);
        await code.expand('item');
        await code.menu(code.variable('count'), 'Why?');
        const chain = cli('why', '--at', String(write.seq));
        const shown = await code.until(() => code.rows('Who Wrote It'), r => r.length > 1);
        same('why', shown, chain.slice(0, shown.length).map(e => [text(e.value), `${place(e)} ${e.because}`]));
        await code.move(() => code.row('Who Wrote It', chain[2].because).click());
        await checkMoment('a cause', chain[2].seq);

        await code.move(() => code.tool('Continue'));
        await checkMoment('the breakpoint', lineSeqs('deliver', 31).find(s => s > chain[2].seq));
        await code.move(() => code.tool('Continue'));
        await checkMoment('the exception once more', thrown);
        await code.expand('item');
        await code.menu(code.variable('count'), 'Break on Value Change');
        await code.page.locator('.debug-breakpoints .monaco-list-row', { hasText: 'count' }).waitFor();
        await code.move(() => code.tool('Reverse'));
        await checkMoment('a data breakpoint, backwards', write.seq);
        same('its reason', await code.text(code.page.locator('.call-stack-state-message .label')),
            ['Paused on data breakpoint']);
    },
    async values_behind_lines() {
        const find = events.filter(e => e.method === 'find' && e.event === 'METHOD_ENTRY').pop();
        const own = events.filter(e => e.method === 'find' && e.seq > find.seq);
        const rounds = own.filter(e => e.event === 'LOCAL_LOAD' && e.line === 19 && e.attr.name === 'item');
        const names = own.filter(e => e.event === 'GET_INSTANCE_FIELD_RESULT' && e.line === 19).map(e => text(e.value));
        const visits = own.filter((e, i) => e.line === 19 && own[i - 1].line !== 19).map(e => e.seq);
        same('the program has two rounds', [rounds.length, names.length, visits.length], [2, 2, 2]);
        await code.command('Hindsight: Go to Event');
        await code.move(() => code.answerBox(String(rounds[0].seq)));
        await checkMoment('a round', rounds[0].seq);
        same('the reason', await code.text(code.page.locator('.call-stack-state-message .label')), ['Paused at event ' + rounds[0].seq]);
        const behind = async line => ((await code.lineValues())[line] ?? []).map(([text]) => text).join(', ');
        const shows = (line, name) => code.until(() => behind(line), t => t.includes(`.name = ${name},`));
        same('the first round', (await shows(19, names[0])).includes(`item = ${text(rounds[0].value)}`), true);
        const shown = await code.lineValues();
        const colour = (line, name) => shown[line].find(([text]) => text.startsWith(name))?.[1];
        const seen = colour(18, 'name'), later = colour(20, 'item');
        same('what was seen up to the moment has another colour', seen === later, false);
        same('a line in its middle', [colour(19, 'item'), colour(19, '.name')], [seen, later]);
        const reads = own.filter(e => e.line && (e.event === 'LOCAL_LOAD' || e.event === 'METHOD_PARAM'));
        same('lines with values', Object.keys(shown).map(Number),
            [...new Set(reads.map(e => e.line))].sort((a, b) => a - b));
        await code.move(() => code.lens('›', 19));
        await checkMoment('the next round', visits[1]);
        same('the second round', (await shows(19, names[1])).includes(`item = ${text(rounds[1].value)}`), true);
        await code.lens('time 2 of 2', 19);
        const choice = code.page.locator('.quick-input-list .monaco-list-row');
        same('all rounds', (await code.until(() => code.text(choice), l => l.length > 0))
            .map(t => names.findIndex(n => t.includes(`.name = ${n}`))), [0, 1]);
        await code.move(() => choice.first().click());
        await checkMoment('the first round again', visits[0]);
    },
    async timeline() {
        const [{ type, thrown }] = cli('exceptions');
        await code.openView('Timeline');
        const [mark] = cli('features'), now = await code.seq();
        const rows = [[0, 'Beginning', '0'], [now, 'Now', String(now)],
            [mark.first, mark.feature, `${mark.first}, mark, ${mark.last - mark.first + 1} events`],
            [thrown, simple(type), `${thrown}, not caught`],
            [events.length - 1, 'End', String(events.length - 1)]];
        const wanted = rows.sort((a, b) => a[0] - b[0]).map(r => r.slice(1));
        same('timeline', await code.until(() => code.rows('Timeline'), r => r.length === wanted.length), wanted);
        await code.move(() => code.row('Timeline', mark.feature).click());
        await checkMoment('a mark', mark.first);
        await code.move(() => code.row('Timeline', 'IllegalState').click());
        await checkMoment('the exception', thrown);
    },
    // Each line leads to the call that wrote it, and the one that was written last by the moment is selected.
    async output() {
        const lines = cli('output').map(l => [l.text.trim(), l.seq]);
        const selects = async (what, n) =>
            same(what, await code.until(() => code.selected('Output'), text => text === lines[n][0]), lines[n][0]);
        const at = async n => {
            same('a line of output', await code.until(() => code.seq(), seq => seq === lines[n][1]), lines[n][1]);
            await selects('the line selected', n);
        };
        await code.openView('Output');
        same('output', await code.until(() => code.rows('Output'), r => r.length === lines.length),
            lines.map(([text, seq]) => [text, String(seq)]));
        await code.move(() => code.row('Output', lines[2][0]).click());
        await at(2);
        await code.move(() => code.tool('Step Back'));
        await selects('a step moves the line', 1);
        await code.move(() => code.row('Output', lines[0][0]).click());
        await at(0);
    },
    async no_errors_are_shown() {
        same('notifications', await code.text(code.page.locator('.notification-toast')), []);
    },
    // A trace that is chosen without a configuration; its source is not in the workspace, so the adapter gives it.
    async another_trace() {
        await code.tool('Disconnect');
        await code.until(() => code.seq(), seq => seq === undefined);
        const ask = async given => {
            await code.command('Hindsight: Open a Trace');
            await code.answerBox(other);
            await code.page.locator('.quick-input-title', { hasText: 'address' }).waitFor();
            await code.answerBox(given);
        };
        await ask(address.replace(/token=../, 'token=00'));
        const dialog = code.page.locator('.monaco-dialog-box');
        await dialog.waitFor();
        same('a wrong address', (await dialog.textContent()).includes('no connection to hindsight dap'), true);
        await dialog.locator('.monaco-button', { hasText: 'Cancel' }).click();
        await code.move(() => ask(address));
        const [frame] = cli('locals', other, '--at', '0');
        same('its stack', await code.until(() => code.stack(), l => l.length > 0), [`${frame.class}.${frame.method}`]);
        same('its line', await code.until(() => code.line(), l => l === frame.line), frame.line);
        const shown = async () => (await code.text(code.page.locator('.view-lines .view-line'))).join(' ');
        const call = cli('dataids', other).find(d => d.event === 'CALL' && d.line === frame.line);
        const outline = `${call.attr.owner}.${call.attr.name}(...)`;
        same('the outline: ' + outline, (await code.until(shown, t => t.includes(outline))).includes(outline), true);
        same('values behind its lines', Object.keys(await code.until(() => code.lineValues(),
            l => Object.keys(l).length > 0)).length > 0, true);
    },
};

try {
    for (const [name, test] of Object.entries(TESTS)) {
        console.log(name);
        await test();
    }
} catch (e) {
    failures++;
    console.log('FAILED: ' + e.stack);
}
if (failures > 0) await code.shot('failed');
await close();
server.close();
console.log(`${failures} failures`);
process.exit(failures > 0 ? 1 : 0);
