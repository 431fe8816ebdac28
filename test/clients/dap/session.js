// session.js HINDSIGHT TRACES SOURCES STEPS: sessions with `hindsight dap`, driven by @vscode/debugadapter-testsupport.
// What is expected comes from the program, or from `hindsight print`, `locals`, `history` and `exceptions` --json.
'use strict';
const { DebugClient } = require('@vscode/debugadapter-testsupport');
const { execFileSync, spawn } = require('child_process');
const crypto = require('crypto');
const fs = require('fs');
const net = require('net');
const path = require('path');

const [hindsight, traces, sources, steps_wanted] = process.argv.slice(2);
let failures = 0, checks = 0;
function same(what, got, expected) {
    checks++;
    if (JSON.stringify(got) === JSON.stringify(expected))
        return;
    failures++;
    console.log(`FAILED: ${what}:\n  got      ${JSON.stringify(got)}\n  expected ${JSON.stringify(expected)}`);
}
const cli = (...words) => execFileSync(hindsight, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n').filter(l => l !== '').map(l => JSON.parse(l));
const trace = name => path.join(traces, name);
const lineOf = (name, text) => {
    const n = fs.readFileSync(source(name), 'utf8').split('\n').findIndex(l => l.includes(text)) + 1;
    if (n === 0) throw new Error(`${name}: no line has ${text}`);
    return n;
};
const source = name => [path.join(sources, 'clients', 'dap', name + '.java'), path.join(sources, 'ask', name + '.java')]
    .find(f => fs.existsSync(f));

// A session that stands at the beginning of a trace.
async function open(name, before, extra) {
    const dc = new DebugClient('', hindsight, 'hindsight', undefined, true);
    dc._executable = hindsight;
    dc.defaultTimeout = 120000;
    const adapter = spawn(hindsight, ['dap'], { stdio: ['pipe', 'pipe', 'inherit'] });
    dc._adapterProcess = adapter;
    dc.connect(adapter.stdout, adapter.stdin);
    dc.adapter = adapter;
    await dc.initializeRequest();
    const ready = dc.waitForEvent('initialized');
    await dc.launchRequest(Object.assign({ trace: trace(name),
        sourcePaths: [path.join(sources, 'ask'), path.join(sources, 'clients', 'dap')] }, extra));
    await ready;
    if (before) await before(dc);
    const stopped = dc.waitForEvent('stopped');
    await dc.configurationDoneRequest();
    dc.at = (await stopped).body;
    return dc;
}
async function close(dc) {
    const ended = new Promise(done => dc.adapter.on('exit', done));
    await dc.disconnectRequest();
    same('the adapter ends with the session', await ended, 0);
}
// A request that moves; what the stopped event says.
async function move(dc, command, args) {
    const stopped = dc.waitForEvent('stopped');
    await dc.send(command, Object.assign({ threadId: dc.at.threadId }, args));
    return dc.at = (await stopped).body;
}
const frames = async (dc, args) => (await dc.send('stackTrace',
    Object.assign({ threadId: dc.at.threadId }, args))).body;
const children = async (dc, reference, args) =>
    (await dc.send('variables', Object.assign({ variablesReference: reference }, args))).body.variables;
async function locals(dc, frameId) {
    const scope = (await dc.send('scopes', { frameId })).body.scopes.find(s => s.name === 'Locals');
    return Object.assign(await children(dc, scope.variablesReference), { reference: scope.variablesReference });
}
async function evaluate(dc, expression, frameId) {
    try {
        return (await dc.send('evaluate', { expression, frameId })).body.result;
    } catch (e) {
        return 'error: ' + e.message;
    }
}
async function error(dc, command, args) {
    try {
        await dc.send(command, args);
        return 'no error';
    } catch (e) {
        return e.message === '' ? 'an error without a message' : 'an error';
    }
}

// The text of a JSON value of the command: what is shown of numbers, truth values, objects and strings.
function shown(value, text) {
    if (value === null) return text === 'null';
    if (typeof value === 'object') return new RegExp('#' + value.id + '( |$)').test(text); // with what it holds
    if (typeof value === 'number') // a char is shown with its code
        return text === String(value) || text.endsWith(` (${value})`) || Number(text) === value;
    return text === String(value);
}

const known = new Map();
function frames_of(name, seq) {
    const key = `${name} ${seq}`;
    if (!known.has(key))
        known.set(key, cli('locals', trace(name), '--at', String(seq), '--json'));
    return known.get(key);
}

async function sameState(dc, name, seq) {
    const wanted = frames_of(name, seq);
    const got = (await frames(dc)).stackFrames;
    same(`${name} ${seq}: frames`, got.map(f => [f.line, f.pc]), wanted.map(f => [f.line || 0, f.pc]));
    for (let i = 0; i < got.length; i++) {
        const values = Object.assign({}, wanted[i].parameters, wanted[i].locals);
        if (wanted[i].this !== undefined) values.this = wanted[i].this;
        const have = await locals(dc, got[i].id);
        same(`${name} ${seq} frame ${i}: names`, have.map(v => v.name).sort(), Object.keys(values).sort());
        for (const v of have)
            same(`${name} ${seq} frame ${i}: ${v.name} is ${v.value}`, shown(values[v.name], v.value), true);
    }
}

async function randomMoments(name, rounds) {
    const dc = await open(name);
    const events = cli('info', trace(name), '--json')[0].events;
    let seed = 20261122;
    const random = n => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
    for (let i = 0; i < rounds; i++) {
        await move(dc, 'goto', { seq: random(events) });
        await sameState(dc, name, dc.at.seqOfTrace);
    }
    // forward as far as 1000 steps go, and back: the same moments
    for (const granularity of ['instruction', 'statement', 'line']) {
        await move(dc, 'goto', { seq: 0 });
        await move(dc, 'stepIn', { granularity });
        const there = [dc.at.seqOfTrace], back = [];
        for (let i = 0; i < 1000; i++) {
            await move(dc, 'stepIn', { granularity });
            if (dc.at.description !== undefined) break;
            there.push(dc.at.seqOfTrace);
        }
        await move(dc, 'goto', { seq: there[there.length - 1] });
        back.push(dc.at.seqOfTrace);
        while (back.length < there.length) {
            await move(dc, 'stepBack', { granularity, kind: 'in' });
            back.push(dc.at.seqOfTrace);
        }
        same(`${name}: steps there and back, ${granularity}`, back, there.slice().reverse());
        same(`${name}: enough steps, ${granularity}`, there.length > 10, true);
        if (granularity === 'statement') { // they are the LINE_NUMBER events of the thread
            const lines = cli('print', trace(name), '--event', 'LINE_NUMBER', '--thread', '0', '--json',
                '--num', '1000').map(e => e.seq);
            const n = Math.min(lines.length, there.length);
            same(`${name}: statements`, there.slice(0, n), lines.slice(0, n));
        }
    }
    await close(dc);
}

// Steps of every kind at random, in both directions, now and then from another moment; after each all frames and
// their variables are those of `locals`.
async function randomSteps(name, steps) {
    const dc = await open(name);
    const events = cli('info', trace(name), '--json')[0].events;
    let seed = 5;
    const random = n => (seed = (seed * 1103515245 + 12345) % 2147483648) % 65536 % n;
    const moves = [['stepIn'], ['next'], ['stepOut'], ['stepBack'], ['stepBack', 'in'], ['stepBack', 'out']];
    let moved = 0;
    for (let i = 0; i < steps; i++) {
        const before = dc.at.seqOfTrace, [command, kind] = moves[random(moves.length)];
        if (random(8) === 0)
            await move(dc, 'goto', { seq: random(events) });
        else
            await move(dc, command, { kind, granularity: ['instruction', 'statement', 'line'][random(3)] });
        moved += dc.at.seqOfTrace !== before;
        await sameState(dc, name, dc.at.seqOfTrace);
    }
    same(`${name}: ${moved} of ${steps} steps moved`, moved > steps / 2, true);
    console.log(`${steps} random steps in ${name}, ${moved} moved`);
    await close(dc);
}

// Over, into and out of a call; lines, conditions, counts and log points; the same from behind.
async function steps() {
    const call = lineOf('Shop', 'all = all + sell'), counted = lineOf('Shop', 'counts[round] ='),
        inner = lineOf('Shop', 'long paid ='), summed = lineOf('Shop', 'sum = add(');
    const set = (dc, breakpoints) => dc.setBreakpointsRequest({ source: { path: source('Shop') }, breakpoints });
    const dc = await open('Shop', async d => same('verified',
        (await set(d, [{ line: call }])).body.breakpoints.map(b => [b.verified, b.line]), [[true, call]]));
    const where = async () => { const f = (await frames(dc)).stackFrames[0]; return [f.name, f.line]; };
    const main = 'Shop.main(java.lang.String[])', sell = 'Shop.sell(Shop$Item, int)';
    await move(dc, 'continue');
    same('the reason', dc.at.reason, 'breakpoint');
    same('at the call', await where(), [main, call]);
    const first = dc.at.seqOfTrace;
    await move(dc, 'stepIn');
    same('in', await where(), [sell, inner]);
    await move(dc, 'stepOut');
    same('out', await where(), [main, call]);
    await move(dc, 'next');
    same('over', await where(), [main, lineOf('Shop', 'for (int round')]);
    await move(dc, 'stepBack');
    same('back over the call', [await where(), dc.at.seqOfTrace], [[main, call], first]);
    await move(dc, 'stepIn');
    await move(dc, 'stepBack');
    same('back out of the call', await where(), [main, call]);
    await move(dc, 'goto', { seq: first });
    await move(dc, 'continue');
    const second = dc.at.seqOfTrace;
    await move(dc, 'reverseContinue');
    same('reverse', dc.at.seqOfTrace, first);
    await set(dc, [{ line: call, condition: 'round == 2 && tea.next.next == null' }]);
    await move(dc, 'continue');
    same('a condition', [await where(), await evaluate(dc, 'round', (await frames(dc)).stackFrames[0].id)],
        [[main, call], '2']);
    await set(dc, [{ line: call, hitCondition: '2' }]);
    await move(dc, 'reverseContinue');
    same('the second hit', dc.at.seqOfTrace, second);
    await set(dc, [{ line: call, hitCondition: '> 2' }]);
    const hits = [];
    for (await move(dc, 'continue'); dc.at.reason === 'breakpoint'; await move(dc, 'continue'))
        hits.push(await evaluate(dc, 'round', (await frames(dc)).stackFrames[0].id));
    same('hits behind the second', hits, ['2', '3']);
    same('the end', dc.at.description, 'End of the recording');
    await move(dc, 'goto', { seq: 0 });
    await set(dc, [{ line: counted, logMessage: '{{{round}}} of {"}" + tea.next.price}' }]);
    const said = [];
    dc.on('output', e => said.push(e.body.output));
    await move(dc, 'continue');
    same('log points', said, [3, 3, 3, 4].map((price, n) => `{${n}} of "}${price}"\n`));
    await move(dc, 'goto', { seq: 0 });
    const refused = (await set(dc, [{ line: call, condition: '1 +' }, { line: 100000 },
        { line: call, hitCondition: 'often' }])).body.breakpoints;
    same('refused breakpoints', refused.map(b => [b.verified, b.message !== undefined]),
        [[false, true], [false, true], [false, true]]);
    // a method; its entries are in the trace
    const entries = cli('print', trace('Shop'), '--event', 'METHOD_ENTRY', '--method', 'add', '--json').length;
    await set(dc, []);
    same('a method that is there', (await dc.setFunctionBreakpointsRequest({ breakpoints:
        [{ name: 'Item.add' }, { name: 'Shop.nothing' }] })).body.breakpoints.map(b => b.verified), [true, false]);
    let count = 0;
    for (await move(dc, 'continue'); dc.at.reason === 'function breakpoint'; await move(dc, 'continue')) count++;
    same('entries', count, entries);
    // counted from the beginning, also when they are found from the end
    const numbered = [['3', 1], ['% 4', Math.floor(entries / 4)], ['< 4', 3], ['>= 9', entries - 8]];
    for (const [hitCondition, expected] of numbered)
        for (const command of ['reverseContinue', 'continue']) {
            await dc.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'Item.add', hitCondition }] });
            count = 0;
            for (await move(dc, command); dc.at.reason === 'function breakpoint'; await move(dc, command)) count++;
            same(`hits ${hitCondition}, ${command}`, count, expected);
        }
    await dc.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'Item.add' }] });
    await move(dc, 'reverseContinue');
    same('parameters are known', (await locals(dc, (await frames(dc)).stackFrames[0].id)).map(v => v.name), ['a', 'b']);
    await dc.setFunctionBreakpointsRequest({ breakpoints: [] });
    // the line of the loop: stepping through it says where the sum comes from
    const targets = (await dc.send('gotoTargets', { source: { path: source('Shop') }, line: summed })).body.targets;
    await move(dc, 'goto', { targetId: targets[targets.length - 1].id });
    same('goto', (await where())[1], summed);
    same('and what is shown then', dc.at.description, `Paused at event ${dc.at.seqOfTrace}`);
    await close(dc);
}

