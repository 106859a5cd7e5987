"""Feeds scripts/check_edges small trees with one fault each, and expects it to be found."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_edges"


def check(files):
    """Runs the check over a tree of {path: text}; returns (status, output)."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        run = subprocess.run(
            [sys.executable, SCRIPT, "--root", folder], capture_output=True, text=True, check=False
        )
        return run.returncode, run.stdout


class CheckEdges(unittest.TestCase):
    def assert_clean(self, files):
        self.assertEqual(check(files), (0, ""))

    def assert_fault(self, files, text):
        status, output = check(files)
        self.assertEqual(status, 1)
        self.assertIn(text, output)
        self.assertEqual(len(output.splitlines()), 1, output)

    def test_allowed_edges_pass(self):
        self.assert_clean({
            "include/ingle/model/a.h": '#include <vector>\n#include "ingle/core/json.h"\n',
            "include/ingle/core/json.h": "#include <nlohmann/json_fwd.hpp>\n",
            "src/model/a.cpp": '#include "ingle/model/a.h"\n#include <nlohmann/json.hpp>\n'
                               '#include "model/a_internal.h"\n',
            "src/engine_llama/e.cpp": '#include <llama.h>\n#include <chat.h>\n',
            "apps/ingle/main.cpp": '#include "ingle/engine_llama/llama_model.h"\n',
        })

    def test_edge_against_the_layers_is_found_with_its_line(self):
        self.assert_fault({"src/core/a.cpp": '\n#include "ingle/model/message.h"\n'},
                          "src/core/a.cpp:2: module core may not include model")

    def test_edges_are_transitive(self):
        self.assert_clean({"src/agent/a.cpp": '#include "ingle/core/error.h"\n'})

    def test_cli_knows_no_engine(self):
        self.assert_fault({"src/cli/a.cpp": '#include "ingle/engine_llama/llama_model.h"\n'},
                          "cli may not include engine_llama")

    def test_private_header_of_another_module_is_found(self):
        self.assert_fault({"src/agent/a.cpp": '#include "session/codec_internal.h"\n'},
                          "private to module session")

    def test_tests_share_what_is_made_for_tests(self):
        include = '#include "gguf/gguf_test_writer.h"\n'
        self.assert_clean({"src/engine_llama/a_test.cpp": include,
                           "src/session/b_test.cpp": '#include "conformance/session_store.h"\n'})
        self.assert_fault({"src/engine_llama/a.cpp": include}, "private to module gguf")
        self.assert_fault({"src/core/a_test.cpp": include}, "core may not include gguf")

    def test_private_header_in_a_public_one_is_found(self):
        self.assert_fault({"include/ingle/agent/a.h": '#include "agent/a_internal.h"\n'},
                          "a public header cannot include the private")

    def test_engine_header_outside_its_folder_is_found(self):
        for header in ("<llama.h>", '"ggml-backend.h"', '"chat.h"'):
            self.assert_fault({"src/agent/a.cpp": f"#include {header}\n"},
                              "belongs to engine_llama, not to agent")
        self.assert_fault({"src/session/a.cpp": "#include <SQLiteCpp/SQLiteCpp.h>\n"},
                          "belongs to session_sqlite")

    def test_library_in_a_public_header_is_found(self):
        self.assert_fault({"include/ingle/model/a.h": "#include <nlohmann/json.hpp>\n"},
                          "in a public header")

    def test_only_tests_include_testing(self):
        include = '#include "ingle/testing/scripted_model.h"\n'
        self.assert_clean({"src/agent/a_test.cpp": include + "#include <gtest/gtest.h>\n"})
        self.assert_fault({"src/agent/a.cpp": include}, "agent may not include testing")
        self.assert_fault({"src/agent/a.cpp": "#include <gtest/gtest.h>\n"}, "not to agent")

    def test_relative_include_is_found(self):
        self.assert_fault({"src/agent/a.cpp": '#include "a_internal.h"\n'}, "from the root")

    def test_umbrella_header_is_found(self):
        for path in ("src/agent/a.cpp", "apps/ingle/main.cpp"):
            self.assert_fault({path: '#include "ingle/ingle.h"\n'}, "for users")

    def test_unknown_module_is_found(self):
        self.assert_fault({"src/extra/a.cpp": ""}, "not in the table")

    def test_character_outside_ascii_is_found(self):
        self.assert_fault({"src/core/a.cpp": 'auto dash = "\u2014";\n'}, "a.cpp:1: not ASCII")


if __name__ == "__main__":
    unittest.main()
