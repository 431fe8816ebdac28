// speedscope.js FILE: imports a profile as the web page of speedscope does, and prints what the page would save: a file
// in speedscope's own format (file-format-schema.json).
//
// The npm package holds the page alone, one script. It is run here up to where it shows itself, with a `window` that it
// does not need for the import; its two functions are found by what they do.
const fs = require("fs"), path = require("path"), vm = require("vm");
const folder = path.join(path.dirname(require.resolve("speedscope/package.json")), "dist/release");
const script = fs.readdirSync(folder).find((name) => /^speedscope-.*\.js$/.test(name));
let source = fs.readFileSync(path.join(folder, script), "utf8");

function found(pattern) {
  const match = source.match(pattern);
  if (!match) throw new Error(`speedscope is another one than this script knows: no ${pattern}`);
  return match;
}
const read = found(/await ([\w$]+)\(\w+,await \w+\.arrayBuffer\(\)\)/)[1];
const saved = found(/=([\w$]+)\(t\),n=new Blob\(\[JSON\.stringify/)[1];
const shown = found(/console\.log\(`speedscope v/).index;
source = source.slice(0, shown) + `globalThis.importer={read:${read},saved:${saved}};})();`;

const element = () => ({ style: {}, setAttribute() {}, appendChild() {}, addEventListener() {}, getContext: () => null });
const page = {
  console: { log() {}, warn: console.error, error: console.error },
  document: { ...element(), createElement: element, createTextNode: element, head: element(), body: element() },
  navigator: { platform: "", userAgent: "" }, location: { href: "http://localhost/", hash: "", protocol: "http:" },
  matchMedia: () => ({ matches: false, addEventListener() {}, addListener() {} }), addEventListener() {},
  localStorage: { getItem: () => null, setItem() {} }, requestAnimationFrame() {}, setTimeout, setInterval, clearTimeout,
  TextDecoder, TextEncoder, URL, Request, Response, WebAssembly, performance, alert: console.error, MutationObserver: undefined,
  fetch: async (name) => new Response(fs.readFileSync(path.join(folder, path.basename(String(name)))),
    { headers: { "Content-Type": "application/wasm" } }),
};
page.window = page.self = page.globalThis = page;
vm.runInContext(source, vm.createContext(page), { filename: script });
const bytes = fs.readFileSync(process.argv[2]);
page.importer.read(path.basename(process.argv[2]), bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  .then((group) => {
    if (!group) throw new Error("speedscope does not know the format");
    process.stdout.write(JSON.stringify(page.importer.saved(group)));
  })
  .catch((error) => { console.error(error); process.exit(1); });
