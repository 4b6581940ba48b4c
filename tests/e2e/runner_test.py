#!/usr/bin/env python3
"""The runner tested from outside: cases that must fail, and what they must say."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)
from runner.directives import TABLE  # noqa: E402


class RunnerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkdir(f"{self.folder}/bin")

    def run_text(self, text, status, *said, environment=None):
        path = f"{self.folder}/x.test"
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(text)
        clean = {name: value for name, value in os.environ.items() if name != "CI"}
        done = subprocess.run([sys.executable, f"{HERE}/run", "--bin", f"{self.folder}/bin", path],
                              env=clean | (environment or {}), capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)
        output = done.stdout + done.stderr
        self.assertEqual(done.returncode, status, output)
        for text in said:
            self.assertIn(text, output)
        return output

    def validator(self, status):
        path = f"{self.folder}/bin/validate_results"
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(f"#!/bin/sh\necho validator says $1\nexit {status}\n")
        os.chmod(path, 0o755)

    # What is malformed runs nothing.

    def test_unknown_directive(self):
        self.run_text("NAME a\nRUN true\nEXPECTS x\n", 2, "x.test:3", "did you mean EXPECT?")

    def test_indented_text_is_no_directive(self):
        self.run_text("NAME a\nRUN true\n  EXPECT x\n", 2, "x.test:3")

    def test_no_case(self):
        self.run_text("# nothing\n", 2, "holds no case")

    def test_case_that_runs_nothing(self):
        self.run_text("NAME a\nENV A=1\n", 2, "runs nothing")

    def test_check_without_run(self):
        self.run_text("NAME a\nEXPECT x\nRUN true\n", 2, "follows a RUN")

    def test_two_cases_of_one_name(self):
        self.run_text("NAME a\nRUN true\nNAME a\nRUN true\n", 2, "two cases")

    def test_body_without_end(self):
        self.run_text("NAME a\nSHELL <<END\ntrue\n", 2, "no line END")

    def test_argument_missing_and_superfluous(self):
        self.run_text("NAME a\nRUN\n", 2, "needs an argument")
        self.run_text("NAME a\nISOLATED yes\nRUN true\n", 2, "takes no argument")

    # What must fail, and say where and why.

    def test_exit_status(self):
        self.run_text("NAME a\nRUN false\n", 1, "x.test:2: exit status 1, not 0")
        self.run_text("NAME a\nRUN true\nEXIT 3\n", 1, "x.test:3: exit status 0, not 3")

    def test_expectations(self):
        for check, said in [("EXPECT y", "stdout does not contain: y"),
                            ("EXPECT_NOT x", "stdout contains 'x'"),
                            ("EXPECT_REGEX ^y", "stdout does not match"),
                            ("EXPECT_STDERR x", "stderr does not contain"),
                            ("EXPECT_STDERR_NOT e", "stderr contains"),
                            ("EXPECT_STDERR_REGEX ^y", "stderr does not match"),
                            ("EXPECT_NOTHING stdout stderr", "stdout is not empty"),
                            ("EXPECT_FILE none", "there is no file none"),
                            ("EXPECT_NO_FILE made", "there is a file"),
                            ("EXPECT_IN_FILE made z", "made does not contain: z"),
                            ("EXPECT_NOT_IN_FILE made in", "made contains"),
                            ("CAPTURE A stdout (y)", "stdout does not match"),
                            ("EXPECT_JSON made /a == 1", "made is not JSON")]:
            self.run_text(f"NAME a\nSHELL echo x; echo e >&2; echo inside >made\n{check}\n", 1,
                          "x.test:3", said)

    def test_json(self):
        document = '{"n": 1, "yes": true, "list": [{"k": "a/b", "v": 2}, {"k": "c", "v": 3}]}'
        good = ["/n == 1", "/list/# == 2", '"/list/[k=a/b]/v" == 2', "/list/*/v > 2", "/n exists",
                "/list/1/k matches ^c$", "/list/*/k contains /b", "/yes == true", "/n != true"]
        bad = ["/n == 2", "/n == true", "/yes == 1", "/list/*/v > 3", "/m exists", "/m == null",
               "/n contains 1", "n == 1", "/n is 1"]
        checks = "".join(f"EXPECT_JSON - {check}\n" for check in good)
        self.run_text(f"NAME a\nSHELL echo '{document}'\n{checks}", 0)
        for check in bad:
            self.run_text(f"NAME a\nSHELL echo '{document}'\nEXPECT_JSON - {check}\n", 1, "x.test:3")
        self.run_text(f"NAME a\nSHELL echo '{document}'\nEXPECT_JSON_NOT - /n == 1\n", 1, "wanted not")

    def test_time_out(self):
        self.run_text("TIMEOUT 1s\nNAME a\nRUN sleep 60\n", 1, "timed out")

    def test_run_has_no_shell(self):
        self.run_text("NAME a\nRUN echo a | cat\n", 1, "use SHELL")

    def test_unknown_variable(self):
        self.run_text("NAME a\nRUN echo @NONE@\n", 1, "no variable @NONE@")

    def test_missing_program(self):
        self.run_text("NAME a\nRUN no-such-program\n", 1, "could not be started")

    # What is left over.

    def test_detached_process_is_found_and_killed(self):
        output = self.run_text("NAME a\nSHELL (setsid sleep 1234 >/dev/null 2>&1 &)\n", 1,
                               "left running", "sleep 1234")
        pid = int(re.search(r"(\d+) sleep 1234", output)[1])
        self.assertFalse(os.path.exists(f"/proc/{pid}"))

    def test_temporary_file_is_found(self):
        self.run_text("NAME a\nSHELL mkdir $TMPDIR/telltale-1\n", 1, "left in TMPDIR: telltale-1")

    def test_processes_are_gone_when_the_runner_is_killed(self):
        path = f"{self.folder}/x.test"
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(f"NAME a\nSHELL echo $$ >{self.folder}/pid; exec sleep 1234\n")
        runner = subprocess.Popen([sys.executable, f"{HERE}/run", path])
        self.wait_for(lambda: os.path.exists(f"{self.folder}/pid") and
                      os.path.getsize(f"{self.folder}/pid"))
        with open(f"{self.folder}/pid", encoding="ascii") as handle:
            pid = int(handle.read())
        runner.kill()
        runner.wait()
        self.wait_for(lambda: not os.path.exists(f"/proc/{pid}"))

    def wait_for(self, condition):
        subprocess.run(["true"], check=True)
        for _ in range(2000):
            if condition():
                return
            subprocess.run(["sleep", "0.01"], check=True)
        self.fail("waited in vain")

    # Results.

    def test_findings(self):
        document = {"lanes": [{"findings": [{"where": "a:1", "what": "tcp by cat", "seen_by": ["tap", "closed sockets"]},
                                            {"where": "a:1", "what": "tcp by dog", "seen_by": ["ledger"]}]}]}
        self.validator(0)
        made = f"NAME a\nFILE results.json <<END\n{json.dumps(document)}\nEND\nRUN true\nEXPECT_FINDING results.json "
        for good in ("a:1 tap,closed-sockets by cat$", "a:1 ledger dog"):
            self.run_text(made + good + "\n", 0)
        for bad, said in [("b:1 tap cat", "no finding is at b:1"), ("a:1 tap cow", "is told as"),
                          ("a:1 tap,ledger cat", "not seen by ledger"), ("a:1 tap", "EXPECT_FINDING takes")]:
            self.run_text(made + bad + "\n", 1, said)

    def test_results_are_validated(self):
        made = "NAME a\nSHELL mkdir out; echo '{}' >out/results.json\n"
        self.run_text(made, 1, "validate_results was not built")
        self.validator(0)
        self.run_text(made, 0)
        self.validator(1)
        self.run_text(made, 1, "is not valid results", "validator says", "out/results.json")

    def test_printed_results_are_validated(self):
        self.validator(1)
        self.run_text("NAME a\nSHELL echo '{\"tool\": {}, \"lanes\": []}'\n", 1, "printed-results")

    # Skips.

    def test_skips(self):
        text = "NAME a\nREQUIRES program no-such-program\nRUN true\n"
        self.run_text(text, 77, "SKIPPED: a: needs program no-such-program", "0 passed, 0 failed, 1 skipped")
        self.run_text(text + "NAME b\nRUN true\n", 0, "1 passed, 0 failed, 1 skipped")
        self.run_text(text, 1, environment={"CI": "true"})
        self.run_text("NAME a\nREQUIRES luck\nRUN true\n", 2, "REQUIRES takes")

    # What the world is.

    def test_isolated_has_loopback_and_nothing_else(self):
        self.run_text("NAME a\nISOLATED\nRUN cat /proc/net/dev\nEXPECT lo:\nEXPECT_NOT eth\n"
                      "SHELL exec 3<>/dev/tcp/192.0.2.1/80\nEXIT 1\nEXPECT_STDERR unreachable\n", 0)

    def test_server_signal_and_terminal(self):
        self.run_text("""
