/* alone.mjs SQL: what DuckDB answers alone to statements, of the last one a line a row, values joined by blanks. */
import { createRequire } from "node:module";
const require = createRequire(process.env.NODE_PATH + "/");
const { DuckDBInstance } = require("@duckdb/node-api");
const connection = await (await DuckDBInstance.create(":memory:")).connect();
let rows = [];
for (const sql of process.argv[2].split(";").filter((s) => s.trim() !== ""))
    rows = await (await connection.runAndReadAll(sql)).getRowObjects();
for (const r of rows) console.log(Object.values(r).join(" "));
