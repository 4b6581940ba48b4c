from harness import NotesTest


class Rest(NotesTest):
    def setUp(self):
        self.notes = self.start()

    def test_a_note_is_kept_listed_found_and_forgotten(self):
        added = self.notes.add("Hello wörld")
        self.assertEqual((added.status, added.json["body"]), (201, "Hello wörld"))
        self.notes.add("second")
        where = f"/v1/notes/{added.json['id']}"
        self.assertEqual(self.notes.ask("GET", where).json, added.json)
        self.assertEqual(self.notes.bodies(), ["second", "Hello wörld"])
        found = self.notes.ask("GET", "/v1/search?q=hello+w%C3%B6r").json["notes"]
        self.assertEqual(found, [added.json])
        self.assertEqual(self.notes.ask("DELETE", where).status, 204)
        self.assertEqual(self.notes.ask("GET", where).status, 404)
        self.assertEqual(self.notes.ask("DELETE", where).status, 404)
        self.assertEqual(self.notes.bodies(), ["second"])

    def test_every_operation_but_the_open_ones_needs_a_login(self):
        for headers in ({"Authorization": ""}, {"Authorization": "Bearer 0123"}):
            for method, path in (("GET", "/v1/notes"), ("POST", "/v1/notes"),
                                 ("GET", "/v1/notes/1"), ("DELETE", "/v1/notes/1"),
                                 ("GET", "/v1/search?q=a"), ("POST", "/mcp")):
                answer = self.notes.ask(method, path, {"body": "x"}, headers)
                self.assertEqual(answer.status, 401, path)
                self.assertEqual(answer.headers["www-authenticate"], "Bearer")
        self.assertEqual(self.notes.bodies(), [])

    def test_a_password_is_checked(self):
        guarded = self.launch(NOTES_PASSWORD="sesame")
        self.assertRaises(KeyError, guarded.ready)  # its login gives no password
        wrong = guarded.ask("POST", "/login", {"user": "a", "password": "x"})
        self.assertEqual((wrong.status, wrong.json), (403, {"error": "wrong password"}))
        right = guarded.ask("POST", "/login", {"user": "a", "password": "sesame"})
        self.assertEqual((right.status, right.json["token_type"]), (200, "Bearer"))

    def test_what_is_wrong_gets_its_status_and_a_reason_in_json(self):
        for method, path, body, status in (
                ("POST", "/v1/notes", b"{", 400), ("POST", "/v1/notes", b"[]", 400),
                ("POST", "/v1/notes", {"body": 1}, 400), ("POST", "/v1/notes", b'"\xff"', 400),
                ("POST", "/login", {}, 400), ("GET", "/v1/search", None, 400),
                ("GET", "/v1/notes/x", None, 404), ("GET", "/v1/notes/1/2", None, 404),
                ("GET", "/%ff", None, 404), ("GET", "/healthz", None, 404),
                ("PUT", "/v1/notes", None, 405), ("POST", "/v1/notes", b"x" * (1 << 20) + b"x", 413)):
            answer = self.notes.ask(method, path, body)
            self.assertEqual(answer.status, status, (method, path))
            self.assertIn("error", answer.json)
        self.assertEqual(self.notes.ask("PUT", "/v1/notes").headers["allow"], "GET, POST")

    def test_no_web_page_may_ask(self):
        page = {"Origin": "http://127.0.0.1:1"}
        self.assertEqual(self.notes.ask("GET", "/v1/notes", headers=page).status, 403)
        self.assertEqual(self.notes.ask("POST", "/mcp", {}, page).status, 403)

    def test_a_connection_serves_many_requests(self):
        connection = self.notes.connection()
        self.addCleanup(connection.close)
        for _ in range(100):
            self.assertEqual(self.notes.ask("GET", "/v1/notes", connection=connection).status, 200)
            mine = connection.sock.getsockname()
        self.notes.ask("GET", "/v1/notes", connection=connection)
        self.assertEqual(connection.sock.getsockname(), mine)

    def test_the_health_port_has_nothing_else(self):
        self.assertEqual(self.notes.health("/healthz").body, b"ok\n")
        self.assertEqual(self.notes.health("/v1/notes").status, 404)

    def test_the_openapi_document_lists_what_is_served(self):
        document = self.notes.ask("GET", "/openapi.json", headers={"Authorization": ""}).json
        self.assertTrue(document["openapi"].startswith("3.0."))
        operations = [(method, path, operation) for path, methods in document["paths"].items()
                      for method, operation in methods.items()]
        self.assertEqual(len(operations), 7)
        for method, path, operation in operations:
            asked = self.notes.ask(method.upper(), path.replace("{id}", "1"))
            self.assertNotEqual(asked.status, 405, path)
            self.assertNotIn("there is nothing", asked.body.decode(), path)
            self.assertEqual("{id}" in path, "id" in [parameter["name"] for parameter in
                                                     operation.get("parameters", [])])
