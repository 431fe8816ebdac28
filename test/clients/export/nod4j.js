// nod4j.js FOLDER FILE: reads fileinfo.json and varinfo.json as NOD4J's viewer does (its rules are in
// reader/export/nod4j.h), with the parser and the lexer that it uses. Prints the source of FILE as the viewer has
// it, the words that have values, and the variables: one JSON document.
const fs = require('fs');
const path = require('path');
const JSON5 = require('json5');
const lexer = require('java-parser/src/lexer');

const [folder, wanted] = process.argv.slice(2);
const load = name => JSON5.parse(fs.readFileSync(path.join(folder, name), 'utf8'),
    (key, value) => typeof value === 'string' ? value.replace(/\\"/g, '"') : value);

// the folders below src, joined by slashes, a slash, and the name of the file
function* files(node, folders) {
    if (node.type === 'file') yield { name: folders.slice(1).join('/') + '/' + node.name, node };
    else for (const child of node.children) yield* files(child, node.name === 'project' ? [] : [...folders, node.name]);
}
const found = new Map([...files(load('fileinfo.json'), [])].map(f => [f.name, f.node]));
const source = found.get(wanted);
if (!source) throw new Error(`no ${wanted} among ${[...found.keys()]}`);

const tokens = lexer.tokenize(source.content.join('\n')).tokens;
const variables = load('varinfo.json').recentdata.filter(v => v.className === wanted);
for (const v of variables) {
    const words = tokens.filter(t => t.startLine === Number(v.linenum) && t.image === v.var);
    if (v.count > words.length) throw new Error(`${v.var} in line ${v.linenum}: word ${v.count} of ${words.length}`);
    if (v.count > 0) v.token = tokens.indexOf(words[v.count - 1]);
}
console.log(JSON.stringify({
    source: source.content,
    words: tokens.map((t, i) => ({ image: t.image, line: t.startLine, column: t.startColumn,
        valued: variables.some(v => v.token === i) })),
    variables
}));
