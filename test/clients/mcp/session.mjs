// session.mjs ERA HINDSIGHT TRACE...: asks `hindsight mcp` by a client of the protocol. ERA: sdk
// (@modelcontextprotocol/sdk), handshake or stateless (@modelcontextprotocol/client).
// Finds the cause of the stale value that Shop.java prints, then asks the other tools. Prints one line of JSON for each
// call, {tool, arguments, text}, to be compared with the other clients and with the command.
import assert from "node:assert/strict";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// NODE_PATH is not for import
const require = createRequire(path.join(process.env.NODE_PATH, "."));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const [era, command, ...traces] = process.argv.slice(2);
const sdk = era === "sdk";
const { Client } = await load(sdk ? "@modelcontextprotocol/sdk/client/index.js" : "@modelcontextprotocol/client");
const { StdioClientTransport } = await load(
  sdk ? "@modelcontextprotocol/sdk/client/stdio.js" : "@modelcontextprotocol/client/stdio",
);
const options = era === "stateless" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {};
const client = new Client({ name: "test", version: "1" }, options);
await client.connect(new StdioClientTransport({ command, args: ["mcp", ...traces], stderr: "inherit" }));
assert.equal(client.getServerVersion().name, "hindsight");
assert.match(client.getInstructions(), /seq/);

const { tools } = await client.listTools();
assert.deepEqual(
  tools.map((t) => t.name),
  "failure call why evaluate watch find sql overview".split(" "),
);
for (const tool of tools) {
  assert(tool.annotations.readOnlyHint && !tool.annotations.destructiveHint, tool.name);
  assert.equal(tool.inputSchema.additionalProperties, false);
  assert.equal(tool.inputSchema.properties.budget.minimum, 500);
}
// what every call pays: the list of tools stays small
assert(JSON.stringify(tools).length < 12000, `the list of tools has ${JSON.stringify(tools).length} bytes`);

