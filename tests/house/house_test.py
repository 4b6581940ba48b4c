#!/usr/bin/env python3
"""The checks of this folder, each shown a small tree with a planted mistake."""
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import contents  # noqa: E402
import exit_statuses  # noqa: E402
import includes  # noqa: E402


class HouseTest(unittest.TestCase):
    def tree(self, files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            path = os.path.join(folder.name, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as handle:
                handle.write(text)
        return folder.name

    def include(self, file, line):
        """What is said of one include in an otherwise good tree."""
        files = {"evidence/row.hpp": "", "subject/door.hpp": "", "sweep/module.hpp": "",
                 "canary/mint.hpp": "", "tools/options.hpp": "", "tests/support/fake.hpp": "",
                 "tests/sweep/tree.hpp": "", "fixtures/notes/http.hpp": ""}
        return list(includes.mistakes(self.tree(files | {file: line + "\n"})))

    def test_arrows_that_are_allowed(self):
        for file, included in [("evidence/a.cpp", "evidence/row.hpp"), ("subject/a.cpp", "evidence/row.hpp"),
                               ("sweep/a.cpp", "subject/door.hpp"), ("sweep/deep/a.cpp", "sweep/module.hpp"),
                               ("tools/a.cpp", "canary/mint.hpp"), ("tools/a.cpp", "tools/options.hpp"),
                               ("tests/sweep/a.cpp", "sweep/module.hpp"), ("tests/sweep/a.cpp", "tree.hpp"),
                               ("tests/sweep/a.cpp", "sweep/tree.hpp"),
                               ("tests/sweep/a.cpp", "support/fake.hpp"), ("fixtures/notes/a.cpp", "http.hpp"),
                               ("fixtures/notes/deep/a.cpp", "http.hpp")]:
            self.assertEqual(self.include(file, f'#include "{included}"'), [], (file, included))

    def test_arrows_that_are_not(self):
        for file, included in [("evidence/a.cpp", "subject/door.hpp"), ("subject/a.cpp", "sweep/module.hpp"),
                               ("sweep/a.cpp", "canary/mint.hpp"), ("canary/a.hpp", "sweep/module.hpp"),
                               ("sweep/a.cpp", "tools/options.hpp"), ("tests/sweep/a.cpp", "canary/mint.hpp"),
                               ("fixtures/notes/a.cpp", "evidence/row.hpp")]:
            said = self.include(file, f'  # include "{included}"')
            self.assertEqual(len(said), 1, (file, included))
            self.assertIn("may not look into", said[0])

    def test_includes_that_name_no_room_or_no_file(self):
        for line in ('#include "module.hpp"', '#include "sweep/none.hpp"', '#include "../evidence/row.hpp"',
                     '#include "other/x.hpp"', "#include <sweep/module.hpp>", '#include "support/fake.hpp"'):
            self.assertEqual(len(self.include("sweep/a.cpp", line)), 1, line)
        self.assertEqual(self.include("sweep/a.cpp", "#include <curl/curl.h>"), [])

    def test_a_header_that_the_build_writes(self):
        line = '#include "stamp.hpp"\n'
        tree = self.tree({"evidence/a.cpp": line, "evidence/CMakeLists.txt": "BYPRODUCTS ${folder}/stamp.hpp\n",
                          "subject/a.cpp": line})
        self.assertEqual([said.split(":")[0] for said in includes.mistakes(tree)], ["subject/a.cpp"])

    def test_a_tree_without_sources_is_a_mistake(self):
        self.assertTrue(list(includes.mistakes(self.tree({"README.md": ""}))))

    def test_contents(self):
        registry = "registry.npm" + "js.org"
        bad = {"a.md": f"see {registry} for it", "b.bin": "\0\1/" + "home/maria/x", "c.cpp": '"/wo' + 'rk/main"',
               "sweep/d.txt": "https://py" + "pi.org/simple/"}
        good = {"sweep/registries/table.hpp": f'"https://{registry}"', "e.md": "proxy.example.com /home/user/x",
                "f.md": "${work}/s.sock @WORK@/work/x registry.test"}
        said = list(contents.findings(self.tree(bad | good)))
        self.assertEqual([line.split(":")[0] for line in said], sorted(bad), said)

    def test_exit_statuses(self):
        header = "enum class ExitStatus : int {\n  clean = 0,  // CLEAN\n  findings = 1\n};\n"
        table = "# x\n## Exit statuses\n| status | name | means |\n|---|---|---|\n| 0 | `clean` | a |\n"
        row = "| 1 | `findings` | b |\n"
        for readme, agree in [(table + row, True), (table, False), (table + "| 2 | `findings` | b |\n", False),
                              (table + "| 1 | `found` | b |\n", False), ("# x\n", False),
                              (table + "## Other\n" + row, False)]:
            tree = self.tree({"evidence/exit_status.hpp": header, "README.md": readme})
            self.assertEqual(list(exit_statuses.differences(tree)) == [], agree, readme)


if __name__ == "__main__":
    unittest.main()