NAME a
BACKGROUND web python3 -u -m http.server 0 --bind 127.0.0.1
WAIT_PORT web port ([0-9]+)
SHELL exec 3<>/dev/tcp/127.0.0.1/@PORT.web@
STOP web INT
SHELL exec 3<>/dev/tcp/127.0.0.1/@PORT.web@
EXIT 1
RUN python3 -uc "import time; print('here'); time.sleep(60)"
SIGNAL INT stdout ^here
EXIT 130
RUN test -t 1
TERMINAL
RUN test -t 1
EXIT 1
RUN cat
STDIN given
EXPECT given
CAPTURE WORD stdout (g.*)
RUN echo -@WORD@-
EXPECT -given-
""", 0)

    def test_signal_whose_condition_never_held(self):
        self.run_text("NAME a\nRUN true\nSIGNAL INT stdout x\n", 1, "before the condition of SIGNAL")

    def test_server_that_ends(self):
        self.run_text("NAME a\nBACKGROUND s sh -c 'echo no; exit 3'\nWAIT_OUTPUT s never\nRUN true\n",
                      1, "s ended with 3", "no")

    def test_every_directive_is_documented(self):
        with open(f"{HERE}/../README.md", encoding="utf-8") as handle:
            documented = set(re.findall(r"^\| `([A-Z_]+)", handle.read(), re.M))
        self.assertEqual(documented, set(TABLE))


unittest.main()
