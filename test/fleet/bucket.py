"""A server of S3 of our own, in memory, that may break what it is asked by a plan, or answer with something else.

bucket.py break SEED PERCENT   of the requests so many are broken: reset before anything, after the answer was lost, in
                               the middle of a body; 500, 503, 429; slow; XML that is cut; HTML with 200
bucket.py folder DIR MS        has the files of a fleet below DIR, and answers each request MS milliseconds later
bucket.py hostile              the first component of the prefix says what is wrong with its answers (HOSTILE)

Prints its port. It stores what it was sent whole, refuses wrong checksums, and knows If-None-Match. GET /?state has
the names and sizes of its objects, /?counts how often each fault was made, as JSON: what the test compares with.
/?age=TEXT makes those two days old that have the text in their names, /?spoil=TEXT changes a byte of theirs. Below the
prefix old/ it says no checksums."""

import base64
import bisect
import collections
import gzip
import json
import os
import random
import socket
import sys
import threading
import time
import urllib.parse
import xml.etree.ElementTree
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

HTML = b"<html><head><title>Sign in</title></head><body>The network wants a password.</body></html>"
FAULTS = ("reset", "lost", "cut", "500", "503", "429", "slow", "xml", "html")
DATE = "%Y-%m-%dT%H:%M:%S.000Z"
times, objects, names, lock = {}, {}, [], threading.Lock()  # a body, or the size of a file of DIR
counts = collections.Counter()
chance = random.Random(int(sys.argv[2])) if sys.argv[1] == "break" else None
percent = float(sys.argv[3]) if chance else 0
folder, latency = (sys.argv[2], int(sys.argv[3]) / 1000) if sys.argv[1] == "folder" else (None, 0)


def size_of(name):
    return objects[name] if isinstance(objects[name], int) else len(objects[name])


def scan(path, name):
    for e in os.scandir(path):
        if e.is_dir(follow_symlinks=False):
            scan(e.path, f"{name}{e.name}/")
            continue
        object = name + e.name
        if e.name == "catalogue.db" and name.startswith("f/runs/"):
            object = f"f/catalogues/{name[7:-1]}"
        objects[object] = e.stat().st_size
        times[object] = time.strftime(DATE, time.gmtime(e.stat().st_mtime))
    if name.startswith("f/runs/") and name != "f/runs/":  # grow.py leaves them out
        for table in ("builds", "calls", "exceptions", "labels", "marks", "requests", "runs"):
            objects.setdefault(f"{name}{table}.parquet", 300)


def page(prefix, after):
    """A list is cut into pages; of many objects into about twenty, so that a test does not ask for them most of all."""
    most = 1000 if folder else 5 + len(names) // 20
    at = max(bisect.bisect_left(names, prefix), bisect.bisect_right(names, after))
    end = bisect.bisect_left(names, prefix + "\U0010ffff")
    shown, more = names[at : min(at + most, end)], at + most < end
    rows = "".join(
        f"<Contents><Key>{escape(n)}</Key><LastModified>{times.get(n, '2023-11-14T20:00:00.000Z')}</LastModified>"
        f"<ETag>&quot;{zlib.crc32(n.encode()):032x}&quot;</ETag><Size>{size_of(n)}</Size></Contents>"
        for n in shown
    )
    token = f"<NextContinuationToken>{escape(shown[-1])}</NextContinuationToken>" if more else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
        f"<IsTruncated>{str(more).lower()}</IsTruncated>{token}{rows}</ListBucketResult>"
    )


