// timeline.js - the view Timeline: beginning, marks, exceptions, the moment and the end, in the order of the events. A
// click goes there.
'use strict';
const vscode = require('vscode');

const LIMIT = 1000; // marks, and exceptions, that are shown

// The rows of a `timeline` answer, by seq; the moment stands behind what happened at the same event.
function rowsOf(t) {
    const shortName = type => type.slice(type.lastIndexOf('.') + 1);
    const rows = [{ seq: 0, rank: 0, icon: 'debug-start', label: 'Beginning' }];
    for (const m of t.marks)
        rows.push({ seq: m.first, rank: 1, icon: 'bookmark', label: m.name, detail: `mark, ${m.events} events` });
    for (const x of t.exceptions)
        rows.push({ seq: x.seq, rank: 2, icon: x.caught === undefined ? 'error' : 'warning', label: shortName(x.type),
            detail: x.caught === undefined ? 'not caught' : `caught at ${x.caught}` });
    rows.push({ seq: t.events - 1, rank: 3, icon: 'debug-stop', label: 'End' });
    rows.push({ seq: t.seq, rank: 4, icon: 'arrow-right', label: 'Now' });
    rows.sort((a, b) => a.seq - b.seq || a.rank - b.rank);
    if (t.moreExceptions)
        rows.push({ icon: 'ellipsis', label: `more than ${t.exceptions.length} exceptions` });
    return rows;
}

function item(row) {
    const i = new vscode.TreeItem(row.label);
    i.iconPath = new vscode.ThemeIcon(row.icon);
    i.description = [row.seq, row.detail].filter(d => d !== undefined).join(', ');
    if (row.seq !== undefined)
        i.command = { command: 'hindsight.goTo', title: 'Go to Event', arguments: [row.seq] };
    return i;
}

exports.activate = (context, moments) => {
    const changed = new vscode.EventEmitter();
    const provider = {
        onDidChangeTreeData: changed.event,
        getTreeItem: item,
        async getChildren(parent) {
            const t = !parent && moments.seq !== undefined && await moments.ask('timeline', { limit: LIMIT });
            return t ? rowsOf(t) : [];
        },
    };
    context.subscriptions.push(changed, vscode.window.registerTreeDataProvider('hindsight.timeline', provider),
        moments.onDidChange(() => changed.fire()));
};
