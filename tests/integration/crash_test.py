"""kill -9 between a tool's start and its result, and what resume makes of it."""

import unittest

from command import CommandTest, TEST_TOOLS_BINARY, call


class Crash(CommandTest):
    binary = TEST_TOOLS_BINARY

    def setUp(self):
        super().setUp()
        self.marker = self.folder / "marker"

    def kill_in(self, tool):
        """A run that dies while `tool` runs."""
        model = self.script(call(tool, marker=str(self.marker)), {"text": "All done."})
        running = self.start("run", "--json", "--session", "s", "--model", model, "--tools", "all",
                             "--allow", "wait_*", "Q")
        running.until("tool_started")
        running.process.kill()
        self.assertEqual(running.end().code, -9)

    def question(self, ran):
        """The id of the one open question of a run that was interrupted."""
        self.assertEqual(ran.code, 3, ran.err)
        self.assertEqual(ran.lines[-1]["outcome"], "interrupted")
        return ran.lines[-1]["interrupts"][0]

    def test_an_idempotent_tool_runs_again(self):
        self.kill_in("wait_again")
        self.marker.touch()
        ran = self.ingle("resume", "s", "--json")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual([event["attempt"] for event in ran.events("tool_started")], [2])
        self.assertEqual(ran.lines[-1]["text"], "All done.")

    def test_people_are_told_that_it_runs_again(self):
        self.kill_in("wait_again")
        self.marker.touch()
        ran = self.ingle("resume", "s")
        self.assertEqual((ran.code, ran.out), (0, "All done.\n"))
        self.assertIn("(again: attempt 2)", ran.err)

    def test_any_other_tool_is_reported_as_unknown(self):
        self.kill_in("wait_once")
        self.marker.touch()
        ran = self.ingle("resume", "s", "--json")
        self.question(ran)
        self.assertEqual(ran.events("interrupt_raised")[0]["kind"], "unknown_outcome")
        self.assertEqual(ran.events("tool_started"), [])
        # Asking again changes nothing.
        self.assertEqual(self.question(self.ingle("resume", "s", "--json")), self.question(ran))

    def test_a_person_is_told_how_to_go_on(self):
        self.kill_in("wait_once")
        ran = self.ingle("resume", "s")
        self.assertEqual(ran.code, 3)
        self.assertEqual(ran.out, "")
        self.assertIn("unknown", ran.err)
        self.assertIn("=respond:TEXT", ran.err)

    def answer(self, answer):
        self.kill_in("wait_once")
        question = self.question(self.ingle("resume", "s", "--json"))
        self.marker.touch()
        ran = self.ingle("resume", "s", "--json", "--answer", f"{question}={answer}")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(ran.lines[-1]["text"], "All done.")
        return ran

    def test_responding_gives_the_result(self):
        ran = self.answer("respond:It did happen.")
        self.assertEqual(ran.events("tool_started"), [])
        self.assertEqual(ran.events("tool_finished")[0]["text"], "It did happen.")

    def test_approving_runs_it_again(self):
        ran = self.answer("approve")
        self.assertEqual([event["attempt"] for event in ran.events("tool_started")], [2])

    def test_rejecting_goes_on_without_it(self):
        ran = self.answer("reject:Let it be.")
        self.assertEqual(ran.events("tool_started"), [])
        self.assertIs(ran.events("tool_finished")[0]["is_error"], True)


if __name__ == "__main__":
    unittest.main()
