// values.js - behind each line of the method on the stack, the values that its call saw there; at a line that it came
// to more than once, all times to choose from.
//
// Of each line the last visit up to the moment is shown, or else the first one behind it; paler, what was seen only
// behind the moment.
'use strict';
const vscode = require('vscode');

const TEXT_MAX = 120, HOVER_ROWS = 50;

// line: { visits, shown (number of the visit that is shown), later }
function byLine(visits, seq) {
    const lines = new Map();
    for (const v of visits) {
        const l = lines.get(v.line) || { visits: [], shown: -1 };
        lines.set(v.line, l);
        l.visits.push(v);
        if (v.seq <= seq)
            l.shown = l.visits.length - 1;
    }
    for (const l of lines.values()) {
        l.later = l.shown < 0;
        l.shown = Math.max(l.shown, 0);
    }
    return lines;
}

const valuesText = visit => visit.values.map(v => `${v.name} = ${v.value}`).join(', ');
const cut = text => text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) + '…' : text;

// The visits around the one that is shown, as they came, in plain text: values may have any characters.
function hover(line) {
    const first = Math.max(0, Math.min(line.shown - HOVER_ROWS / 2, line.visits.length - HOVER_ROWS));
    const rows = line.visits.slice(first, first + HOVER_ROWS).map((v, i) =>
        `${first + i === line.shown ? '>' : ' '} ${first + i + 1}  event ${v.seq}  ${cut(valuesText(v))}`);
    return new vscode.MarkdownString().appendCodeblock(rows.join('\n'), 'text');
}

// What the visit had seen up to the moment, and, apart, what it saw behind it; the hover belongs to one of them.
function decorations(line, l, seq) {
    const end = new vscode.Position(line - 1, Number.MAX_SAFE_INTEGER), visit = l.visits[l.shown];
    const [seen, later] = [v => v.seq <= seq, v => v.seq > seq].map(is => ({ values: visit.values.filter(is) }))
        .map(part => part.values.length > 0 && { range: new vscode.Range(end, end),
            renderOptions: { after: { contentText: cut(valuesText(part)) } } });
    if (seen || later)
        (seen || later).hoverMessage = hover(l);
    return { seen, later };
}

class LineValues {
    constructor(moments) {
        this.moments = moments;
        this.lines = new Map();
        this.codeLensChanged = new vscode.EventEmitter();
        this.onDidChangeCodeLenses = this.codeLensChanged.event;
        const behind = colour => vscode.window.createTextEditorDecorationType({
            after: { margin: '0 0 0 3em', fontStyle: 'italic', color: new vscode.ThemeColor(colour) } });
        this.seen = behind('editorCodeLens.foreground');
        this.later = behind('disabledForeground');
        this.asked = 0;
    }
    // Asks for the frame in front.
    async refresh() {
        const asked = ++this.asked, frame = vscode.debug.activeStackItem, session = this.moments.session;
        let found = new Map(), uri;
        if (frame && session && frame.session.id === session.id)
            uri = this.moments.sourceOf(session, frame); // of this moment: the numbers of frames end when it moves
        if (uri && vscode.workspace.getConfiguration('hindsight').get('lineValues')) {
            const answer = await session.customRequest('lines', { frameId: frame.frameId })
                .then(a => a, () => undefined);
            if (answer)
                found = byLine(answer.visits, this.moments.seq);
        }
        if (asked !== this.asked)
            return;
        this.lines = found;
        this.uri = uri;
        this.show();
    }
    show() {
        for (const editor of vscode.window.visibleTextEditors) {
            const here = this.uri !== undefined && editor.document.uri.toString() === this.uri.toString();
            const rows = here ? [...this.lines].filter(([line]) => line <= editor.document.lineCount) : [];
            const both = rows.map(([line, l]) => decorations(line, l, this.moments.seq));
            editor.setDecorations(this.seen, both.map(b => b.seen).filter(Boolean));
            editor.setDecorations(this.later, both.map(b => b.later).filter(Boolean));
        }
        this.codeLensChanged.fire();
    }
    // Above a line that the call came to several times: the time before, all, the time after.
    provideCodeLenses(document) {
        if (this.uri === undefined || document.uri.toString() !== this.uri.toString())
            return [];
        return [...this.lines].filter(([line, l]) => l.visits.length > 1 && line <= document.lineCount)
            .flatMap(([line, l]) => {
                const range = new vscode.Range(line - 1, 0, line - 1, 0);
                const lens = (title, tooltip, command, argument) =>
                    new vscode.CodeLens(range, { title, tooltip, command, arguments: [argument] });
                const at = l.later ? -1 : l.shown, before = l.visits[at - 1], after = l.visits[at + 1];
                return [
                    before && lens('‹', 'The time before', 'hindsight.goTo', before.seq),
                    lens(`time ${at + 1} of ${l.visits.length}`, 'All times that this call came here',
                        'hindsight.chooseVisit', line),
                    after && lens('›', 'The next time', 'hindsight.goTo', after.seq),
                ].filter(Boolean);
            });
    }
    async choose(line) {
        const l = this.lines.get(line);
        const rows = l ? l.visits.map((v, i) => ({ label: `${i + 1}`, seq: v.seq,
            description: valuesText(v).replace(/\$\(/g, '\\$(') })) : []; // no value is an icon
        const chosen = await vscode.window.showQuickPick(rows, { title: `Times that this call came to line ${line}`,
            matchOnDescription: true });
        if (chosen)
            await this.moments.goTo(chosen.seq);
    }
}

exports.activate = (context, moments) => {
    const values = new LineValues(moments);
    const refresh = () => values.refresh();
    context.subscriptions.push(values.seen, values.later, values.codeLensChanged,
        vscode.debug.onDidChangeActiveStackItem(refresh), vscode.debug.onDidTerminateDebugSession(refresh),
        vscode.window.onDidChangeVisibleTextEditors(() => values.show()),
        vscode.workspace.onDidChangeConfiguration(refresh),
        vscode.languages.registerCodeLensProvider('*', values),
        vscode.commands.registerCommand('hindsight.chooseVisit', line => values.choose(line)));
};
