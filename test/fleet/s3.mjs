/* s3.mjs FOLDER: a server of S3 on a free port of 127.0.0.1, which it prints. It is s3rver, with the bucket `fleet` in
 * FOLDER. As s3rver takes any signature of version 4 and knows no conditions for put, both are checked before it: the
 * signature by the package aws4, with the keys of s3rver; If-None-Match by a look at its files. s3rver writes into the
 * files that it lists, where S3 shows an object when it is whole: they are renamed to their places here. The file
 * FOLDER.fault has a part of a path: the server dies while it gets such an object. */
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname } from "node:path";
import { buffer } from "node:stream/consumers";
const require = createRequire(process.env.NODE_PATH + "/");
const S3rver = require("s3rver");
const aws4 = require("aws4");
const folder = process.argv[2];
const keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

function signed(req) {
    const [, id, region, names, signature] =
        /Credential=([^/]+)\/\d+\/([^/]+)\/s3\/aws4_request, *SignedHeaders=([^,]+), *Signature=([0-9a-f]{64})$/.exec(
            req.headers.authorization ?? "",
        ) ?? [];
    if (id !== keys.accessKeyId) return true; /* s3rver refuses it */
    const headers = Object.fromEntries(names.split(";").map((name) => [name, req.headers[name]]));
    const again = { method: req.method, path: req.url, host: req.headers.host, service: "s3", region, headers };
    return aws4.sign(again, keys).headers.Authorization.endsWith(signature);
}

function refuse(res, status, code) {
    res.writeHead(status, { "content-type": "application/xml", connection: "close" });
    res.end(`<Error><Code>${code}</Code><Message>as the test says &amp; wants</Message></Error>`);
}

async function putWhole({ bucket, key, content, metadata }) {
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
    const md5 = createHash("md5").update(bytes).digest("hex");
    const files = { "metadata.json": JSON.stringify(metadata), "object.md5": md5, object: bytes };
    for (const [kind, value] of Object.entries(files)) {
        const path = this.getResourcePath(bucket, key, kind);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(folder + ".new", value);
        renameSync(folder + ".new", path);
    }
    return { size: bytes.length, md5 };
}

const configureBuckets = [{ name: "fleet" }];
const server = new S3rver({ directory: folder, silent: true, vhostBuckets: false, configureBuckets });
server.store.putObject = putWhole;
await server.configureBuckets();
const answer = server.callback();
const listener = createServer((req, res) => {
    const fault = existsSync(folder + ".fault") ? readFileSync(folder + ".fault", "utf8").trim() : null;
    const path = decodeURIComponent(req.url.split("?")[0]);
    if (fault !== null && req.method === "PUT" && path.includes(fault)) req.once("data", () => process.exit(1));
    else if (!signed(req)) refuse(res, 403, "SignatureDoesNotMatch");
    else if (req.headers["if-none-match"] === "*" && existsSync(`${folder}${path}._S3rver_object`))
        refuse(res, 412, "PreconditionFailed");
    else {
        if (req.url.includes("list-type=2")) req.url += "&max-keys=7"; /* lists of several pages */
        answer(req, res);
    }
}).listen(0, "127.0.0.1", () => console.log(listener.address().port));