async function values() {
    const dc = await open('Shop', d => d.setBreakpointsRequest({ source: { path: source('Shop') },
        breakpoints: [{ line: lineOf('Shop', 'counts[299] = depth') }] }));
    await move(dc, 'continue');
    const frame = (await frames(dc)).stackFrames[0].id;
    const answers = {
        'all': String(5000000000 * 1 + 5000000001 * 2 + 3 * 3 + 5000000003 * 0 + 5000000002 * 4),
        'all > 1 && open': 'true', 'mark': `'x' (120)`, 'mark == \'x\'': 'true', 'tea.weight': '0.1',
        'tea.name': /^"tea"#\d+$/,
        'tea.name == "tea"': 'true', 'tea.name.equals("cup")': 'false', 'tea.name.length()': '3',
        'tea.name + tea.next.price': '"tea4"', 'tea.next.next': 'null', 'counts.length': '300',
        'counts[3] * 2 - 1': '41', 'counts[150]': '0', 'counts[300]': /^error.*Index 300 out of bounds for length 300/,
        'counts[counts[0]]': '0',
        'tea instanceof Item': 'true', 'tea instanceof String': 'false', 'sold': '10', 'Shop.sold << 2': '40',
        '9223372036854775807L': '9223372036854775807', '9223372036854775807L + 1': '-9223372036854775808',
        '7 / 2.0': '3.5', '-7 % 3': '-1', '(1 + 2) * 3 == 9 || nothing': 'true', '~0': '-1', 'null == tea': 'false',
        '(int) 3.99 + (int) -1': '2', '(byte) 300': '44', '(long) all == (all)': 'true', '(char) 120': `'x' (120)`,
        '(counts[2]) - 1': '13', '((Item) tea).next == (Object) tea.next': 'true', '(tea) instanceof Item': 'true',
        '(boolean) open': 'true', '(int) open': /^error/, '(nothing) tea': /^error/,
        '1 / 0': /^error/, 'nothing': /^error/, 'tea.nothing': /^error/, '(1': /^error/, 'tea = null': /^error/,
        '"open': /^error/, '': /^error/, 'true + 1': /^error/, 'sell()': /\(returned last, event \d+\)$/,
    };
    answers[Array(5000).fill('(').join('')] = /^error/;
    for (const [text, expected] of Object.entries(answers)) {
        const got = await evaluate(dc, text, frame);
        same(`${text.slice(0, 40)} is ${got}`, expected instanceof RegExp ? expected.test(got) : got,
            expected instanceof RegExp ? true : expected);
    }
    const vars = await locals(dc, frame), counts = vars.find(v => v.name === 'counts');
    const page = await children(dc, counts.variablesReference, { filter: 'indexed', start: 2, count: 3 });
    same('a page of the array', page.map(v => [v.name, v.value]), [['2', '14'], ['3', '21'], ['4', '0']]);
    const tea = await children(dc, vars.find(v => v.name === 'tea').variablesReference);
    same('fields', tea.map(v => v.name).sort(), ['name', 'next', 'price', 'weight']);
    same('refused', await error(dc, 'setVariable', { variablesReference: 1, name: 'all', value: '1' }), 'an error');
    same('completions', (await dc.send('completions', { frameId: frame, text: 'tea.we', column: 7 })).body.targets
        .map(t => t.label), ['weight']);
    same('completions of variables', (await dc.send('completions', { frameId: frame, text: '1 + co', column: 7 }))
        .body.targets.map(t => t.label), ['counts']);
    // deep: exactly the levels that were asked for
    await dc.setBreakpointsRequest({ source: { path: source('Shop') },
        breakpoints: [{ line: lineOf('Shop', 'return 0;') }] });
    await move(dc, 'continue');
    const some = await frames(dc, { startFrame: 10, levels: 7 });
    same('levels', [some.stackFrames.length, some.totalFrames], [7, 52]);
    const inFrame = await evaluate(dc, 'n', some.stackFrames[0].id);
    same('a frame further out', inFrame, '10');
    const stopped = dc.waitForEvent('stopped');
    await dc.send('restartFrame', { frameId: some.stackFrames[0].id });
    dc.at = (await stopped).body;
    same('restart of a frame', [(await frames(dc)).totalFrames, await evaluate(dc, 'n')], [42, '10']);
    same('what is shown then', dc.at.description, 'Paused at the beginning of the call');
    // monitors
    await dc.setBreakpointsRequest({ source: { path: source('Shop') },
        breakpoints: [{ line: lineOf('Shop', 'sold += count') }] });
    await move(dc, 'reverseContinue');
    const scopes = (await dc.send('scopes', { frameId: (await frames(dc)).stackFrames[0].id })).body.scopes;
    same('scopes', scopes.map(s => s.name), ['Locals', 'Monitors', 'Event']);
    same('the monitor', (await children(dc, scopes[1].variablesReference))[0].value, await evaluate(dc, 'lock'));
    await close(dc);
}

