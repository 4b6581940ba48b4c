#!/usr/bin/env python3
"""A sweep of 120 modules against one curl process a module, on a registry 20 ms away.

    sweep_bench [--pairs N]

nginx serves a module proxy of 120 generated modules over HTTP/2 and TLS on loopback; a relay in
front of it holds every byte back for 10 ms each way. `self` asks for info, mod and list of every
module, controls included; curl asks for the info alone, one process after another. Bound: the
median of the pairs' ratios is at most 1/20. Exit status: 0 held, 1 not, 3 could not be measured.
"""
import argparse
import asyncio
import json
import os
import pathlib
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

MODULES = 120
ONE_WAY = 0.010  # seconds
BOUND = 1 / 20
HASH = "h1:OU9BeOYIU7dvM6hxK5gFqxDlMDLXYDBLg5pc6Ek4PRk="
NGINX = """user root;
daemon off;
pid nginx.pid;
error_log stderr crit;
events {{}}
http {{
  access_log off;
  client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;
  server {{
    listen 127.0.0.1:{port} ssl http2;
    ssl_certificate ca.pem;
    ssl_certificate_key key.pem;
    root {folder}/proxy;
  }}
}}
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make_modules(folder):
    """Returns the paths of the infos; writes the proxy's tree and a go.sum that names them."""
    paths, sums = [], ""
    for number in range(MODULES):
        module, version = f"bench.example/m{number}", f"v1.{number}.0"
        base = folder / "proxy" / module / "@v"
        write(base / "list", version + "\n")
        write(base / f"{version}.info", json.dumps({"Version": version}))
        write(base / f"{version}.mod", f"module {module}\n")
        write(base / f"{version}.zip", "it is only asked whether it is there")
        sums += f"{module} {version} {HASH}\n"
        paths.append(f"{module}/@v/{version}.info")
    write(folder / "go.sum", sums)
    return paths


async def pump(reader, writer):
    """Every chunk leaves ONE_WAY after it came; chunks do not wait for each other."""
    queue = asyncio.Queue()

    async def send():
        while (item := await queue.get()) is not None:
            due, chunk = item
            await asyncio.sleep(max(0, due - time.monotonic()))
            writer.write(chunk)
            await writer.drain()
        writer.close()

    sender = asyncio.create_task(send())
    while chunk := await reader.read(65536):
        queue.put_nowait((time.monotonic() + ONE_WAY, chunk))
    queue.put_nowait(None)
    await sender


def start_relay(port, target):
    async def serve(reader, writer):
        try:
            # A real connection costs a round trip before the first byte.
            await asyncio.sleep(2 * ONE_WAY)
            there = await asyncio.open_connection("127.0.0.1", target)
            await asyncio.gather(pump(reader, there[1]), pump(there[0], writer))
        except (OSError, asyncio.CancelledError):
            writer.close()

    async def run():
        server = await asyncio.start_server(serve, "127.0.0.1", port)
        await server.serve_forever()

    threading.Thread(target=lambda: asyncio.run(run()), daemon=True).start()


def wait_for(port):
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.02)
    sys.exit("sweep_bench: nginx did not start")


def start_nginx(folder, port):
    write(folder / "nginx.conf", NGINX.format(port=port, folder=folder))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem",
                    "-out", "ca.pem", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                    "subjectAltName=IP:127.0.0.1"], cwd=folder, check=True, capture_output=True)
    server = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")])
    wait_for(port)
    return server


def timed(command, expected=0):
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != expected:
        sys.exit(f"sweep_bench: {command[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return time.monotonic() - start


def measure(folder, address, paths, pairs):
    bin_folder = pathlib.Path(__file__).resolve().parent
    sweep = [str(bin_folder / "self"), "-L", str(folder / "go.sum"), "--registry", address,
             "--cacert", str(folder / "ca.pem"), "-q"]
    timed(sweep)  # the first run of a fresh program is not the number
    results = []
    for _ in range(pairs):
        ours = timed(sweep)
        theirs = sum(timed(["curl", "-sf", "--http2", "--cacert", str(folder / "ca.pem"), "-o",
                            os.devnull, f"{address}/{path}"]) for path in paths)
        results.append((ours, theirs))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5)
    options = parser.parse_args()
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [name for name in ("nginx", "curl", "openssl") if shutil.which(name) is None]
    if missing:
        print("sweep_bench: needs", *missing)
        return 3
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        paths = make_modules(folder)
        port, relay = free_port(), free_port()
        server = start_nginx(folder, port)
        try:
            start_relay(relay, port)
            wait_for(relay)
            results = measure(folder, f"https://127.0.0.1:{relay}", paths, options.pairs)
        finally:
            server.terminate()
            server.wait()
    ratio = statistics.median(ours / theirs for ours, theirs in results)
    print(f"host: {platform.machine()}, {len(os.sched_getaffinity(0))} cores, load "
          f"{os.getloadavg()[0]:.1f}, {platform.release()}")
    print(f"sweep of {MODULES} modules, 20 ms away: {statistics.median(r[0] for r in results):.3f} s; "
          f"one curl after another: {statistics.median(r[1] for r in results):.2f} s")
    print(f"ratio {ratio:.4f} = 1/{1 / ratio:.0f}, median of {len(results)} pairs; bound 1/20: "
          f"{'held' if ratio <= BOUND else 'NOT HELD'}")
    return 0 if ratio <= BOUND else 1


sys.exit(main())
