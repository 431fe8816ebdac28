// output.js - the view Output: what the program wrote, line by line. A click goes to the call that wrote the line; the
// line that was written last by the moment is selected.
'use strict';
const vscode = require('vscode');

const LIMIT = 10000; // lines that are shown

function item(row) {
    const i = new vscode.TreeItem(row.text === '' ? ' ' : row.text);
    if (row.seq === undefined)
        return i;
    i.description = String(row.seq);
    i.tooltip = `${row.stream}, event ${row.seq}:\n${row.text}`;
    if (row.stream === 'stderr')
        i.iconPath = new vscode.ThemeIcon('warning');
    i.command = { command: 'hindsight.goTo', title: 'Go to Event', arguments: [row.seq] };
    return i;
}

const messageOf = answer => !answer || answer.lines.length > 0 ? undefined
    : answer.recorded ? 'The program wrote nothing that was recorded.' : 'Output was not recorded (stdout=true).';

exports.activate = (context, moments) => {
    const changed = new vscode.EventEmitter();
    let session, rows = [];
    const view = vscode.window.createTreeView('hindsight.output', { treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: item,
        getChildren: parent => parent ? [] : rows,
        getParent: () => undefined,
    } });
    const read = async () => {
        const answer = moments.session && await moments.ask('outputLines', { limit: LIMIT });
        rows = answer ? answer.lines : [];
        if (answer && answer.more)
            rows.push({ text: `more than ${LIMIT} lines: hindsight output has them` });
        view.message = messageOf(answer);
        changed.fire();
    };
    const follow = async () => {
        if (moments.session !== session) {
            session = moments.seq === undefined ? undefined : moments.session; // once it stands somewhere
            await read();
        }
        const now = moments.seq === undefined ? undefined : BigInt(moments.seq);
        const last = now === undefined ? undefined : rows.findLast(r => r.seq !== undefined && BigInt(r.seq) <= now);
        if (last && view.visible)
            await view.reveal(last, { select: true, focus: false });
    };
    context.subscriptions.push(changed, view, moments.onDidChange(follow), view.onDidChangeVisibility(follow));
};