// A write without what history adds to the event.
const plain = ({ object, declaring, ...event }) => event;

// What wrote a field, and who read it: from the end backwards.
async function data() {
    const history = cli('history', trace('Bank'), 'Account.balance', '--json');
    const id = history[0].object.id;
    const reads = cli('print', trace('Bank'), '--event', 'GET_INSTANCE_FIELD', '--object', String(id), '--json');
    const dc = await open('Bank');
    await move(dc, 'goto', { seq: history[2].seq });
    const frame = (await frames(dc)).stackFrames[0].id;
    const account = (await locals(dc, frame)).find(v => v.name === 'account');
    const info = (await dc.send('dataBreakpointInfo', { variablesReference: account.variablesReference,
        name: 'balance' })).body;
    same('what can be watched', info.accessTypes, ['write', 'read', 'readWrite']);
    for (const variablesReference of [account.variablesReference, undefined]) {
        const { body } = await dc.send('dataBreakpointInfo', { variablesReference, name: 'balanse' });
        same('there is none', [body.dataId, body.description.includes('balanse')], [null, true]);
    }
    const all = async (accessType, command) => {
        await dc.setDataBreakpointsRequest({ breakpoints: [{ dataId: info.dataId, accessType }] });
        const events = cli('info', trace('Bank'), '--json')[0].events, hits = [];
        await move(dc, 'goto', { seq: command === 'continue' ? 0 : events - 1 });
        for (await move(dc, command); dc.at.reason === 'data breakpoint'; await move(dc, command))
            hits.push(dc.at.seqOfTrace);
        return hits;
    };
    same('writes', await all('write', 'continue'), history.map(e => e.seq));
    same('writes backwards', await all('write', 'reverseContinue'), history.map(e => e.seq).reverse());
    same('reads', await all('read', 'continue'), reads.map(e => e.seq));
    same('all of them', await all('readWrite', 'reverseContinue'),
        history.concat(reads).map(e => e.seq).sort((a, b) => b - a));
    await dc.setDataBreakpointsRequest({ breakpoints: [] });
    const told = dc.waitForEvent('continued');
    await move(dc, 'goto', { seq: history[1].seq });
    same('an editor is told that the session moves', (await told).body.threadId, dc.at.threadId);
    const shownEvent = e => Object.assign(plain(e), { shown: String(e.value) });
    same('last write', (await dc.send('lastWrite', { what: info.dataId })).body.write, shownEvent(history[1]));
    same('history', (await dc.send('history', { what: info.dataId, limit: 1 })).body,
        { writes: [shownEvent(history[1])], more: true });
    const variable = { variablesReference: account.variablesReference, name: 'balance' };
    same('a variable of before', await error(dc, 'lastWrite', variable), 'an error');
    const now = (await locals(dc, (await frames(dc)).stackFrames[0].id)).find(v => v.name === 'this' ||
        v.name === 'account');
    same('last write of a variable', (await dc.send('lastWrite', { variablesReference: now.variablesReference,
        name: 'balance' })).body.write, shownEvent(history[1]));
    const why = cli('why', trace('Bank'), String(history[2].seq), '--json');
    same('why', (await dc.send('why', { seq: history[2].seq })).body.chain.map(e => [e.seq, e.because]),
        why.map(e => [e.seq, e.because]));
    same('threads', (await dc.send('threads', {})).body.threads.map(t => t.name).sort(), ['anna', 'berta', 'main']);
    await close(dc);
}

