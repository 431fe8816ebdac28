// playback.js - the entries and exits of a thread, one after the other in both directions, with the calls that are open.
import { ask } from './api.js';

const EVENTS = 'METHOD_ENTRY,METHOD_NORMAL_EXIT,METHOD_EXCEPTIONAL_EXIT';
const AHEAD = 500; // steps asked for at once
const BACK = [4000, 60000, 1000000]; // events searched backwards, each only if there was no step in those before

// The calls open at an event, outermost first, as the state shows them: at an exit the call that ends is the last one.
async function openAt(trace, e) {
    const frames = await ask('locals', { trace, at: e.seq });
    return frames.map((f) => ({ class: f.class, method: f.method, desc: f.desc, entered: f.entered })).reverse();
}

const isOf = (call, e) => call !== undefined && call.class === e.class && call.method === e.method && call.desc === e.desc;

// The step of an entry or exit that comes behind another step. At an exit the calls in the one that ends have ended.
function following(step, e) {
    const ended = /_EXIT$/.test(step.event) && isOf(step.open[step.open.length - 1], step);
    const open = ended ? step.open.slice(0, -1) : step.open;
    const of = { seq: e.seq, event: e.event, class: e.class, method: e.method, desc: e.desc };
    if (e.event === 'METHOD_ENTRY') return { ...of, open: [...open, { class: e.class, method: e.method, desc: e.desc, entered: e.seq }] };
    let i = open.length - 1;
    while (i >= 0 && !isOf(open[i], e)) i--;
    return { ...of, open: i < 0 ? open : open.slice(0, i + 1) };
}

// A player of one thread: `steps` are { seq, event, class, method, desc, open }, `at` is the one that it stands on (-1:
// none yet).
export class Playback {
    constructor(trace, thread) {
        Object.assign(this, { trace, thread, steps: [], at: -1, ended: false });
    }

    get now() {
        return this.steps[this.at] ?? null;
    }

    rows(from, more) {
        return ask('print', { trace: this.trace, thread: this.thread, event: EVENTS, from, ...more });
    }

    // Stands at a moment: what was read is forgotten.
    async seek(seq) {
        const [e] = seq === null ? [] : await ask('print', { trace: this.trace, from: seq, num: 1 });
        const open = e?.thread === this.thread ? await openAt(this.trace, e) : [];
        this.steps = [{ seq: seq ?? -1, event: e?.event ?? null, class: e?.class, method: e?.method, desc: e?.desc, open }];
        this.at = 0;
        this.ended = false;
    }

    async forward() {
        if (this.at + 1 >= this.steps.length && !this.ended) {
            const last = this.steps[this.steps.length - 1];
            const rows = await this.rows(last.seq + 1, { num: AHEAD });
            this.ended = rows.length < AHEAD;
            for (const e of rows) this.steps.push(following(this.steps[this.steps.length - 1], e));
        }
        if (this.at + 1 >= this.steps.length) return false;
        this.at++;
        return true;
    }

    async back() {
        if (this.at === 0) await this.readBefore(this.steps[0].seq);
        if (this.at <= 0) return false;
        this.at--;
        return true;
    }

    async readBefore(seq) {
        for (const size of BACK) {
            if (seq <= 0) return;
            const from = Math.max(0, seq - size);
            const rows = (await this.rows(from, { to: seq - 1 })).slice(-AHEAD);
            if (rows.length === 0 && from > 0) continue;
            if (rows.length === 0) return;
            const [e] = rows;
            const steps = [{ seq: e.seq, event: e.event, class: e.class, method: e.method, desc: e.desc, open: await openAt(this.trace, e) }];
            for (const e of rows.slice(1)) steps.push(following(steps[steps.length - 1], e));
            this.steps = [...steps, ...this.steps];
            this.at += steps.length;
            return;
        }
    }
}
