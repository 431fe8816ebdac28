// desktop.js - entry of the extension in VS Code on a desktop: the adapter is a process of this machine.
'use strict';
const vscode = require('vscode');
const main = require('./main.js');

const host = {
    adapter(session) {
        const folder = session.workspaceFolder;
        const command = vscode.workspace.getConfiguration('hindsight').get('command') || 'hindsight';
        return new vscode.DebugAdapterExecutable(command, ['dap'], folder ? { cwd: folder.uri.fsPath } : undefined);
    },
    // The arguments of a session on a trace that the user chooses; undefined: none was chosen.
    async chooseTrace() {
        const chosen = await vscode.window.showOpenDialog({ canSelectFiles: false, canSelectFolders: true,
            openLabel: 'Open Trace' });
        return chosen && { trace: chosen[0].fsPath };
    },
    complete: async config => config,
};

exports.activate = context => main.activate(context, host);
