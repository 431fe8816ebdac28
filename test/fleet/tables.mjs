/* tables.mjs FLEET: sums of the Parquet files of all runs, by DuckDB, as `fleet query --json` writes them. */
import { createRequire } from "node:module";
const require = createRequire(process.env.NODE_PATH + "/");
const { DuckDBInstance } = require("@duckdb/node-api");
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const from = (table) => `read_parquet('${process.argv[2]}/runs/*/${table}.parquet')`;
const rows = async (sql) => (await connection.runAndReadAll(sql)).getRowObjects();
for (const r of await rows(`SELECT method, sum(calls) AS calls, count(DISTINCT run) AS runs FROM ${from("calls")}
    GROUP BY method ORDER BY method`))
    console.log(`{"method":"${r.method}","calls":${r.calls},"runs":${r.runs}}`);
for (const r of await rows(`SELECT value, count(DISTINCT run) AS runs FROM ${from("requests")}
    GROUP BY value ORDER BY value`))
    console.log(`{"value":"${r.value}","runs":${r.runs}}`);
for (const r of await rows(`SELECT max(pushed) AS pushed, sum(events) AS events FROM ${from("runs")}`))
    console.log(`{"pushed":${r.pushed},"events":${r.events}}`);
