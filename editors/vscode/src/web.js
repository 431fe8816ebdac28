// web.js - entry of the extension in a browser, which cannot start programs: the adapter is `hindsight dap --listen`,
// reached by WebSocket. pack.py joins it with the modules that it requires.
'use strict';
const vscode = require('vscode');
const main = require('./main.js');
const launch = require('./launch.js');

let lastAddress; // kept no longer than the window is open: it has the token

// The adapter gives sources by number, with a path as of a package (com/acme/Shop.java). If the workspace has the file,
// that is shown, and breakpoints in it are those of the session.
class Workspace {
    constructor() {
        this.known = new Map(); // path: a promise of its uri, or of undefined
    }
    find(path) {
        if (!this.known.has(path))
            this.known.set(path, this.look(path));
        return this.known.get(path);
    }
    async look(path) {
        for (const folder of vscode.workspace.workspaceFolders || [])
            for (const name of launch.USUAL_SOURCES) {
                const uri = vscode.Uri.joinPath(folder.uri, name, path);
                if (await vscode.workspace.fs.stat(uri).then(() => true, () => false))
                    return uri.toString();
            }
        return undefined;
    }
    // Puts the files of the workspace into the sources of an answer or event.
    async place(body) {
        const rows = [body, ...(body.stackFrames || []), ...(body.breakpoints || [])].map(row => row.source);
        for (const source of [...rows, ...(body.sources || [])]) {
            const uri = source && source.sourceReference > 0 && source.path && await this.find(source.path);
            if (!uri)
                continue;
            source.path = uri;
            delete source.sourceReference;
        }
    }
}

class SocketAdapter {
    constructor(address) {
        this.emitter = new vscode.EventEmitter();
        this.onDidSendMessage = this.emitter.event;
        this.workspace = new Workspace();
        this.received = Promise.resolve();
        this.waiting = []; // requests, until the connection is open
        this.socket = new WebSocket(address);
        this.socket.onopen = () => {
            for (const request of this.waiting.splice(0))
                this.socket.send(JSON.stringify(request));
        };
        this.socket.onmessage = m => this.receive(JSON.parse(m.data));
        this.socket.onclose = () => {
            this.waiting.splice(0).forEach(request => this.refuse(request));
            this.receive({ type: 'event', seq: 0, event: 'terminated' });
        };
    }
    handleMessage(request) {
        if (this.socket.readyState === WebSocket.CONNECTING)
            this.waiting.push(request);
        else if (this.socket.readyState === WebSocket.OPEN)
            this.socket.send(JSON.stringify(request));
        else
            this.refuse(request);
    }
    refuse(request) {
        this.receive({ type: 'response', seq: 0, request_seq: request.seq, command: request.command, success: false,
            message: 'no connection to hindsight dap --listen: does it run, and has it printed this address?' });
    }
    // In their order, although looking for files takes time.
    receive(message) {
        this.received = this.received.then(async () => {
            if (message.body)
                await this.workspace.place(message.body);
            this.emitter.fire(message);
        });
    }
    dispose() {
        this.socket.onclose = null;
        this.socket.close();
        this.emitter.dispose();
    }
}

async function askAddress() {
    const given = await vscode.window.showInputBox({
        title: 'Hindsight: address of the adapter', value: lastAddress, ignoreFocusOut: true,
        prompt: 'What `hindsight dap --listen 4711` prints, on this machine',
        placeHolder: 'ws://127.0.0.1:4711/?token=...',
        validateInput: text => /^wss?:\/\/[^\s]+$/.test(text.trim()) ? null : 'an address begins with ws://',
    });
    return given && given.trim();
}

const host = {
    adapter: session => new vscode.DebugAdapterInlineImplementation(new SocketAdapter(session.configuration.address)),
    async chooseTrace() {
        const trace = await vscode.window.showInputBox({ title: 'Hindsight: directory of the trace',
            prompt: 'On the machine of hindsight dap; empty: the newest there', ignoreFocusOut: true });
        return trace === undefined ? undefined : trace === '' ? {} : { trace };
    },
    // A configuration with all that the adapter needs; undefined: the user gave up.
    async complete(config) {
        config.address = config.address || await askAddress();
        lastAddress = config.address || lastAddress;
        return config.address ? config : undefined;
    },
};

exports.activate = context => main.activate(context, host);
