#!/usr/bin/env python3
"""Writes the small corpus of the fuzz targets: inputs that real clients do not send.

    tests/fuzz/corpus/generate.py

KIND/NAME here; the real ones are in fixtures/captures and are used with these.
"""
import gzip
import io
import json
import os
import tarfile

HERE = os.path.dirname(os.path.realpath(__file__))
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def number(value, width):
    return value.to_bytes(width, "big")


def query(questions, records=b"", count=1, additional=0):
    return number(0x1234, 2) + b"\x01\0" + number(count, 2) + b"\0\0\0\0" + number(additional, 2) + questions + records


def name(*labels):
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def frame(kind, flags, stream, payload):
    return number(len(payload), 3) + bytes([kind, flags]) + number(stream, 4) + payload


def hello(extensions):
    body = b"\x03\x03" + b"r" * 32 + b"\0" + b"\0\x02\x13\x01" + b"\x01\0" + number(len(extensions), 2) + extensions
    message = b"\x01" + number(len(body), 3) + body
    return message


def records(message, size):
    return b"".join(b"\x16\x03\x01" + number(len(part), 2) + part
                    for part in (message[at:at + size] for at in range(0, len(message), size)))


def extension(kind, data):
    return number(kind, 2) + number(len(data), 2) + data


SNI = extension(0, b"\0\x0c\0\0\x09a.example")
ALPN = extension(16, b"\0\x0c\x02h2\x08http/1.1")
VERSIONS = extension(43, b"\x04\x0a\x0a\x03\x04")
ASK = b"\0\x01\0\x01"
QUESTION = query(name(b"a", b"example") + ASK)  # 27 bytes