// The visits of lines and their values, from the events of one call.
function visitsOf(events) {
    const visits = [];
    let last;
    for (const e of events.filter(e => e.line !== undefined && e.event !== 'METHOD_EXCEPTIONAL_EXIT')) {
        if (!last || last.line !== e.line || last.pc > e.pc)
            visits.push(last = { line: e.line, seq: e.seq, values: {} });
        last.pc = e.pc;
        const name = { METHOD_PARAM: '', LOCAL_STORE: '', LOCAL_LOAD: '', LOCAL_INCREMENT: '', GET_STATIC_FIELD: '',
            PUT_STATIC_FIELD: '', GET_INSTANCE_FIELD_RESULT: '.', PUT_INSTANCE_FIELD_VALUE: '.' }[e.event];
        if (name !== undefined && e.attr.name !== undefined) last.values[name + e.attr.name] = e;
        if (e.event === 'METHOD_NORMAL_EXIT' && e.value !== undefined) last.values.return = e;
    }
    return visits;
}

// Each time that a call came to a line: a loop, and one call of a recursion among others.
async function lines() {
    const dc = await open('Shop', d => d.setBreakpointsRequest({ source: { path: source('Shop') },
        breakpoints: [{ line: lineOf('Shop', 'sum = add') }, { line: lineOf('Shop', 'return 0') }] }));
    const ask = async (frame, limit) => (await dc.send('lines', { frameId: frame.id, limit })).body.visits;
    const check = (what, visits, expected) => {
        same(`${what}: lines`, visits.map(v => [v.line, v.seq]), expected.map(v => [v.line, v.seq]));
        for (const [i, v] of visits.entries()) {
            const values = expected[i].values;
            same(`${what}: names`, v.values.map(x => x.name), Object.keys(values));
            same(`${what}: values`, v.values.every(x => shown(values[x.name].value, x.value) &&
                x.seq === values[x.name].seq), true);
        }
    };
    await move(dc, 'continue');
    await move(dc, 'continue');
    await move(dc, 'continue'); // the second call of total is in its second round
    const method = name => cli('print', trace('Shop'), '--class', 'Shop*', '--method', name, '--json');
    const entered = (await frames(dc)).stackFrames[0].entered;
    const events = method('total').filter(e => e.seq >= entered);
    const call = events.slice(0, events.findIndex(e => e.event === 'METHOD_NORMAL_EXIT') + 1);
    check('a loop', await ask((await frames(dc)).stackFrames[0]), visitsOf(call));
    same('a loop has as many rounds', visitsOf(call).filter(v => v.line === lineOf('Shop', 'sum = add')).length, 2);
    const near = call.findIndex(e => e.seq > dc.at.seqOfTrace);
    check('a part of it', await ask((await frames(dc)).stackFrames[0], 3), visitsOf(call.slice(near - 3, near + 3)));
    await dc.setBreakpointsRequest({ source: { path: source('Shop') },
        breakpoints: [{ line: lineOf('Shop', 'return 0') }] });
    await move(dc, 'continue'); // 51 calls of depth are open
    const recursion = (await frames(dc)).stackFrames.filter(f => f.name.includes('depth'));
    same('calls of a recursion', recursion.length, 51);
    const own = method('depth');
    for (const i of [0, 1, 25, 50]) {
        const n = own.find(e => e.event === 'METHOD_PARAM' && e.value === i);
        // its events: until the call within, and from its return on, which are in the order of the depths
        const begin = own.findIndex(e => e === n) - 1;
        const part = own.slice(begin, own.findIndex((e, k) => k > begin && (e.event === 'METHOD_ENTRY' ||
            e.event === 'METHOD_NORMAL_EXIT')) + 1).filter((e, k) => k === 0 || e.event !== 'METHOD_ENTRY');
        const exits = own.map((e, k) => e.event === 'METHOD_NORMAL_EXIT' ? k : -1).filter(k => k >= 0);
        const rest = i === 0 ? [] : own.slice(exits[i - 1] + 1, exits[i] + 1);
        check(`depth(${i})`, await ask(recursion[i]), visitsOf(part.concat(rest)));
        const reference = (await locals(dc, recursion[i].id)).reference;
        const write = (await dc.send('lastWrite', { variablesReference: reference, name: 'n' })).body.write;
        same(`who wrote n of depth(${i})`, [write.seq, write.value], [n.seq, i]);
        same('who wrote this', await error(dc, 'lastWrite', { variablesReference: reference, name: 'this' }), 'an error');
    }
    same('no such frame', await error(dc, 'lines', { frameId: 999 }), 'an error');
    await close(dc);
}