// the text that teaches: one text in three forms
const { prompts } = await client.listPrompts();
const prompt = await client.getPrompt({ name: prompts[0].name });
const { resources } = await client.listResources();
const resource = await client.readResource({ uri: resources[0].uri });
assert.equal(prompt.messages[0].content.text, resource.contents[0].text);
assert.match(resource.contents[0].text, /^---\nname: hindsight\n/);
for (const [, tool, args] of resource.contents[0].text.matchAll(/`(\w+) (\{[^`]*\})`/g)) {
  const found = tools.find((t) => t.name === tool);
  if (tool === "record") continue; // is offered with --record alone
  assert(found, `the text names ${tool}`);
  for (const [, name] of args.matchAll(/"(\w+)":/g))
    assert(name in found.inputSchema.properties, `the text names ${tool} ${name}`);
}
await assert.rejects(client.getPrompt({ name: "other" }), /debug/);
await assert.rejects(client.readResource({ uri: "file:///etc/passwd" }), /one resource/);

async function ask(name, args = {}) {
  const answer = await client.callTool({ name, arguments: args });
  const text = answer.content[0].text;
  assert(!answer.isError, text);
  const budget = args.budget ?? 1500;
  const size = Buffer.byteLength(text);
  const [, used, of] = text.match(/\[(\d+) of (\d+) tokens(?:; more: "next":"[^"]+")?\]\n$/) ?? assert.fail(text);
  assert.equal(Number(of), budget);
  assert.equal(Number(used), Math.ceil(size / 3)); // a token is three bytes
  assert(size <= 3 * budget, `${size} bytes of ${budget} tokens`);
  console.log(JSON.stringify({ tool: name, arguments: args, text }));
  return text;
}
async function refused(name, args, pattern) {
  const answer = await client.callTool({ name, arguments: args });
  assert(answer.isError, name);
  assert.match(answer.content[0].text, pattern);
}
const seqs = (text) => [...text.matchAll(/^ *(\d+) /gm)].map((m) => Number(m[1]));
// the calls that an answer ends with
const questions = (text) =>
  [...text.matchAll(/^(?:ask next:)? +(\w+) (\{.*\})$/gm)].map((m) => [m[1], JSON.parse(m[2])]);

// The program printed "price 30 30", not "30 45": four calls.
const chain = await ask("why", { what: "Shop.main:after" }); // 1: what was shown comes from an element stored before
const stored = Number(chain.match(/^ *(\d+) +0 +ARRAY_STORE_VALUE +30 +Shop.priceOf:15/m)[1]);
const price = await ask("why", { what: "Shop.price", at: seqs(chain)[0] }); // 2: the price was another one then
const raised = Number(price.match(/^ *(\d+) +0 +PUT_STATIC_FIELD +15 +Shop.raise:/m)[1]);
assert(stored < raised && raised < seqs(chain)[0]); // and was set after the element was stored: it is stale
const call = await ask("call", { at: stored }); // 3: the call that stored it
assert.match(call, /item = 3[^]*fresh = 30[^]*returns 30/);
const calls = await ask("call", { method: "Shop.priceOf" }); // 4: the second call did not compute
assert.equal(calls.match(/Shop#\d+.priceOf\(3\) = 30/g).length, 2);

// the questions that answers end with can be asked
for (const text of [chain, price, call, calls]) {
  assert(questions(text).length > 0, text);
  for (const [tool, args] of questions(text)) await ask(tool, args);
}

// the other tools
assert.match(await ask("overview"), /^command +Shop 120$[^]*Shop.priceOf\(int\)$/m);
assert.match(await ask("evaluate", { at: stored, expression: "item * 7" }), /^21$/m);
assert.match(await ask("evaluate", { at: stored }), /Shop.priceOf:15[^]*item +3[^]*Shop.main:33/);
const shop = chain.match(/element 3 of array (\d+)/)[1];
assert.match(await ask("evaluate", { at: stored, object: shop }), /int\[\]#\d+/);
assert.match(await ask("watch", { place: "Shop.priceOf:14", text: "{item} at {price}" }), /^ *\d+ +0 +3 at 10$/m);
assert.match(await ask("find", { value: "45" }), /tokens/);
assert.match(await ask("find", { value: "30", kind: "element" }), new RegExp(`^ *${stored} `, "m"));
assert.match(await ask("find", { exception: "*" }), /note: .*no exception/);
const entries = await ask("find", { event: "METHOD_ENTRY", class: "Shop" });
assert.match(await ask("sql", { query: "SELECT count(*) AS n FROM calls WHERE method = 'priceOf'" }), /^ +2$/m);
assert.match(await ask("why", { not: "Shop.priceOf:15" }), /valid/);
assert.match(await ask("why", { at: stored, control: true }), /valid/);
assert.match(await ask("why", { at: stored, slice: true }), /Shop.priceOf/);
assert.match(await ask("failure"), /note: no test/);

// control characters, halves of surrogate pairs and the like are escaped
assert.match(await ask("find", { value: "quoted" }), /\\"quoted\\" \\\\ line\\n\\u001b\[31m\\u202e\\ud800 \\u0000 end/);

// page by page: each within its budget, and together the whole
const whole = await ask("find", { event: "METHOD_ENTRY", budget: 20000 });
let pages = "",
  next;
for (let page = 0; page < 50; page++) {
  const text = await ask("find", { event: "METHOD_ENTRY", budget: 500, ...(next && { next }) });
  pages += text.slice(0, text.search(/^ask next|^\[/m));
  next = text.match(/"next":"([^"]+)"/)?.[1];
  if (!next) break;
  assert(page < 49);
}
assert.equal(pages, whole.slice(0, whole.search(/^ask next|^\[/m)));
assert(seqs(entries).every((seq) => seqs(whole).includes(seq)));
for (const budget of [500, 501, 600, 777])
  for (const [tool, args] of [["why", { what: "Shop.main:after" }], ["overview", {}], ["evaluate", { at: stored }]])
    await ask(tool, { ...args, budget });

// errors say what to try
await refused("find", { clas: "Shop" }, /nearest: class/);
await refused("find", { class: "Shpo" }, /class: no class is called 'Shpo'; the nearest: Shop/);
await refused("find", { event: "CAL" }, /CAL.*nearest: CALL/);
await refused("find", { kind: "field" }, /kind does not go with/);
await refused("why", { what: "Shop.prise" }, /it has price, values/);
await refused("sql", { query: "SELECT * FROM diff('/tmp')" }, /which only `hindsight sql` in a shell may/);
await refused("why", {}, /say not, or what, or at/);
await refused("evaluate", {}, /at: is missing: the moment: just after this seq/);
await refused("evaluate", { at: 1e9 }, /there is no event 1000000000, the last one is \d+/);
await refused("why", { at: -1 }, /at: expects a number/);
await refused("why", { at: true }, /at: expects a number/);
await refused("overview", { budget: 499 }, /budget: expects 500 to 20000/);
await refused("overview", { next: "line-1-0" }, /next: expects the `next`/);
await refused("find", { value: "30", next: "line-1-0" }, /next: expects the `next`/);
await assert.rejects(client.callTool({ name: "fin", arguments: {} }), /nearest: find/);
await assert.rejects(client.callTool({ name: "record", arguments: {} }), /unknown tool/);
await client.close();
