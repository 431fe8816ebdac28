// session.mjs ERA HINDSIGHT TRACE...: asks `hindsight mcp` by a client of the protocol, which checks each answer
// against the tool's output schema. ERA: sdk (@modelcontextprotocol/sdk), handshake or stateless
// (@modelcontextprotocol/client).
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
  (
    "overview find_events call_tree frame_at evaluate watch method_calls object_at last_write why slice why_not " +
    "overflows allocations exceptions failure tests suspects compare source"
  ).split(" "),
);
for (const tool of tools) {
  assert(tool.annotations.readOnlyHint && !tool.annotations.destructiveHint, tool.name);
  assert.equal(tool.inputSchema.additionalProperties, false);
  assert(tool.outputSchema, tool.name);
}

async function ask(name, args = {}) {
  const answer = await client.callTool({ name, arguments: args });
  const text = answer.content[0].text;
  assert(!answer.isError, text);
  assert.deepEqual(JSON.parse(text), answer.structuredContent, name + ": text and structured content differ");
  console.log(JSON.stringify({ tool: name, arguments: args, text }));
  return answer.structuredContent;
}
async function refused(name, args, pattern) {
  const answer = await client.callTool({ name, arguments: args });
  assert(answer.isError && !answer.structuredContent, name);
  assert.match(answer.content[0].text, pattern);
}

// The program printed "price 30 30", not "30 45": five calls.
const shown = (await ask("last_write", { what: "Shop.main:after" })).write; // 1: what was shown, and when
assert.equal(shown.value, 30);
const { causes } = await ask("why", { at: shown.seq }); // 2: it comes from an element of `values`, stored before
const stored = causes.find((c) => c.event === "ARRAY_STORE_VALUE");
assert.equal(stored.value, 30);
const price = (await ask("last_write", { what: "Shop.price", at: shown.seq })).write; // 3: the price then was another
assert.equal(price.value, 15);
assert.equal(price.method, "raise");
assert(stored.seq < price.seq && price.seq < shown.seq); // and was set after the element was stored: it is stale
const { frames } = await ask("frame_at", { at: stored.seq }); // 4: the call that stored it
assert.deepEqual([frames[0].method, frames[0].parameters.item, frames[1].line], ["priceOf", 3, 33]);
const { lines } = await ask("source", { class: "Shop", method: "priceOf" }); // 5: it was computed only once
assert.deepEqual(
  lines.filter((l) => l.times > 0).map((l) => [l.line, l.times]),
  [[10, 2], [11, 1], [12, 1], [14, 1], [15, 1], [16, 1], [17, 1]],
);

// the other tools
const overview = await ask("overview");
assert.equal(overview.info.command, "Shop 120");
assert.equal(overview.methods.find((m) => m.method === "priceOf").calls, 2);
assert((await ask("find_events", { event: "CALL", class: "Shop", limit: 3 })).next);
assert.equal((await ask("call_tree", { class: "Shop", method: "priceOf" })).calls.length, 2);
const shop = frames[0].this.id;
assert.equal((await ask("object_at", { id: `Shop#${shop}`, at: stored.seq })).object.fields["Shop.hits"], 0);
assert.equal((await ask("object_at", { id: String(shop) })).object.fields["Shop.hits"], 1);
assert.deepEqual((await ask("exceptions")).exceptions, []);
const between = (await ask("compare", { a: stored.seq, b: shown.seq })).differences;
assert(between.some((d) => d.kind === "local" && d.name === "after" && d.a === undefined && d.b === 30));
assert(between.some((d) => d.kind === "line" && d.a === 33 && d.b === 35));
assert(between.some((d) => d.kind === "frame" && d.method === "priceOf" && d.b === undefined));
const label = (await ask("find_events", { event: "METHOD_PARAM", method: "label" })).events[0].value.string;
assert.equal(label, 'a "quoted" \\ line\n\u001b[31m\u202e\ud800 \u0000 end');
const hits = (await ask("compare", { a: stored.seq, b: shown.seq, object: `#${shop}` })).differences;
assert.deepEqual(hits, [{ kind: "field", name: "Shop.hits", a: 0, b: 1 }]);
// what collections of the JDK held, and where that is not known
const [before, behind] = (await ask("find_events", { event: "METHOD_PARAM", method: "label" })).events.slice(1);
const { stock, mixed, wide } = (await ask("frame_at", { at: before.seq })).frames[1].locals;
const both = { a: before.seq, b: behind.seq };
assert.deepEqual((await ask("compare", { ...both, object: `#${stock.id}` })).differences, [
  { kind: "contents", name: "cup", a: 1 },
  { kind: "contents", name: "tea", a: 3, b: 5 },
]);
assert.deepEqual((await ask("compare", { ...both, object: `#${wide.id}` })).differences, [
  { kind: "element", name: "70000", a: 0, b: 7 },
]);
const [shuffled, ...none] = (await ask("compare", { ...both, object: `#${mixed.id}` })).differences;
assert.deepEqual([shuffled.kind, shuffled.a, none.length], ["contents", "size = 2", 0]);
assert.match(shuffled.b, /^not known since \d+: java.util.Collections.shuffle may have changed it$/);

// errors say what to try
await refused("find_events", { clas: "Shop" }, /nearest: class/);
await refused("find_events", { class: "Shpo" }, /class: no class is called 'Shpo'; the nearest: Shop/);
await refused("find_events", { event: "CAL" }, /CAL.*nearest: CALL/);
await refused("last_write", { what: "Shop.prise" }, /it has price, values/);
await refused("frame_at", {}, /at: is missing: the moment: the seq of an event;/);
await refused("frame_at", { at: 1e9 }, /there is no event 1000000000, the last one is \d+/);
await refused("why", { at: -1 }, /at: expects a number/);
await refused("why", { at: true }, /at: expects a number/);
await refused("exceptions", { limit: 51 }, /limit: expects 1 to 50/);
await refused("exceptions", { cursor: "row-1-0" }, /cursor: expects the `next`/);
await refused("compare", { a: 1 }, /two moments/);
await refused("source", {}, /say a class/);
await assert.rejects(client.callTool({ name: "find_event", arguments: {} }), /nearest: find_events/);
await client.close();