ROW = "<Contents><Key>%s</Key><LastModified>2026-11-28T20:00:00.000Z</LastModified><Size>%d</Size></Contents>"
RUN = "catalogues/0123456789abcdef0123456789abcdef"
LIST = "<ListBucketResult>%s</ListBucketResult>"
END = "<IsTruncated>false</IsTruncated>"
MORE = "<IsTruncated>true</IsTruncated>"
# what a prefix answers to a list: text, or a function of the token that was asked with
HOSTILE = {
    "html": HTML.decode(),
    "error": "<Error><Code>InternalError</Code><Message>later</Message></Error>",
    "empty": "",
    "cut": page("", "")[:-30],
    "no-end": LIST % "",
    "no-token": LIST % (MORE + ROW % ("no-token/" + RUN, 1)),
    "same-token": LIST % (MORE + "<NextContinuationToken>a</NextContinuationToken>"),
    "endless": lambda token: LIST % (MORE + f"<NextContinuationToken>{token}a</NextContinuationToken>"),
    "other": LIST % (END + ROW % ("elsewhere/" + RUN, 1)),
    "twice": LIST % (END + 2 * (ROW % ("twice/" + RUN, 1))),
    "no-size": LIST % (END + "<Contents><Key>no-size/" + RUN + "</Key></Contents>"),
    "negative": LIST % (END + ROW % ("negative/" + RUN, -5)),
    "entity": '<!DOCTYPE ListBucketResult [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
    + LIST % (END + ROW % ("entity/&e;", 1)),
    "laughs": '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaaaaaaaaaaaa">'
    + "".join(f'<!ENTITY {b} "{("&" + a + ";") * 20}">' for a, b in zip("abcdefg", "bcdefgh"))
    + "]>"
    + LIST % (END + "<Prefix>&h;</Prefix>"),
    "deep": "<ListBucketResult>" + "<a>" * 500 + "</a>" * 500 + END + "</ListBucketResult>",
    "long": LIST % (END + "x" * (20 << 20)),
    "foreign": LIST % (END + ROW % ("foreign/catalogues/notes.txt", 5) + ROW % ("foreign/catalogues/zz/", 0)),
    "larger": LIST % (END + ROW % ("larger/" + RUN, 10)),
    "smaller": LIST % (END + ROW % ("smaller/" + RUN, 1 << 20)),
    "huge": LIST % (END + ROW % ("huge/" + RUN, 1 << 40)),
    "junk": LIST % (END + ROW % ("junk/" + RUN, 4096)),
    "all-ok": LIST % END,
    "misspelt": LIST % END,
}


def drip(server):
    server.send_response(200)
    server.send_header("Content-Length", "1000000")
    server.end_headers()
    try:
        while True:
            server.wfile.write(b" ")
            server.wfile.flush()
            time.sleep(1)
    except OSError:
        server.close_connection = True


def redirect(to):
    return lambda server: server.answer(307, b"<Error><Code>TemporaryRedirect</Code></Error>", (("Location", to),))


def packed(name):
    """A megabyte of zeros, packed, as if the header `name` allowed it."""
    body = gzip.compress(bytes(64 << 20))
    return lambda server: server.answer(200, body, ((name, "gzip"),))


# a prefix that answers all requests so
WRONG = {
    "drip": drip,
    "redirect": redirect("http://127.0.0.1:1/bucket"),
    "to-file": redirect("file:///etc/passwd"),
    "bomb": packed("Content-Encoding"),
    "bomb-transfer": packed("Transfer-Encoding"),
}