async function exceptions() {
    const all = cli('exceptions', trace('Failure'), '--json');
    const seqs = caught => all.filter(e => (e.caught !== undefined) === caught)
        .map(e => e.thrown).sort((a, b) => a - b);
    for (const [filter, expected] of [['caught', seqs(true)], ['uncaught', seqs(false)]]) {
        const dc = await open('Failure', d => d.setExceptionBreakpointsRequest({ filters: [filter] })), hits = [];
        for (await move(dc, 'continue'); dc.at.reason === 'exception'; await move(dc, 'continue'))
            hits.push(dc.at.seqOfTrace);
        same(`${filter} exceptions`, hits, expected);
        await move(dc, 'reverseContinue');
        same(`${filter} exceptions backwards`, dc.at.seqOfTrace, expected[expected.length - 1]);
        const info = (await dc.send('exceptionInfo', { threadId: dc.at.threadId })).body;
        const known = all.find(e => e.thrown === dc.at.seqOfTrace);
        same('its class and message', [info.exceptionId, info.description], [known.type, known.message]);
        const { variablesReference } = (await dc.send('evaluate', { expression: '#' + known.id })).body;
        const fields = Object.fromEntries((await children(dc, variablesReference)).map(v => [v.name, v.value]));
        const was = ' (when it was recorded)';
        same('its message', fields.detailMessage,
            (known.message === null ? 'null' : JSON.stringify(known.message)) + was);
        same('its cause: ' + fields.cause, known.cause ? fields.cause.includes(`#${known.cause.id}`) :
            fields.cause === 'null' + was, true);
        same('its stack', fields.stackTrace.match(/at [^(]*/g), known.frames.map(f => `at ${f.class}.${f.method}`));
        same('when it stops', info.breakMode, filter === 'uncaught' ? 'unhandled' : 'always');
        await dc.send('setExceptionBreakpoints', { filters: [], filterOptions:
            [{ filterId: filter, condition: 'java.lang.Number*' }] });
        await move(dc, 'goto', { seq: 0 });
        await move(dc, 'continue');
        same(`${filter} of a class`, dc.at.reason === 'exception' ? dc.at.seqOfTrace : -1,
            (all.find(e => e.type.startsWith('java.lang.Number') && expected.includes(e.thrown)) ||
                { thrown: -1 }).thrown);
        await close(dc);
    }
}

// A run that finds nothing is stopped by pause, and leaves the session where it was.
async function pausing() {
    const dc = await open('Shop');
    await dc.setFunctionBreakpointsRequest({ breakpoints: [{ name: '*', condition: '1 == 2' }] });
    const stopped = dc.waitForEvent('stopped');
    await Promise.all([dc.send('continue', { threadId: 1 }), dc.send('pause', { threadId: 1 })]);
    dc.at = (await stopped).body;
    same('where a run was paused, or ended', [[0, 'Paused at event 0'], [cli('info', trace('Shop'), '--json')[0].events - 1,
        'End of the recording']].some(e => e[0] === dc.at.seqOfTrace && e[1] === dc.at.description), true);
    await close(dc);
}

async function sourceFiles() {
    const dc = await open('Shop', null, { sourcePaths: [] });
    const loaded = (await dc.send('loadedSources', {})).body.sources;
    const shop = loaded.find(s => s.name === 'Shop.java');
    const text = (await dc.send('source', { source: shop, sourceReference: shop.sourceReference })).body.content;
    const line = text.split('\n')[lineOf('Shop', 'return 1 + depth') - 1];
    same('the outline has calls at their lines: ' + line, line.includes('Shop.depth(...)'), true);
    same('a breakpoint without the file', (await dc.setBreakpointsRequest({ source: shop,
        breakpoints: [{ line: lineOf('Shop', 'return 1 + depth') }] })).body.breakpoints[0].verified, true);
    await move(dc, 'continue');
    same('its line', (await frames(dc)).stackFrames[0].line, lineOf('Shop', 'return 1 + depth'));
    await close(dc);
    const other = await open('Shop');
    same('the file', (await frames(other)).stackFrames[0].source.path, source('Shop'));
    await close(other);
}

// Every request with nothing, with arguments of wrong types, with numbers that are none: an answer, each time.
async function wrong() {
    const dc = await open('Shop');
    const commands = ('attach setBreakpoints setFunctionBreakpoints setExceptionBreakpoints dataBreakpointInfo ' +
        'setDataBreakpoints breakpointLocations goto gotoTargets restartFrame stackTrace scopes variables ' +
        'setVariable setExpression evaluate completions exceptionInfo source loadedSources lastWrite why ' +
        'history timeline lines outputLines threads pause cancel nothing next').split(' ');
    const odd = [-1, 1e300, 2 ** 53, 'x', '99999999999999999999', null, true, [], {}, [[]], 0.5];
    const names = ('source breakpoints threadId frameId variablesReference start count startFrame levels expression ' +
        'name what seq at targetId line text column dataId filters filterOptions sourceReference limit').split(' ');
    for (const command of commands) {
        await error(dc, command, undefined);
        for (const value of odd)
            await error(dc, command, Object.fromEntries(names.map(n => [n, value])));
    }
    const shows = async (command, args) => { // the client has only the message of the error
        let bytes = '';
        const add = d => bytes += d;
        dc.adapter.stdout.on('data', add);
        await error(dc, command, args);
        dc.adapter.stdout.off('data', add);
        return /"showUser":(\w+)/.exec(bytes)[1] === 'true';
    };
    same('failures that an editor shows', [await shows('scopes', { frameId: 999 }), await shows('setVariable', {})],
        [false, true]);
    same('it still answers', (await dc.send('threads', {})).body.threads.length > 0, true);
    await close(dc);
    const unopened = async args => {
        const p = spawn(hindsight, ['dap'], { stdio: ['pipe', 'pipe', 'ignore'] });
        const d = new DebugClient('', '', 'hindsight');
        d.connect(p.stdout, p.stdin);
        const message = await d.send('attach', args).then(() => 'no error', e => e.message);
        p.stdin.end();
        return message;
    };
    for (const processId of [99999999, '99999999']) // a number, or what a configuration has in its place
        same('no such process', (await unopened({ processId })).startsWith('99999999: no such process'), true);
    same('no such trace', await (async () => {
        const p = spawn(hindsight, ['dap'], { stdio: ['pipe', 'pipe', 'ignore'] });
        const d = new DebugClient('', '', 'hindsight');
        d.connect(p.stdout, p.stdin);
        const answer = await error(d, 'launch', { trace: path.join(traces, 'nothing') });
        p.stdin.end();
        return answer;
    })(), 'an error');
}

// Bytes that are no messages: the session ends, with a status and a sentence, or goes on with an error.
async function hostile() {
    const message = text => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    const cases = [
        ['x'.repeat(100000), 1], ['Content-Length: -5\r\n\r\n', 1], ['Content-Length: 99999999999999999999\r\n\r\n', 1],
        ['Content-Length: 20000000\r\n\r\n', 1], ['\r\n\r\n', 1], ['X: 1\r\nContent-Length: 2\r\n\r\n{}', 1],
        ['POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}', 1], ['Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}', 1],
        ['Content-Length: 2\r\nContent-Type: x\r\n\r\n{}', 0],
        ['Content-Length: 50\r\n\r\n{', 0],
        [message('{'), 0], [message('[]'), 0], [message('null'), 0], [message('{"command":5}'), 0], [message(''), 0],
        [message('['.repeat(100000)), 0], [message('\0\0\0'), 0],
        [message('{"command":"launch","arguments":{"trace":"\\u0000"}}'), 0],
    ];
    for (const [bytes, status] of cases) {
        const p = spawn(hindsight, ['dap'], { stdio: ['pipe', 'pipe', 'pipe'] });
        let out = '', err = '';
        p.stdout.on('data', d => out += d);
        p.stderr.on('data', d => err += d);
        p.stdin.on('error', () => { });
        p.stdin.end(bytes);
        // not 'exit', at which its output need not be read yet
        const code = await new Promise(done => p.on('close', (c, signal) => done(signal || c)));
        same(`${JSON.stringify(bytes.slice(0, 60))}: status`, code, status);
        if (status !== 0)
            same(`${JSON.stringify(bytes.slice(0, 60))}: says why`, err.startsWith('hindsight dap: '), true);
    }
}

// On a port: plain for the client library, WebSocket with the token for a browser.
async function listening() {
    const p = spawn(hindsight, ['dap', '--listen', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const address = await new Promise(done => p.stdout.once('data', d => done(String(d).trim())));
    const [, port, token] = /^ws:\/\/127\.0\.0\.1:(\d+)\/\?token=([0-9a-f]{32})$/.exec(address);
    const dc = new DebugClient('', '', 'hindsight');
    const socket = net.connect(Number(port), '127.0.0.1');
    dc.connect(socket, socket);
    await dc.initializeRequest();
    await dc.launchRequest({ trace: trace('Shop') });
    same('threads by TCP', (await dc.send('threads', {})).body.threads.length, 1);
    await dc.disconnectRequest();
    const web = (query, then) => new Promise((done, failed) => {
        const s = net.connect(Number(port), '127.0.0.1'), key = crypto.randomBytes(16).toString('base64');
        let got = Buffer.alloc(0);
        s.on('error', failed);
        s.on('data', d => then(s, got = Buffer.concat([got, d]), key, done));
        s.write(`GET /${query} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
            `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\nOrigin: http://evil\r\n\r\n`);
    });
    for (const query of ['', '?token=' + '0'.repeat(32), '?token='])
        same(`a browser with "${query}"`, await web(query, (s, got, key, done) => {
            s.destroy();
            done(String(got).split('\r\n')[0]);
        }), 'HTTP/1.1 403 Forbidden');
    const frame = text => {
        const body = Buffer.from(text), mask = crypto.randomBytes(4);
        return Buffer.concat([Buffer.from([0x81, 0x80 | body.length]), mask, body.map((b, i) => b ^ mask[i & 3])]);
    };
    let asked = false;
    const answer = await web('?token=' + token, (s, got, key, done) => {
        const end = got.indexOf('\r\n\r\n') + 4;
        if (end < 4) return;
        if (!asked) {
            asked = true;
            const accept = crypto.createHash('sha1').update(key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11')
                .digest('base64');
            same('the answer to the key', String(got).includes(`Sec-WebSocket-Accept: ${accept}\r\n`), true);
            s.write(frame('{"seq":1,"type":"request","command":"initialize"}'));
        }
        const rest = got.subarray(end);
        if (rest.length < 4 || rest.length < 4 + rest.readUInt16BE(2)) return;
        s.destroy();
        done(JSON.parse(rest.subarray(4, 4 + rest.readUInt16BE(2))));
    });
    same('by WebSocket', [answer.success, answer.body.supportsStepBack], [true, true]);
    p.kill();
}

// What collections hold before and after they are changed, and what a call returned last or next.
async function collections() {
    const dc = await open('Held'), line = text => lineOf('Held', text);
    const go = async text => {
        await dc.setBreakpointsRequest({ source: { path: source('Held') }, breakpoints: [{ line: line(text) }] });
        await move(dc, dc.at.line === undefined ? 'continue' : 'reverseContinue');
        const frame = (await frames(dc)).stackFrames[0];
        same('where ' + text, frame.line, line(text));
        return frame.id;
    };
    const held = async (frame, name) => {
        const v = (await locals(dc, frame)).find(x => x.name === name);
        return [v.value, ...(await children(dc, v.variablesReference)).map(x => `${x.name}: ${x.value}`)]
            .map(x => x.replace(/#\d+/g, ''));
    };
    let frame = await go('System.out.println');
    same('list', await held(frame, 'names'), ['ArrayList [cup]', '0: "cup"']);
    same('map', await held(frame, 'stock'), ['LinkedHashMap {tea=499, cup=7}', '"tea": Integer 499', '"cup": Integer 7']);
    same('text', (await held(frame, 'text'))[0], 'StringBuilder abtrue');
    same('one value', await held(frame, 'first'), ['Optional [tea]', 'value: "tea"']);
    same('what is not known', (await held(frame, 'shuffled')).map(x => x.replace(/since \d+/, 'since N')), [
        'ArrayList not known since N: java.util.Collections.shuffle may have changed it',
        'contents: not known since N: java.util.Collections.shuffle may have changed it']);
    const id = /#(\d+)/.exec(await evaluate(dc, 'names', frame))[1];
    for (const [expression, answer] of [['names.get(0)', /^"cup"#\d+ \(contents\)$/],
        ['stock.get("tea")', /^Integer#\d+ 499 \(contents\)$/], ['stock.get("none")', /^null \(contents\)$/],
        ['stock.get("tea") == 499', /^true$/], ['stock.get("tea") > 499', /^false$/],
        ['stock.get("tea") + 1', /^500$/], ['"" + stock.get("tea")', /^"499"$/],
        ['names.size()', /^1 \(contents\)$/], [`#${id}.isEmpty()`, /^false \(contents\)$/],
        ['names.contains("tea")', /^false \(contents\)$/], ['names.contains(first.get())', /^false \(contents\)$/],
        ['stock.containsKey("cup")', /^true \(contents\)$/], ['shuffled.contains("cup")', /^not recorded$/],
        ['kept[1]', /^true$/], ['kept[1] && !kept[2]', /^true$/], ['kept[1] == true', /^true$/], ['kept[2]', /^false$/],
        ['names.remove("tea")', /^true \(returned last, event \d+\)$/],
        ['stock.put("tea", 499)', /^Integer#\d+ 500 \(returned last/], ['names.get(1)', /^error.*IndexOutOfBoundsException: Index 1 out of bounds for length 1/],
        ['shuffled.contains("cup") & false', /^false$/], ['true | shuffled.contains("cup")', /^true$/],
        ['shuffled.contains("cup") & true', /^not recorded$/], ['false | shuffled.contains("cup")', /^not recorded$/],
        ['shuffled.contains("cup") ^ true', /^not recorded$/]])
        same(expression, answer.test(await evaluate(dc, expression, frame)) || await evaluate(dc, expression, frame), true);
    dc.at.line = 1;
    frame = await go('int tea =');
    same('list before', await held(frame, 'names'), ['ArrayList [tea, cup]', '0: "tea"', '1: "cup"']);
    same('map before', await held(frame, 'stock'), ['LinkedHashMap {tea=500, cup=7}', '"tea": Integer 500', '"cup": Integer 7']);
    same('get before', /^Integer#\d+ 500 \(contents\)$/.test(await evaluate(dc, 'stock.get("tea")', frame)), true);
    same('what is returned next', /500 \(returned next, event \d+\)$/.test(await evaluate(dc, 'stock.put("tea", 499)',
        frame)), true);
    frame = await go('cup + " "');
    same('a field of what a call gives', await evaluate(dc, 'cup.self().content', frame), '4');
    dc.at.line = undefined; // a field is that of the class of the code, whatever the object
    frame = await go('return content + 1');
    same('hidden fields', [await evaluate(dc, 'content', frame), await evaluate(dc, 'this.content', frame)], ['2', '2']);
    const caller = (await frames(dc)).stackFrames[1].id;
    same('hiding fields', [await evaluate(dc, 'content', caller), await evaluate(dc, 'this.content', caller)],
        ['40', '40']);
    same('casts choose among hidden fields', [await evaluate(dc, '((Cup) this).content', caller), await evaluate(dc,
        '((Held.Cup)this).content + ((Mug) this).content', caller), await evaluate(dc, '((Mug) this).content', frame)],
        ['2', '42', '40']);
    same('a cast of another class', /^error.*not of the class/.test(await evaluate(dc, '(String) this', frame)), true);
    await close(dc);
}

// Whatever there is many of: breakpoints at a place, names on a line, causes of an exception.
async function many() {
    const dc = await open('Wide', d => d.setBreakpointsRequest({ source: { path: source('Wide') },
        breakpoints: [...Array(40).keys()].map(i => ({ line: lineOf('Wide', 'all of them'), condition: `from > -${i}` })) }));
    await dc.setExceptionBreakpointsRequest({ filters: ['caught'] });
    await move(dc, 'continue');
    same('breakpoints that are hit', new Set(dc.at.hitBreakpointIds).size, 40);
    const visits = (await dc.send('lines', { frameId: (await frames(dc)).stackFrames[0].id, limit: 1000 })).body.visits;
    const last = visits.filter(v => v.line === lineOf('Wide', 'return a+'));
    same('names on a line', last.map(v => v.values.filter(x => x.name.length === 1).length), [52]);
    await move(dc, 'continue');
    let details = (await dc.send('exceptionInfo', { threadId: dc.at.threadId })).body.details, causes = 0;
    for (; details.fullTypeName !== undefined; details = details.innerException[0]) causes++;
    same('causes', [causes, details.message], [21, 'there are more causes than these 20']);
    await close(dc);
}

(async () => {
    await randomMoments('Shop', 12);
    await randomMoments('Bank', 12);
    for (const name of ['Shop', 'Bank', 'Held'])
        await randomSteps(name, Math.ceil(steps_wanted / 3));
    for (const part of [steps, values, collections, data, lines, many, exceptions, pausing, sourceFiles, wrong, hostile, listening])
        await part();
    console.log(`${checks} checks, ${failures} failures`);
    process.exit(failures > 0 ? 1 : 0);
})().catch(e => {
    console.log('FAILED: ' + e.stack);
    process.exit(1);
});
