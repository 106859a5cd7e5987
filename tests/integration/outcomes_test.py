"""Every outcome that a scripted model can bring about, its exit code and its JSON lines."""

import json
import unittest

from command import CommandTest, TEST_TOOLS_BINARY, call


class Outcomes(CommandTest):
    def run_json(self, model, *args):
        return self.ingle("run", "--json", "--session", "s", "--model", model, *args, "Question?")

    def test_completed(self):
        (self.folder / "notes.txt").write_text("The tea is green.\n")
        model = self.script(call("read_file", path="notes.txt"), {"pieces": ["It is ", "green."]})
        ran = self.ingle("run", "--model", model, "--tools", "read_file", "--root", self.folder,
                         "Which tea?")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(ran.out, "It is green.\n")
        self.assertIn('-> read_file {"path":"notes.txt"}\n<- ', ran.err)

    def test_completed_json(self):
        model = self.script(call("calculator", expression="6*7"), {"text": "42"})
        ran = self.run_json(model, "--tools", "calculator")
        self.assertEqual(ran.code, 0, ran.err)
        self.check_stream(ran, "completed")
        self.assertEqual(ran.events("tool_finished")[0]["text"], "42")
        self.assertEqual(ran.lines[0]["type"], "session_started")

    def test_tool_result(self):
        ran = self.run_json(self.script(call("calculator", expression="6*7")), "--tools", "all",
                            "--until-tool", "calculator")
        self.assertEqual(ran.code, 0, ran.err)
        self.check_stream(ran, "tool_result")
        self.assertEqual(ran.lines[-1]["value"], 42)

    def test_interrupted_and_answered(self):
        model = self.script(call("calculator", expression="6*7"), {"text": "It is 42."})
        ran = self.run_json(model, "--tools", "calculator", "--ask", "calc*")
        self.assertEqual(ran.code, 3, ran.err)
        self.check_stream(ran, "interrupted")
        question = ran.lines[-1]["interrupts"][0]
        resumed = self.ingle("resume", "s", "--answer", f"{question}=approve")
        self.assertEqual((resumed.code, resumed.out), (0, "It is 42.\n"), resumed.err)

    def test_interrupted_says_what_to_do(self):
        model = self.script(call("calculator", expression="6*7"), {"text": "Then not."})
        ran = self.ingle("run", "--session", "s", "--model", model, "--tools", "all", "--ask", "*",
                         "Q")
        self.assertEqual(ran.code, 3)
        line = [line for line in ran.err.splitlines() if "=reject" in line][0]
        command = line.split(self.binary + " ")[1]
        self.assertEqual(self.ingle(*command.split()).code, 0)

    def test_stopped(self):
        model = self.script(call("calculator", expression="1"), {"text": "never"})
        ran = self.run_json(model, "--tools", "all", "--max-steps", 1)
        self.assertEqual(ran.code, 5, ran.err)
        self.check_stream(ran, "stopped")

    def test_stopped_by_time(self):
        model = self.script({"text": "too late", "delay_ms": 60000})
        ran = self.run_json(model, "--timeout", 0.05)
        self.assertEqual(ran.code, 5, ran.err)
        self.check_stream(ran, "stopped")
        self.assertEqual(ran.lines[-1]["limit"], "wall_time")

    def test_failed(self):
        ran = self.run_json(self.script({"error": {"code": "unavailable", "message": "gone"}}))
        self.assertEqual(ran.code, 1)
        self.check_stream(ran, "failed")
        self.assertEqual(ran.lines[-1]["error"]["code"], "unavailable")

    def test_a_script_without_lines_fails(self):
        ran = self.run_json(self.script())
        self.assertEqual(ran.code, 1)
        self.assertEqual(ran.lines[-1]["error"]["reason"], "script_exhausted")

    def test_every_run_of_a_session_counts_on(self):
        model = self.script({"text": "one"})
        first = self.run_json(model)
        second = self.run_json(model)
        self.check_stream(second, "completed", first_seq=first.lines[-2]["seq"] + 1)

    def test_the_same_command_resumes_a_failed_run(self):
        model = self.script({"error": {"code": "unavailable"}}, {"text": "now"})
        self.assertEqual(self.run_json(model).code, 1)
        self.assertEqual(self.ingle("resume", "s").out, "now\n")


class Input(CommandTest):
    def one_line(self, ran):
        self.assertEqual(ran.code, 2, ran.err)
        self.assertEqual(ran.out, "")
        self.assertEqual(ran.err.count("\n"), 1, ran.err)
        self.assertTrue(ran.err.startswith("ingle: "), ran.err)

    def test_mistakes_are_one_line(self):
        model = self.script({"text": "x"})
        for args in (["run", "--nonsense"], ["run", "--model", model, "--tools", "nope", "Q"],
                     ["run", "--model", "no-such-model", "Q"], ["run", "--model", model],
                     ["run", "--model", f"scripted:{self.folder}/none", "Q"],
                     ["run", "--model", model, "--tools", "all", "--root", f"{self.folder}/x", "Q"],
                     ["run", "--model", model, "--session", "../x", "Q"],
                     ["resume", "unknown"], ["walk"], []):
            with self.subTest(args=args):
                self.one_line(self.ingle(*args))

    def test_a_script_with_a_mistake_names_its_line(self):
        path = self.folder / "bad.jsonl"
        path.write_text('{"text": "x"}\n{"tekst": "y"}\n')
        ran = self.ingle("run", "--model", f"scripted:{path}", "Q")
        self.one_line(ran)
        self.assertIn("line 2", ran.err)

    def test_the_prompt_may_come_from_a_pipe(self):
        ran = self.ingle("run", "--model", self.script({"text": "yes"}), stdin="Does it work?\n")
        self.assertEqual((ran.code, ran.out), (0, "yes\n"))

    def test_an_error_is_the_last_json_line(self):
        ran = self.ingle("run", "--json", "--model", "no-such-model", "Q")
        self.assertEqual(ran.code, 2)
        self.assertEqual([line["type"] for line in ran.lines], ["error"])


class Facts(CommandTest):
    def test_help_is_everywhere(self):
        for args in ([], ["run"], ["resume"], ["doctor"], ["version"]):
            ran = self.ingle(*args, "--help")
            self.assertEqual(ran.code, 0)
            self.assertIn("Exit codes", ran.out)

    def test_version(self):
        ran = self.ingle("version")
        self.assertEqual(ran.code, 0)
        self.assertRegex(ran.out, r"^ingle \d+\.\d+\.\d+\n")
        self.assertIn("ingle", json.loads(self.ingle("version", "--json").out))

    def test_doctor(self):
        ran = self.ingle("doctor")
        self.assertIn(ran.code, (0, 1))
        self.assertIn("cores", ran.out)
        findings = json.loads(self.ingle("doctor", "--json").out)
        self.assertEqual(findings["ok"], ran.code == 0)


class MoreTools(CommandTest):
    binary = TEST_TOOLS_BINARY

    def test_tools_that_may_change_something_are_asked_about(self):
        model = self.script(call("wait_once", marker=str(self.folder)))
        ran = self.ingle("run", "--model", model, "--tools", "wait_once", "Q")
        self.assertEqual(ran.code, 3, ran.err)


if __name__ == "__main__":
    unittest.main()
