"""Ctrl-C, SIGTERM and a reader that goes away. Each test waits for lines, never for time."""

import signal
import unittest

from command import LONGEST, CommandTest, TEST_TOOLS_BINARY, call


class Signals(CommandTest):
    binary = TEST_TOOLS_BINARY

    def start_run(self, model, *args):
        return self.start("run", "--json", "--session", "s", "--model", model, "--tools", "all",
                          "--allow", "*", *args, "Q")

    def send(self, running, number):
        running.process.send_signal(number)

    def test_ctrl_c_cancels_a_reply(self):
        running = self.start_run(self.script({"pieces": ["a", "b"], "delay_ms": 2000}))
        running.until("text_delta")
        self.send(running, signal.SIGINT)
        ran = running.end()
        self.assertEqual(ran.code, 130, ran.err)
        self.check_stream(ran, "cancelled")
        self.assertEqual(ran.lines[-1]["reason"], "user")
        self.assertEqual(ran.lines[-1]["text"], "a")

    def test_ctrl_c_cancels_a_tool(self):
        running = self.start_run(self.script(call("wait_once", marker=str(self.folder / "never"))))
        running.until("tool_started")
        self.send(running, signal.SIGINT)
        ran = running.end()
        self.assertEqual(ran.code, 130, ran.err)
        self.check_stream(ran, "cancelled")

    def test_a_second_ctrl_c_ends_what_does_not_listen(self):
        running = self.start_run(self.script(call("wait_deaf", marker=str(self.folder / "never"))))
        running.until("tool_started")
        self.send(running, signal.SIGINT)
        running.until_error_line("once more")
        self.send(running, signal.SIGINT)
        self.assertEqual(running.end().code, 130)

    def test_sigterm_pauses_and_resume_completes(self):
        marker = self.folder / "marker"
        model = self.script(call("wait_again", marker=str(marker)),
                            call("calculator", expression="6*7"), {"text": "It is 42."})
        running = self.start_run(model)
        running.until("tool_started")
        self.send(running, signal.SIGTERM)
        running.until_error_line("pausing")
        marker.touch()
        ran = running.end()
        self.assertEqual(ran.code, 4, ran.err)
        self.check_stream(ran, "paused")
        self.assertEqual(ran.lines[-1]["reason"], "terminated")
        resumed = self.ingle("resume", "s", "--json")
        self.assertEqual(resumed.code, 0, resumed.err)
        self.check_stream(resumed, "completed", first_seq=ran.lines[-2]["seq"] + 1)
        self.assertEqual(resumed.lines[-1]["text"], "It is 42.")

    def test_a_second_sigterm_cancels(self):
        running = self.start_run(self.script(call("wait_once", marker=str(self.folder / "never"))))
        running.until("tool_started")
        self.send(running, signal.SIGTERM)
        running.until_error_line("pausing")
        self.send(running, signal.SIGTERM)
        ran = running.end()
        self.assertEqual(ran.code, 130, ran.err)
        self.assertEqual(ran.lines[-1]["reason"], "shutdown")

    def test_a_reader_that_goes_away_cancels(self):
        marker = self.folder / "marker"
        model = self.script(call("wait_again", marker=str(marker)), {"text": "never"})
        running = self.start_run(model)
        running.until("tool_started")
        running.process.stdout.close()
        marker.touch()
        self.assertEqual(running.process.wait(timeout=LONGEST), 130)
        resumed = self.ingle("resume", "s", "--json")
        self.assertEqual(resumed.code, 0, resumed.err)


if __name__ == "__main__":
    unittest.main()