DIGEST = "sha256:" + "a" * 64
BLOB = {"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "digest": DIGEST, "size": 7}


def tar(*entries):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for label, kind, text in entries:
            info = tarfile.TarInfo(label)
            info.type = kind
            if kind == tarfile.REGTYPE:
                info.size = len(text)
            info.linkname = "" if kind == tarfile.REGTYPE else text
            archive.addfile(info, io.BytesIO(text.encode()))
    used = len(stream.getvalue().rstrip(b"\0"))  # the blocks of zeros at the end add nothing
    return stream.getvalue()[:-(-used // 512) * 512]


CORPUS = {
    "image_document": {
        "index": json.dumps({"manifests": [BLOB | {"platform": {"os": "linux", "architecture": "arm64"}, "annotations": {"org.opencontainers.image.ref.name": "a"}}]}).encode(),
        "manifest": json.dumps({"config": BLOB, "layers": [BLOB, BLOB]}).encode(),
        "config": json.dumps({"os": "linux", "architecture": "amd64", "config": {"Env": ["A=b"], "Cmd": ["c"], "Entrypoint": None, "User": "d:e", "WorkingDir": "f"}, "rootfs": {"diff_ids": [DIGEST]}}).encode(),
        "saved": json.dumps([{"Config": "a.json", "RepoTags": ["a:1"], "Layers": ["0/layer.tar"]}]).encode(),
        "digest-path": json.dumps({"config": BLOB | {"digest": "sha256:" + "../" * 21 + "a"}}).encode(),
        "zero": b'{"config":{"Cmd":["a\\u0000b"]}}',
        "deep": b"[" * 2000 + b"]" * 2000,
    },
    "image_layer": {
        "kinds": tar(("a", tarfile.REGTYPE, "text"), ("b", tarfile.DIRTYPE, ""), ("c", tarfile.SYMTYPE, "/../a"), ("d", tarfile.LNKTYPE, "a"), ("e", tarfile.FIFOTYPE, ""), ("f", tarfile.BLKTYPE, "")),
        "whiteouts": tar(("a/.wh.b", tarfile.REGTYPE, ""), ("a/.wh..wh..opq", tarfile.REGTYPE, ""), (".wh..wh.plnk", tarfile.REGTYPE, "")),
        "whiteout-parent": tar(("a/.wh...", tarfile.REGTYPE, "")),
        "parent": tar(("a/../../b", tarfile.REGTYPE, "x")),
        "absolute": tar(("//a/./b", tarfile.REGTYPE, "x"), ("c", tarfile.LNKTYPE, "/etc/passwd")),
        "hard-link-out": tar(("a", tarfile.LNKTYPE, "../../etc/passwd")),
        "long-name": tar(("n\xfc" * 120, tarfile.REGTYPE, "x")),
        "gzip": gzip.compress(tar(("a", tarfile.REGTYPE, "text")), mtime=0),
        "zstd": bytes.fromhex("28b52ffd0458") + b"\0" * 8,
        "html": b"<html>not found</html>",
    },
    "dns": {
        "edns": query(name(b"a", b"example") + ASK, b"\0\0\x29\x04\xd0\0\0\0\0\0\0", additional=1),
        "circle": query(b"\xc0\x0c" + ASK),
        "backwards": query(b"\xc0\x0e\xc0\x0c" + ASK),
        "long-chain": query(b"\x01a" + b"\xc0\x0c" * 60 + ASK),
        "two": query(name(b"a", b"b") + ASK + b"\x01c\xc0\x0e" + ASK, count=2),
        "longest": query(name(*[b"x" * 49] * 5, b"abc") + ASK),
        "binary": query(name(bytes(range(1, 50)), b".\\\n") + ASK),
        "root": query(b"\0\0\x02\0\x01"),
    },
    "client_hello": {
        "all": records(hello(SNI + ALPN + VERSIONS), 16384),
        "one-byte-records": records(hello(SNI + VERSIONS), 1),
        "inner": records(hello(extension(0xfe0d, b"\0" * 20)), 100),
        "past-the-end": records(hello(b"\0\0\xff\xff\0\x0c"), 100),
        "empty-record": b"\x16\x03\x01\0\0",
        "message": hello(SNI + ALPN),
    },
    "quic_initial": {
        "frames": b"\0" + b"\x01\0\0" + b"\x06\0\x40\x40" + hello(SNI)[:64] + b"\x06\x40\x40" + bytes([len(hello(SNI)) - 64]) + hello(SNI)[64:],
        "backwards": b"\0" + b"\x06\x20\x04abcd" + b"\x06\0\x20" + hello(SNI)[:32],
        "acknowledgement": b"\0" + b"\x03\x0a\0\x02\x01\x01\x01\x01\x01\x01\x01\x01" + b"\x06\0\x04\x01\0\0\0",
        "far": b"\0" + b"\x06\xff\xff\xff\xff\xff\xff\xff\xff\x01a",
        "negotiation": b"\xc0\0\0\0\0\x08abcdefgh\0",
        "other-version": b"\xc0\xff\0\0\x1d\x08abcdefgh\0\0\x20" + b"x" * 32,
    },
    "encrypted_questions": {
        "tls": b"\0\x1b" + QUESTION + b"\0\x1b" + QUESTION,
        "post": b"POST /dns-query HTTP/1.1\r\nContent-Length: 27\r\n\r\n" + QUESTION,
        "get": b"GET /dns-query?a=b&dns=AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB HTTP/1.1\r\n\r\n",
        "json": b"GET /resolve?name=a.example&type=28 HTTP/1.1\r\n\r\n",
        "http2": PREFACE + frame(1, 4, 1, b"\x83\x84") + frame(0, 8, 1, b"\x02" + QUESTION + b"\0\0") + frame(0, 1, 1, b""),
    },
    "http1": {
        "absolute": b"GET http://a.example/ HTTP/1.1\r\nHost: b.example\r\n\r\n",
        "connect": b"CONNECT a.example:443 HTTP/1.1\r\n\r\n",
        "spaces": b"GET /a b  HTTP/1.0\nHost:\t a \n\n",
        "lengths": b"PUT / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\nContent-Length: -1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "no-version": b"GET /\r\n",
        "redis": b"*1\r\n$4\r\nPING\r\n",
        "folded": b"GET / HTTP/1.1\r\nA: b\r\n c\r\n: d\r\n\r\n",
        "long": b"GET /" + b"a" * 3000 + b" HTTP/1.1\r\n\r\n",
    },
    "http2": {
        "continuation": PREFACE + frame(4, 0, 0, b"") + frame(1, 0, 1, b"\x82") + frame(9, 4, 1, b"\x84\x86"),
        "padded": PREFACE + frame(1, 0x2c, 1, b"\x02\0\0\0\0\x10\x82\0\0"),
        "interrupted": PREFACE + frame(1, 0, 1, b"\x82") + frame(0, 0, 1, b"x"),
        "dynamic": PREFACE + frame(1, 4, 1, b"\x40\x01a\x01b\xbe\xbe") + frame(1, 4, 3, b"\xbe\x3f\xe1\x1f\x20\xbe"),
        "huffman": PREFACE + frame(1, 4, 1, bytes.fromhex("828684418cf1e3c2e5f23a6ba0ab90f4ff")),
        "bad-huffman": PREFACE + frame(1, 4, 1, b"\x40\x84\xff\xff\xff\xff\0"),
        "numbers": PREFACE + frame(1, 4, 1, b"\xff\xff\xff\xff\xff\xff\xff\x7f"),
        "many": PREFACE + b"".join(frame(1, 5, stream, b"\x82\x84") for stream in range(1, 25, 2)),
    },
}


def main():
    for kind, inputs in CORPUS.items():
        os.makedirs(os.path.join(HERE, kind), exist_ok=True)
        for label, data in inputs.items():
            with open(os.path.join(HERE, kind, label), "wb") as handle:
                handle.write(data)


if __name__ == "__main__":
    main()
