import base64

from harness import NotesTest

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
TOOLS = ["notes_add", "notes_get", "notes_list", "notes_remove", "notes_search"]


def rpc(method, params=None, number=1):
    message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
    return message if number is None else {**message, "id": number}


class Legacy(NotesTest):
    def setUp(self):
        self.notes = self.start()

    def post(self, message, session=None, **headers):
        every = {"Mcp-Session-Id": session} if session else {}
        return self.notes.ask("POST", "/mcp", message, {**every, **headers})

    def open(self, version="2025-11-25"):
        answer = self.post(rpc("initialize", {"protocolVersion": version, "capabilities": {},
                                              "clientInfo": {"name": "t", "version": "1"}}))
        return answer.headers.get("mcp-session-id"), answer.json["result"]

    def test_a_session_from_initialize_to_delete(self):
        session, result = self.open("2025-06-18")
        self.assertEqual(result["protocolVersion"], "2025-06-18")
        self.assertEqual(result["serverInfo"]["name"], "notes")
        told = self.post(rpc("notifications/initialized", number=None), session)
        self.assertEqual((told.status, told.body), (202, b""))
        self.assertEqual(self.post(rpc("ping"), session).json["result"], {})
        listed = self.post(rpc("tools/list"), session).json["result"]
        self.assertEqual([tool["name"] for tool in listed["tools"]], TOOLS)
        self.assertNotIn("resultType", listed)
        self.assertEqual(self.notes.ask("DELETE", "/mcp",
                                        headers={"Mcp-Session-Id": session}).status, 204)
        self.assertEqual(self.post(rpc("tools/list"), session).status, 404)

    def test_an_unknown_version_is_answered_with_the_newest(self):
        self.assertEqual(self.open("1999-01-01")[1]["protocolVersion"], "2025-11-25")

    def test_without_initialize_nothing_is_answered(self):
        self.assertEqual(self.post(rpc("tools/list")).status, 400)
        self.assertEqual(self.post(rpc("tools/list"), "no-such-session").status, 404)

    def test_the_tools_do_what_rest_does(self):
        session, _ = self.open()

        def call(name, **arguments):
            return self.post(rpc("tools/call", {"name": name, "arguments": arguments}),
                             session).json["result"]
        added = call("notes_add", body="from mcp")
        self.assertFalse(added["isError"])
        note = added["structuredContent"]
        self.assertEqual(self.notes.bodies(), ["from mcp"])
        self.assertEqual(call("notes_get", id=note["id"])["structuredContent"], note)
        self.assertEqual(call("notes_list")["structuredContent"], {"notes": [note]})
        self.assertEqual(call("notes_search", text="MCP")["structuredContent"], {"notes": [note]})
        self.assertIn("from mcp", call("notes_list")["content"][0]["text"])
        self.assertTrue(call("notes_add", body=1)["isError"])
        self.assertFalse(call("notes_remove", id=note["id"])["isError"])
        self.assertTrue(call("notes_remove", id=note["id"])["isError"])

    def test_what_is_wrong_is_a_json_rpc_error(self):
        session, _ = self.open()
        for message, status, code in ((b"{", 400, -32700), ([], 400, -32600), ({}, 400, -32600),
                                      (rpc("no/such"), 200, -32601),
                                      (rpc("server/discover"), 200, -32601),
                                      (rpc("tools/call", {"name": "x"}), 200, -32602)):
            answer = self.post(message, session)
            self.assertEqual((answer.status, answer.json["error"]["code"]), (status, code), message)
        bad = self.post(rpc("ping"), session, **{"MCP-Protocol-Version": "1999-01-01"})
        self.assertEqual(bad.status, 400)
        self.assertEqual(self.notes.ask("GET", "/mcp").status, 405)


class Modern(NotesTest):
    def setUp(self):
        self.notes = self.start()

    def post(self, method, params=None, version=MODERN, leave_out=None, **headers):
        meta = {META + "protocolVersion": version, META + "clientCapabilities": {}}
        every = {"MCP-Protocol-Version": version, "Mcp-Method": method,
                 "Mcp-Name": (params or {}).get("name"), **headers}
        meta.pop(leave_out, None)
        every = {name: value for name, value in every.items() if value and name != leave_out}
        return self.notes.ask("POST", "/mcp", rpc(method, {**(params or {}), "_meta": meta}), every)

    def assert_refused(self, answer, code, status=400):
        self.assertEqual((answer.status, answer.json["error"]["code"]), (status, code))

    def test_every_request_stands_alone(self):
        found = self.post("server/discover").json["result"]
        self.assertEqual((found["supportedVersions"], found["resultType"]), ([MODERN], "complete"))
        self.assertIn("tools", found["capabilities"])
        listed = self.post("tools/list")
        self.assertNotIn("mcp-session-id", listed.headers)
        result = listed.json["result"]
        self.assertEqual([tool["name"] for tool in result["tools"]], TOOLS)
        self.assertEqual((result["resultType"], result["cacheScope"]), ("complete", "public"))
        self.assertEqual(result["_meta"][META + "serverInfo"]["name"], "notes")

    def test_a_tool_is_called(self):
        params = {"name": "notes_add", "arguments": {"body": "modern"}}
        answer = self.post("tools/call", params)
        self.assertEqual((answer.status, answer.json["result"]["isError"]), (200, False))
        encoded = "=?base64?" + base64.b64encode(b"notes_add").decode() + "?="
        self.assertEqual(self.post("tools/call", params, **{"Mcp-Name": encoded}).status, 200)
        self.assertEqual(self.notes.bodies(), ["modern", "modern"])

    def test_headers_must_be_there_and_match(self):
        params = {"name": "notes_add", "arguments": {"body": "no"}}
        for header in ("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"):
            self.assert_refused(self.post("tools/call", params, leave_out=header), -32020)
            self.assert_refused(self.post("tools/call", params, **{header: "other"}), -32020)
        self.assertEqual(self.notes.bodies(), [])

    def test_meta_must_be_complete(self):
        for key in ("protocolVersion", "clientCapabilities"):
            self.assert_refused(self.post("tools/list", leave_out=META + key), -32602)

    def test_another_version_and_an_unknown_method(self):
        refused = self.post("tools/list", version="2030-01-01")
        self.assert_refused(refused, -32022)
        self.assertIn(MODERN, refused.json["error"]["data"]["supported"])
        self.assert_refused(self.post("initialize"), -32601, 404)
