// moment.js - where the session in front stands, and the ways to another moment. Moments are numbers of events.
'use strict';
const vscode = require('vscode');

class Moments {
    constructor() {
        this.at = new Map(); // session id: the last `stopped` event
        this.sources = new Map(); // session id: of each frame number of the moment, its source
        this.emitter = new vscode.EventEmitter();
        this.onDidChange = this.emitter.event; // the session in front has moved, or is another one
    }
    get session() {
        const s = vscode.debug.activeDebugSession;
        return s && s.type === 'hindsight' ? s : undefined;
    }
    get seq() {
        const at = this.session && this.at.get(this.session.id);
        return at && at.seqOfTrace;
    }
    message(session, m) {
        if (m.type === 'event' && m.event === 'stopped') {
            this.at.set(session.id, m.body);
            this.sources.set(session.id, new Map());
            this.emitter.fire();
        } else if (m.type === 'response' && m.command === 'stackTrace' && m.success && this.sources.has(session.id)) {
            for (const f of m.body.stackFrames)
                this.sources.get(session.id).set(f.id, f.source);
        }
    }
    // The document that VS Code shows for a frame; undefined: none.
    sourceOf(session, frame) {
        const source = this.sources.has(session.id) && this.sources.get(session.id).get(frame.frameId);
        if (!source || !source.path)
            return undefined;
        const isUri = !source.sourceReference && /^[a-z][a-z0-9+.-]+:/i.test(source.path);
        return isUri ? vscode.Uri.parse(source.path) : vscode.debug.asDebugSourceUri(source, session);
    }
    ended(session) {
        this.at.delete(session.id);
        this.sources.delete(session.id);
        this.emitter.fire();
    }
    // A request of the session in front; a failure is shown to the user, and gives undefined.
    async ask(command, args) {
        try {
            return this.session && await this.session.customRequest(command, args);
        } catch (e) {
            vscode.window.showErrorMessage(`Hindsight: ${e.message.replace(/\]\(/g, '] (')}`); // nothing is a link
            return undefined;
        }
    }
    goTo(seq) {
        return this.ask('goto', { seq });
    }
}

async function askForMoment(moments) {
    const extent = await moments.ask('timeline', { limit: 1 });
    if (!extent)
        return;
    const last = extent.events - 1;
    const text = await vscode.window.showInputBox({ title: 'Go to event', value: String(extent.seq),
        prompt: `The number of an event, from 0 to ${last}`,
        validateInput: t => /^\d+$/.test(t.trim()) && Number(t) <= last ? null : `a number from 0 to ${last}` });
    if (text !== undefined)
        await moments.goTo(text.trim());
}

exports.create = context => {
    const moments = new Moments();
    const shown = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
    shown.name = 'Hindsight: moment';
    shown.command = 'hindsight.goTo';
    shown.tooltip = 'Where the session stands in the recording: go to another event';
    context.subscriptions.push(shown, moments.emitter,
        moments.onDidChange(() => {
            shown.text = `$(history) event ${moments.seq}`;
            if (moments.seq === undefined) shown.hide(); else shown.show();
        }),
        vscode.debug.registerDebugAdapterTrackerFactory('hindsight', {
            createDebugAdapterTracker: session => ({
                onDidSendMessage: m => moments.message(session, m),
                onWillStopSession: () => moments.ended(session),
            }),
        }),
        vscode.debug.onDidChangeActiveDebugSession(() => moments.emitter.fire()),
        vscode.commands.registerCommand('hindsight.goTo', seq => seq === undefined ? askForMoment(moments)
            : moments.goTo(seq)));
    return moments;
};
