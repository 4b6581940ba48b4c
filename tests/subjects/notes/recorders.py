"""What the outside looks like in these tests: it writes down who called."""

import http.server
import socket
import threading


class Proxy:
    """Answers every request with 502, as a proxy does that forwards nothing."""

    def __init__(self):
        self.asked = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append((self.path, self.headers["Host"]))
                self.send_error(502)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def environment(self):
        return {"HTTP_PROXY": self.url, "NO_PROXY": "127.0.0.1,localhost"}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Listener:
    """Accepts one connection after the other and keeps what each one sent until it closed."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.2", 0))
        self.url = f"http://127.0.0.2:{self.socket.getsockname()[1]}/event"
        self.opened = threading.Event()
        self.closed = threading.Event()
        self.sent = b""
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        connection, _ = self.socket.accept()
        with connection:
            self.opened.set()
            while data := connection.recv(4096):
                self.sent += data
        self.closed.set()

    def close(self):
        self.socket.close()
