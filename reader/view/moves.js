// moves.js - steps in time: the next and the previous event of a thread, of its lines, of a method, of its caller.
import { ask } from './api.js';

const LINES = ['LINE_NUMBER'];
const ENDS = ['METHOD_NORMAL_EXIT', 'METHOD_EXCEPTIONAL_EXIT'];
const WINDOWS = [200, 5000, 100000, 2000000]; // events searched backwards, each only if the one before had none

async function next(trace, parameters, seq) {
    const rows = await ask('print', { trace, ...parameters, from: seq + 1, num: 1 });
    return rows[0]?.seq;
}

// `print` goes forwards only: windows before the moment that grow.
async function previous(trace, parameters, seq) {
    for (const size of WINDOWS) {
        if (seq === 0) return undefined;
        const from = Math.max(0, seq - size);
        const rows = await ask('print', { trace, ...parameters, from, to: seq - 1 });
        if (rows.length > 0) return rows[rows.length - 1].seq;
        if (from === 0) return undefined;
    }
    return undefined;
}

const frames = (trace, seq) => ask('locals', { trace, at: seq });

// The next event in the frame of the moment or one around it: of all that the method did, the first whose frame is
// open now. Recursive calls have frames of their own.
async function over(trace, thread, seq) {
    const open = new Set((await frames(trace, seq)).map((f) => f.entered));
    const [top] = await frames(trace, seq);
    if (!top) return undefined;
    let from = seq;
    for (let tries = 0; tries < 50; tries++) {
        const at = await next(trace, { thread, event: [...LINES, ...ENDS].join(','), class: top.class, method: top.method }, from);
        if (at === undefined) break;
        const [then] = await frames(trace, at);
        if (then && open.has(then.entered)) return at;
        from = at;
    }
    return next(trace, { thread }, seq);
}

async function out(trace, thread, seq) {
    const [, caller] = await frames(trace, seq);
    if (!caller) return undefined;
    let from = seq;
    for (let tries = 0; tries < 50; tries++) {
        const at = await next(trace, { thread, class: caller.class, method: caller.method }, from);
        if (at === undefined) return undefined;
        const [then] = await frames(trace, at);
        if (then && then.entered === caller.entered) return at;
        from = at;
    }
    return undefined;
}

async function line(step, trace, thread, seq) {
    return (await step(trace, { thread, event: LINES }, seq)) ?? step(trace, { thread }, seq);
}

// Each: key, what it does, (trace, thread, seq) => the seq it leads to, or undefined.
export const MOVES = [
    ['Home', 'first event', '|‹', (trace, thread) => next(trace, { thread }, -1)],
    [',', 'event back', '‹', (trace, thread, seq) => previous(trace, { thread }, seq)],
    ['k', 'line back', '◀', (trace, thread, seq) => line(previous, trace, thread, seq)],
    ['j', 'next line', '▶', (trace, thread, seq) => line(next, trace, thread, seq)],
    ['n', 'next line of this call', '⤼', over],
    ['o', 'out to the caller', '⤴', out],
    ['.', 'next event', '›', (trace, thread, seq) => next(trace, { thread }, seq)],
];
