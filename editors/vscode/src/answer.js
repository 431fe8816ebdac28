// answer.js - "Who Wrote This?" and "Why?" on a variable: the answer stays in a view of its own, and a click on one of
// its events goes there.
'use strict';
const vscode = require('vscode');

const LIMIT = 100;

// The menu of a variable gives what the adapter has said of it and of its parent.
const variableOf = menu => ({ variablesReference: menu.container.variablesReference, name: menu.variable.name });

const shortName = type => type.slice(type.lastIndexOf('.') + 1);

function item(row) {
    const i = new vscode.TreeItem(row.shown === undefined ? row.event : row.shown);
    const line = row.line === undefined ? '' : ':' + row.line;
    const place = row.class ? `${shortName(row.class)}.${row.method}${line}` : '';
    i.description = [place, row.because].filter(Boolean).join('  ');
    i.iconPath = new vscode.ThemeIcon(row.end ? 'circle-filled' : 'arrow-small-right');
    i.tooltip = `event ${row.seq}: ${row.event}${row.because ? '\n' + row.because : ''}`;
    i.command = { command: 'hindsight.goTo', title: 'Go to Event', arguments: [row.seq] };
    return i;
}

exports.activate = (context, moments) => {
    const changed = new vscode.EventEmitter();
    let rows = [];
    const view = vscode.window.createTreeView('hindsight.answer', { treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: item,
        getChildren: parent => parent ? [] : rows,
        getParent: () => undefined,
    } });
    const show = async (question, found) => {
        rows = found;
        view.message = rows.length > 0 ? question : `${question}: nothing that was recorded`;
        changed.fire();
        if (rows.length > 0)
            await view.reveal(rows[0], { select: true, focus: false });
    };
    const about = (command, question, request, rowsIn) =>
        vscode.commands.registerCommand(command, async menu => {
            const answered = await moments.ask(request, { ...variableOf(menu), limit: LIMIT });
            if (answered)
                await show(`${question} ${menu.variable.name}, at event ${moments.seq}`, rowsIn(answered));
        });
    context.subscriptions.push(changed, view,
        about('hindsight.whoWrote', 'Who wrote', 'lastWrite', a => a.write ? [a.write] : []),
        about('hindsight.why', 'Why is this', 'why', a => a.chain));
    context.subscriptions.push(moments.onDidChange(() => {
        if (!moments.session) {
            rows = [];
            view.message = undefined;
            changed.fire();
        }
    }));
};
