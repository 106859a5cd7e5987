"""The command with the default model."""

import signal
import time
import unittest

from command import DEFAULT_MODEL, CommandTest

ONE_THREAD = ("--threads", 1)  # llama.cpp's threads spin: on a busy machine one is the quickest.
LONG_PROMPT = "Count the words. " + "tea time " * 830  # About 1,700 tokens: ten seconds before a word.


@unittest.skipUnless(DEFAULT_MODEL.exists(), "scripts/fetch has not been run")
class RealModel(CommandTest):
    def test_an_answer(self):
        ran = self.ingle("run", *ONE_THREAD, "--max-tokens", 24, "Say hello to Ada.")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertGreater(len(ran.out.split()), 1)

    def test_an_answer_with_a_tool(self):
        # Whether the call is the right one is measured in bench/tasks/files; here, that it runs.
        (self.folder / "server.txt").write_text("The server listens on port 7311.\n")
        ran = self.ingle("run", "--json", *ONE_THREAD, "--tools", "list_files,read_file,calculator",
                         "--root", self.folder,
                         "Which port does the server listen on? Look into server.txt.")
        self.assertEqual(ran.code, 0, ran.err)
        self.check_stream(ran, "completed")
        self.assertEqual(ran.events("tool_finished")[0]["source"], "tool")
        self.assertNotEqual(ran.lines[-1]["text"], "")

    def test_ctrl_c_in_a_long_prefill(self):
        running = self.start("run", "--json", *ONE_THREAD, "--session", "s", LONG_PROMPT)
        running.until("model_called")
        sent = time.monotonic()
        running.process.send_signal(signal.SIGINT)
        ran = running.end()
        took = time.monotonic() - sent
        self.assertEqual(ran.code, 130, ran.err)
        self.check_stream(ran, "cancelled")
        self.assertEqual(ran.lines[-1]["reason"], "user")
        self.assertEqual(ran.events("text_delta"), [])
        # Told, not asserted: how long it takes depends on who else computes.
        print(f"cancelled after {took:.2f} s")
        self.assertLess(ran.lines[-1]["usage"]["prompt_tokens"], 1600)

    def test_a_prompt_that_does_not_fit(self):
        ran = self.ingle("run", "--json", *ONE_THREAD, "--context", 256, LONG_PROMPT)
        self.assertEqual(ran.code, 1, ran.err)
        self.assertEqual(ran.lines[-1]["error"]["reason"], "context_length_exceeded")
        self.assertEqual(ran.lines[-1]["error"]["details"]["context_window"], 256)
        self.assertGreater(ran.lines[-1]["error"]["details"]["prompt_tokens"], 1000)


if __name__ == "__main__":
    unittest.main()
