/* tables.mjs: reads the tables of an export with clients that were not written here.
 *
 *     node tables.mjs FORMAT-CLIENT DIR        csv-duckdb, jsonl-duckdb, parquet-duckdb, parquet-hyparquet
 *     node tables.mjs sums-duckdb DIR          counts and sums of events.parquet by event and method
 *     node tables.mjs groups-duckdb DIR        exit status 1 if the statistics of its row groups are not those of its rows
 *
 * Prints what test/clients/export/tables.py compares: {"table":..,"row":{..}} a line, integers as digits, doubles as texts that
 * keep NaN and -0.0; or for jsonl counts and sums. */
import { createRequire } from "node:module";
const require = createRequire(process.env.NODE_PATH + "/");
const [client, dir] = process.argv.slice(2);
const TABLES = ["events", "calls", "writes", "reads", "locks"];

function number(v) {
    return Object.is(v, -0) ? "-0.0" : String(v);
}
function print(table, row) {
    const out = {};
    for (const [k, v] of Object.entries(row)) {
        if (v === null || v === undefined) continue;
        out[k] = typeof v === "bigint" ? v.toString() : typeof v === "number" ? number(v) : v;
    }
    console.log(JSON.stringify({ table, row: out }));
}

async function duckdb(kind) {
    const { DuckDBInstance } = require("@duckdb/node-api");
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const source = (table) => kind === "parquet"
        ? `read_parquet('${dir}/${table}.parquet')`
        : `read_csv('${dir}/${table}.csv', header = true, delim = ',', quote = '"', escape = '"', all_varchar = true,
            allow_quoted_nulls = false, strict_mode = true)`;
    if (kind === "jsonl") {
        const sql = `SELECT event, count(*) AS n, sum(CAST(seq AS HUGEINT)) AS seqs FROM
            read_json('${dir}/events.jsonl', format = 'newline_delimited', ignore_errors = true,
            columns = {seq: 'BIGINT', event: 'VARCHAR', value: 'JSON'}) WHERE seq IS NOT NULL GROUP BY event`;
        for (const row of (await connection.runAndReadAll(sql)).getRowObjects())
            console.log(`${row.event} ${row.n} ${row.seqs}`);
        const exact = `SELECT CAST(value AS VARCHAR) AS v FROM read_json('${dir}/events.jsonl',
            format = 'newline_delimited', ignore_errors = true, columns = {event: 'VARCHAR', value: 'JSON'})
            WHERE v IN ('9223372036854775807', '-9223372036854775808', '9007199254740993', '-0.0', '"NaN"')`;
        const seen = (await connection.runAndReadAll(exact)).getRowObjects();
        console.log([...new Set(seen.map((row) => row.v))].sort().join(" "));
        return;
    }
    const rows = async (sql) => (await connection.runAndReadAll(sql)).getRowObjects();
    const file = `'${dir}/events.parquet'`;
    if (kind === "sums") {
        for (const r of await rows(`SELECT event, method, count(*) AS n, sum(seq) AS seqs,
            coalesce(sum(value_int), 0) AS v FROM ${file} GROUP BY event, method`))
            console.log(`${r.event} ${r.method} ${r.n} ${r.seqs} ${r.v}`);
        return;
    }
    if (kind === "groups") {
        const groups = await rows(`SELECT row_group_num_rows AS n, CAST(stats_min_value AS BIGINT) AS low,
            CAST(stats_max_value AS BIGINT) AS high FROM parquet_metadata(${file}) WHERE path_in_schema = 'seq'
            ORDER BY row_group_id`);
        const [bad] = await rows(`SELECT count(*) AS n FROM parquet_metadata(${file}) WHERE stats_null_count IS NULL`);
        let next = 0n;
        for (const g of groups) {
            if (g.low !== next || g.high !== next + g.n - 1n) process.exitCode = 1;
            next = g.high + 1n;
        }
        for (const column of ["value_int", "class", "line"]) {
            const [r] = await rows(`SELECT min(CAST(stats_min_value AS VARCHAR)) AS one FROM parquet_metadata(${file})
                WHERE path_in_schema = '${column}' AND row_group_id = 0`);
            const [want] = await rows(`SELECT CAST(min(${column}) AS VARCHAR) AS one FROM ${file}
                WHERE seq <= ${groups[0].high}`);
            if (r.one !== want.one) process.exitCode = 1;
        }
        if (groups.length < 2 || bad.n !== 0n) process.exitCode = 1;
        console.log(`    ${groups.length} groups of rows`);
        return;
    }
    for (const table of TABLES) {
        const reader = await connection.runAndReadAll(`SELECT * FROM ${source(table)}`);
        for (const row of reader.getRowObjects()) print(table, row);
    }
}

async function hyparquet() {
    const { parquetReadObjects, asyncBufferFromFile } = await import(require.resolve("hyparquet"));
    const { compressors } = await import(require.resolve("hyparquet-compressors"));
    for (const table of TABLES) {
        const file = await asyncBufferFromFile(`${dir}/${table}.parquet`);
        for (const row of await parquetReadObjects({ file, compressors })) print(table, row);
    }
}

const [kind, reader] = client.split("-");
await (reader === "duckdb" ? duckdb(kind) : hyparquet());
