// desktop.cjs EXTENSION HINDSIGHT TRACE FOLDER - the entry for desktops, which no VS Code from a package registry can
// run: with a stand-in for the API of VS Code it registers what package.json declares, fills in a launch configuration,
// and names an adapter that answers.
'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');
const Module = require('module');

const [extension, hindsight, trace, folder] = process.argv.slice(2);
let failures = 0;
function same(what, got, want) {
    if (JSON.stringify(got) === JSON.stringify(want)) return;
    failures++;
    console.log(`FAILED: ${what}: ${JSON.stringify(got)}, not ${JSON.stringify(want)}`);
}

const registered = { commands: [], views: [] };
const nothing = { dispose() { }, show() { }, hide() { }, onDidChangeVisibility: () => nothing };
const uri = fsPath => ({ scheme: 'file', fsPath });
class Emitter { constructor() { this.event = () => nothing; } fire() { } dispose() { } }
const vscode = {
    EventEmitter: Emitter, StatusBarAlignment: {}, ThemeColor: class { },
    DebugAdapterExecutable: class {
        constructor(command, args, options) { Object.assign(this, { command, args, options }); }
    },
    Uri: { joinPath: (base, name) => uri(path.join(base.fsPath, name)) },
    workspace: {
        fs: { stat: u => fs.promises.stat(u.fsPath) },
        getConfiguration: () => ({ get: name => name === 'command' ? hindsight : undefined }),
        onDidChangeConfiguration: () => nothing,
    },
    window: {
        createStatusBarItem: () => nothing, createTextEditorDecorationType: () => nothing,
        createTreeView: id => (registered.views.push(id), nothing),
        registerTreeDataProvider: id => (registered.views.push(id), nothing),
        onDidChangeVisibleTextEditors: () => nothing,
    },
    commands: { registerCommand: id => (registered.commands.push(id), nothing) },
    languages: { registerCodeLensProvider: () => nothing },
    debug: {
        registerDebugConfigurationProvider: (type, p) => (registered.provider = p, nothing),
        registerDebugAdapterDescriptorFactory: (type, f) => (registered.factory = f, nothing),
        registerDebugAdapterTrackerFactory: () => nothing, onDidChangeActiveDebugSession: () => nothing,
        onDidChangeActiveStackItem: () => nothing, onDidTerminateDebugSession: () => nothing,
    },
};
const load = Module._load;
Module._load = (name, ...rest) => name === 'vscode' ? vscode : load(name, ...rest);

(async () => {
    const p = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));
    require(path.join(extension, p.main)).activate({ subscriptions: [] });
    for (const { command } of p.contributes.commands)
        same(command, registered.commands.includes(command), true);
    same('views', registered.views.sort(), p.contributes.views.debug.map(v => v.id).sort());

    fs.mkdirSync(path.join(folder, 'src', 'main', 'java'), { recursive: true });
    const workspaceFolder = { uri: uri(folder) };
    const filled = config => registered.provider
        .resolveDebugConfigurationWithSubstitutedVariables(workspaceFolder, config);
    same('source paths', (await filled({ type: 'hindsight' })).sourcePaths,
        ['src/main/java', 'src', ''].map(name => path.join(folder, name)));
    same('source paths of the user', (await filled({ sourcePaths: ['x'] })).sourcePaths, ['x']);
    same('F5 without a configuration', registered.provider.resolveDebugConfiguration(workspaceFolder, {}),
        { type: 'hindsight', request: 'launch', name: 'Newest Trace' });

    const adapter = registered.factory.createDebugAdapterDescriptor({ workspaceFolder });
    same('where the adapter runs', adapter.options, { cwd: folder });
    const child = spawn(adapter.command, adapter.args, { ...adapter.options, stdio: ['pipe', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', d => out += d);
    for (const [seq, command, args] of [[1, 'initialize', {}], [2, 'attach', { trace }], [3, 'disconnect', {}]]) {
        const message = JSON.stringify({ seq, type: 'request', command, arguments: args });
        child.stdin.write(`Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
    }
    same('the adapter ends', await new Promise(done => child.on('exit', done)), 0);
    same('it answers', ['initialize', 'attach', 'disconnect'].map(c =>
        new RegExp(`"success":true,"command":"${c}"`).test(out)), [true, true, true]);
    console.log(`desktop: ${failures} failures`);
    process.exit(failures > 0 ? 1 : 0);
})().catch(e => {
    console.log('FAILED: ' + e.stack);
    process.exit(1);
});
