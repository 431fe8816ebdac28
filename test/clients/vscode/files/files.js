// files.js - a file system of VS Code, read only: testfiles://HOST/PATH is what http://HOST/PATH of serve.mjs gives.
'use strict';
const vscode = require('vscode');

async function get(uri) {
    const response = await fetch(`http://${uri.authority}${uri.path}`);
    if (!response.ok)
        throw vscode.FileSystemError.FileNotFound(uri);
    return response;
}
async function folder(uri) {
    const response = await get(uri);
    const isFolder = response.headers.get('Content-Type') === 'application/json' && !uri.path.endsWith('.json');
    return isFolder ? (await response.json()).folder : undefined;
}
const refuse = () => { throw vscode.FileSystemError.NoPermissions('read only'); };

exports.activate = context => context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider('testfiles', {
        onDidChangeFile: new vscode.EventEmitter().event,
        watch: () => new vscode.Disposable(() => { }),
        async stat(uri) {
            const type = await folder(uri) ? vscode.FileType.Directory : vscode.FileType.File;
            return { type, ctime: 0, mtime: 0, size: 0 };
        },
        readDirectory: async uri => await folder(uri) || [],
        readFile: async uri => new Uint8Array(await (await get(uri)).arrayBuffer()),
        createDirectory: refuse, writeFile: refuse, delete: refuse, rename: refuse,
    }, { isReadonly: true }));
