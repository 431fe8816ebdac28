// launch.js - debug configurations: what is filled in where the user left it out.
'use strict';
const vscode = require('vscode');

const USUAL_SOURCES = exports.USUAL_SOURCES = ['src/main/java', 'src/test/java', 'src', ''];

// Those of the usual folders that the workspace folder has, as paths of this machine.
async function sourcesOf(folder) {
    const found = [];
    for (const name of folder && folder.uri.scheme === 'file' ? USUAL_SOURCES : []) {
        const uri = vscode.Uri.joinPath(folder.uri, name);
        if (await vscode.workspace.fs.stat(uri).then(() => true, () => false))
            found.push(uri.fsPath);
    }
    return found;
}

exports.provider = host => ({
    async resolveDebugConfigurationWithSubstitutedVariables(folder, config) {
        if (config.sourcePaths === undefined) {
            const found = await sourcesOf(folder);
            if (found.length > 0)
                config.sourcePaths = found;
        }
        return host.complete(config);
    },
    // F5 without a launch.json, or a configuration that is empty: the newest trace.
    resolveDebugConfiguration: (folder, config) => config.type ? config
        : { type: 'hindsight', request: 'launch', name: 'Newest Trace' },
});

exports.openTrace = async host => {
    const chosen = await host.chooseTrace();
    const [folder] = vscode.workspace.workspaceFolders || [];
    if (chosen)
        await vscode.debug.startDebugging(folder, { type: 'hindsight', request: chosen.trace ? 'attach' : 'launch',
            name: chosen.trace || 'Newest Trace', ...chosen });
};