class Server(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or each answer waits 40 ms for an acknowledgement that is delayed

    def log_message(self, *unused):
        pass

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.close_connection = True
        self.connection.close()

    def answer(self, status, body=b"", headers=(), fault=None):
        if fault == "lost":
            return self.reset()
        if fault == "slow":
            time.sleep(0.3)
        if fault == "html" or (fault == "xml" and b"<" in body[:1]):
            status, body = 200, HTML if fault == "html" else body[: len(body) * 2 // 3]
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if fault == "cut" and len(body) > 1:
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            return self.reset()
        if self.command != "HEAD":
            self.wfile.write(body)

    def serve(self):
        path, _, query = self.path.partition("?")
        query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        name = urllib.parse.unquote(path).partition("/")[2].partition("/")[2]
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if path == "/":
            with lock:
                old = time.strftime(DATE, time.gmtime(time.time() - 2 * 86400))
                for n in objects:
                    if query.get("spoil", "\n") in n:
                        objects[n] = objects[n][:-1] + bytes([objects[n][-1] ^ 1])
                times.update({n: old for n in objects if query.get("age", "\n") in n})
                text = {n: size_of(n) for n in objects} if "state" in query else counts
            return self.answer(200, json.dumps(text).encode())
        fault = None
        if folder:
            print(self.command, self.path, file=sys.stderr, flush=True)
            time.sleep(latency)
        elif chance:
            with lock:
                fault = chance.choice(FAULTS) if chance.random() * 100 < percent else None
                counts[fault or "none"] += 1
        else:
            return self.hostile(name, query)
        if fault == "reset":
            return self.reset()
        if fault in ("500", "503", "429"):
            return self.answer(int(fault), b"<Error><Code>SlowDown</Code></Error>")
        with lock:
            status, answer, headers = self.obey(name, query, body)
        self.answer(status, answer, headers, fault)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = serve

    def obey(self, name, query, body):
        if self.command == "PUT":
            sum = base64.b64encode(zlib.crc32(body).to_bytes(4, "big")).decode()
            if self.headers.get("x-amz-checksum-crc32") != sum:
                return 400, b"<Error><Code>BadDigest</Code></Error>", ()
            if self.headers.get("If-None-Match") == "*" and name in objects:
                return 412, b"<Error><Code>PreconditionFailed</Code></Error>", ()
            if name not in objects:
                bisect.insort(names, name)
            objects[name] = body
            times[name] = time.strftime(DATE, time.gmtime())
            return 200, b"", ()
        if self.command == "POST" and "delete" in query:
            sum = base64.b64encode(zlib.crc32(body).to_bytes(4, "big")).decode()
            keys = [e.text for e in xml.etree.ElementTree.fromstring(body).iter("Key")]
            if self.headers.get("x-amz-checksum-crc32") != sum or len(keys) > 1000:
                return 400, b"<Error><Code>BadRequest</Code></Error>", ()
            if keys[0].startswith("old/"):
                return 501, b"<Error><Code>NotImplemented</Code></Error>", ()
            for key in keys:
                if objects.pop(key, None) is not None:
                    del names[bisect.bisect_left(names, key)]
            return 200, b"<DeleteResult></DeleteResult>", ()
        if self.command == "DELETE":
            if objects.pop(name, None) is not None:
                del names[bisect.bisect_left(names, name)]
            return 204, b"", ()
        if name == "":
            after = query.get("continuation-token") or query.get("start-after", "")
            return 200, page(query.get("prefix", ""), after).encode(), ()
        if name not in objects:
            return 404, b"<Error><Code>NoSuchKey</Code></Error>", ()
        if isinstance(objects[name], int):
            path = name.partition("/")[2]
            if path.startswith("catalogues/"):
                path = f"runs/{path[11:]}/catalogue.db"
            with open(os.path.join(folder, path), "rb") as file:
                return 200, file.read(), ()
        sum = base64.b64encode(zlib.crc32(objects[name]).to_bytes(4, "big")).decode()
        known = self.headers.get("x-amz-checksum-mode") == "ENABLED" and not name.startswith("old/")
        return 200, objects[name], (("x-amz-checksum-crc32", sum),) if known else ()

    def hostile(self, name, query):
        kind = (name or query.get("prefix", "")).split("/")[0]
        if kind in WRONG:
            return WRONG[kind](self)
        if self.command != "GET" or name != "":
            return self.answer(200, b"junk" * 1024 if self.command == "GET" else b"")
        text = HOSTILE[kind]
        self.answer(200, (text if isinstance(text, str) else text(query.get("continuation-token", ""))).encode())


if __name__ == "__main__":
    if folder:
        scan(folder, "f/")
        names.extend(sorted(objects))
    ThreadingHTTPServer.request_queue_size = 256  # of 5 the kernel drops connections, which come again after a second
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()
