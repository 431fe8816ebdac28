// playback.js - the entries and exits of a thread, one after the other in both directions, with the calls that are open.
import { ask } from './api.js';

const EVENTS = 'METHOD_ENTRY,METHOD_NORMAL_EXIT,METHOD_EXCEPTIONAL_EXIT';
const AHEAD = 500; // steps asked for at once
const BACK = [4000, 60000, 1000000]; // events searched backwards, each only if there was no step in those before

// The calls open just after an event, outermost first. At an exit `locals` has the call that ends, too.
async function openAfter(trace, e) {
    const frames = await ask('locals', { trace, at: e.seq });
    const open = frames.map((f) => ({ class: f.class, method: f.method, desc: f.desc, entered: f.entered })).reverse();
    return /_EXIT$/.test(e.event) ? open.slice(0, -1) : open;
}

// The calls behind an entry or exit, if `open` were before it.
function after(open, e) {
    const call = { class: e.class, method: e.method, desc: e.desc, entered: e.seq };
    if (e.event === 'METHOD_ENTRY') return [...open, call];
    let i = open.length - 1;
    while (i >= 0 && !(open[i].class === e.class && open[i].method === e.method && open[i].desc === e.desc)) i--;
    return i < 0 ? open : open.slice(0, i);
}

// A player of one thread: `steps` are { seq, event, open }, `at` is the one that it stands on (-1: none yet).
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
        const open = e?.thread === this.thread ? await openAfter(this.trace, e) : [];
        this.steps = [{ seq: seq ?? -1, event: e?.event ?? null, open }];
        this.at = 0;
        this.ended = false;
    }

    async forward() {
        if (this.at + 1 >= this.steps.length && !this.ended) {
            const last = this.steps[this.steps.length - 1];
            const rows = await this.rows(last.seq + 1, { num: AHEAD });
            this.ended = rows.length < AHEAD;
            let open = last.open;
            for (const e of rows) {
                open = after(open, e);
                this.steps.push({ seq: e.seq, event: e.event, open });
            }
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
            let open = await openAfter(this.trace, rows[0]);
            const steps = rows.map((e, i) => ({ seq: e.seq, event: e.event, open: (open = i === 0 ? open : after(open, e)) }));
            this.steps = [...steps, ...this.steps];
            this.at += steps.length;
            return;
        }
    }
}
