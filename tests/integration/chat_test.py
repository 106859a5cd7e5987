"""ingle chat at a pseudo-terminal and in a pipe. Each test waits for text, never for time."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import stat
import struct
import subprocess
import termios
import time
import unittest

from command import LONGEST, CommandTest, TEST_TOOLS_BINARY, call

ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[()][0-9A-B]|\x1b[=>]")
PROMPT = "> "
CTRL_C, CTRL_D, CTRL_R, UP, LEFT, HOME = "\x03", "\x04", "\x12", "\x1b[A", "\x1b[D", "\x01"


class Terminal:
    """A command at a pseudo-terminal of 80 columns."""

    def __init__(self, args, env):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

        def own_the_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            args, env={**env, "TERM": "xterm-256color"}, stdin=slave, stdout=slave, stderr=slave,
            preexec_fn=own_the_terminal)
        os.close(slave)
        self.raw = ""
        self.seen = 0  # Of what is shown: `until` looks behind it.

    @property
    def shown(self):
        return ESCAPES.sub("", self.raw).replace("\r", "")

    def until(self, *texts):
        """Reads until each of `texts` was shown, one behind the other; returns what was read."""
        begin = self.seen
        for text in texts:
            deadline = time.monotonic() + LONGEST
            while (at := self.shown.find(text, self.seen)) < 0:
                if not self.read(deadline):
                    raise AssertionError(f"ended or waits without {text!r}: {self.raw!r}")
            self.seen = at + len(text)
        return self.shown[begin:self.seen]

    def read(self, deadline):
        ready, _, _ = select.select([self.master], [], [], max(0, deadline - time.monotonic()))
        try:
            data = os.read(self.master, 65536) if ready else b""
        except OSError:  # The other side is closed.
            data = b""
        self.raw += data.decode(errors="replace")
        return bool(data)

    def send(self, text):
        os.write(self.master, text.encode())

    def line(self, text):
        """Waits for the prompt, and enters a line."""
        self.until(PROMPT)
        self.send(text + "\r")

    def end(self):
        while self.read(time.monotonic() + LONGEST):
            pass
        return self.process.wait(timeout=LONGEST)

    def stop(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)


class Chat(CommandTest):
    binary = TEST_TOOLS_BINARY

    def chat(self, *args, model=None, session="s"):
        model = ["--model", model] if model else []
        terminal = Terminal([self.binary, "chat", "--session", session, *model, *map(str, args)],
                            self.env)
        self.addCleanup(terminal.stop)
        return terminal

    def messages(self, session="s"):
        """What the person has said in a session, by the log."""
        saved = self.folder / f"{session}-{time.monotonic_ns()}.json"
        done = self.ingle("chat", "--session", session, stdin=f"/save {saved}\n")
        self.assertEqual(done.code, 0, done.err)
        return [part["text"] for message in json.loads(saved.read_text())["messages"]
                if message["role"] == "user" for part in message["content"]]

    def quit(self, terminal, code=0):
        terminal.until(PROMPT)
        terminal.send(CTRL_D)
        self.assertEqual(terminal.end(), code, terminal.raw)

    # Lines.

    def test_answers_stream_and_ctrl_d_leaves(self):
        chat = self.chat(model=self.script({"pieces": ["It is ", "green."]}, {"text": "Black."}))
        chat.line("What is tea?")
        chat.until("It is green.", "tokens in")
        chat.line("And coffee?")
        chat.until("Black.")
        self.quit(chat)
        self.assertIn("to go on: ", chat.shown)
        self.assertEqual(self.messages(), ["What is tea?", "And coffee?"])

    def test_a_line_is_edited(self):
        chat = self.chat(model=self.script({"text": "Yes."}))
        chat.line("Gren tee" + LEFT + "\x7fe" + HOME + "\x1b[C\x1b[C\x1b[Ce" + "\x05?")
        chat.until("Yes.")
        self.quit(chat)
        self.assertEqual(self.messages(), ["Green tee?"])

    def test_characters_beyond_ascii_are_edited_whole(self):
        for name in ("LANG", "LC_ALL", "LC_CTYPE"):
            self.env.pop(name, None)
        chat = self.chat(model=self.script({"text": "Ja."}))
        chat.line("K\u00fcche \u8336\u8336 \U0001f375" + LEFT * 2 + "\x7f!")
        chat.until("Ja.")
        self.quit(chat)
        self.assertEqual(self.messages(), ["K\u00fcche \u8336! \U0001f375"])

    def test_earlier_lines_come_back_in_the_next_chat(self):
        model = self.script(*[{"text": "Yes."}] * 4)
        chat = self.chat(model=model)
        chat.line("first one")
        chat.until("Yes.")
        chat.line("second")
        chat.until("Yes.")
        self.quit(chat)
        chat = self.chat(model=model)
        chat.until(PROMPT + "second", "Yes.")  # The recap.
        chat.line(UP + UP + "!")
        chat.until("Yes.")
        chat.line(CTRL_R + "seco\x05")
        chat.until("Yes.")
        self.quit(chat)
        self.assertEqual(self.messages(), ["first one", "second", "first one!", "second"])
        history = self.folder / "sessions.db.history"
        self.assertEqual(stat.S_IMODE(history.stat().st_mode), 0o600)

    def test_a_paste_of_several_lines_is_one_message(self):
        chat = self.chat(model=self.script({"text": "Read."}, {"text": "All."}))
        chat.line("see \x1b[200~one\r\ttwo\r/quit\r\x1b[201~ end")
        chat.until("Read.")
        chat.until(PROMPT)
        lines = "\n".join(f"line {i}" for i in range(500))
        chat.send("\x1b[200~" + lines.replace("\n", "\r") + "\x1b[201~")
        chat.until("[paste 1: 500 lines]")
        chat.send("\r")
        chat.until("All.")
        self.quit(chat)
        self.assertEqual(self.messages(), ["see one\n\ttwo\n/quit end", lines])

    def test_lines_go_on_behind_a_backslash_and_in_blocks(self):
        chat = self.chat(model=self.script({"text": "Read."}, {"text": "All."}))
        chat.line("one\\")
        chat.until("... ")
        chat.send("two\r")
        chat.until("Read.")
        chat.line('"""')
        chat.until("... ")
        chat.send('/three\r\rfour\r"""\r')
        chat.until("All.")
        self.quit(chat)
        self.assertEqual(self.messages(), ["one\ntwo", "/three\n\nfour"])

    def test_control_characters_of_a_model_do_not_reach_the_terminal(self):
        chat = self.chat(model=self.script({"text": "\x1b]0;owned\x07\x1b[2J!"}))
        chat.line("Q")
        chat.until(r"\x1b]0;owned\x07\x1b[2J!")
        self.quit(chat)
        self.assertNotIn("\x1b]0", chat.raw)

    # A tool needs a person.

    def waiting(self, *more):
        """A script whose first reply calls a tool that a person is asked about; it ends at once."""
        marker = self.folder / "marker"
        marker.touch()
        return self.script(call("wait_once", marker=str(marker)), *more)

    def test_a_call_is_approved(self):
        chat = self.chat("--tools", "all", model=self.waiting({"text": "Done."}))
        chat.line("Wait.")
        chat.until("wait_once", "May wait_once run?", "y run it", "y/n/r/l/a? ")
        chat.send("\r")
        chat.until("nothing is decided", "y/n/r/l/a? ")
        chat.send("y\r")
        chat.until("the marker is there", "bytes", "Done.")
        self.quit(chat)

    def test_what_was_typed_before_the_question_does_not_approve(self):
        first = {"pieces": ["a ", "b"], "delay_ms": 300}
        first["tool_calls"] = call("wait_once", marker=str(self.folder / "never"))["tool_calls"]
        chat = self.chat("--tools", "all", model=self.script(first, {"text": "Well."}))
        chat.line("Wait.")
        chat.until("a")
        chat.send("y\r")
        chat.until("y/n/r/l/a? ")
        chat.send("n\r")
        chat.until("why not (may be empty)? ")
        chat.send("Not now.\r")
        chat.until("by a person", "Well.")
        self.quit(chat)

    def test_a_question_that_is_left_is_asked_again_by_the_next_chat(self):
        model = self.waiting({"text": "Done."})
        chat = self.chat("--tools", "all", model=model)
        chat.line("Wait.")
        chat.until("y/n/r/l/a? ")
        chat.send("l\r")
        chat.until("it waits")
        self.quit(chat)
        chat = self.chat()
        chat.until("> Wait.", "May wait_once run?", "y/n/r/l/a? ")
        chat.send("y\r")
        chat.until("the marker is there", "Done.")
        self.quit(chat)

    # Signals.

    def test_ctrl_c_stops_an_answer_and_the_chat_goes_on(self):
        chat = self.chat(model=self.script({"pieces": ["half ", "more"], "delay_ms": 500},
                                           {"text": "Whole."}))
        chat.line("Q")
        chat.until("half")
        chat.send(CTRL_C)
        chat.until("stopped; what was written is kept")
        chat.line("Again")
        chat.until("Whole.")
        self.quit(chat)
        self.assertNotIn("more\n", chat.shown)
        self.assertEqual(self.messages(), ["Q", "Again"])

    def test_ctrl_c_again_leaves(self):
        chat = self.chat(model=self.script({"pieces": ["half ", "more"], "delay_ms": 500}))
        chat.line("Q")
        chat.until("half")
        chat.send(CTRL_C)
        chat.until("stopped; what was written", PROMPT)
        chat.send(CTRL_C)
        self.assertEqual(chat.end(), 130)

    def test_ctrl_c_drops_a_line_first(self):
        chat = self.chat(model=self.script({"text": "Yes."}))
        chat.until(PROMPT)
        chat.send("never sent" + CTRL_C)
        chat.line("Q")
        chat.until("Yes.", PROMPT)
        chat.send(CTRL_C)
        chat.until("once more, or Ctrl-D, to leave", PROMPT)
        chat.send(CTRL_C)
        self.assertEqual(chat.end(), 130)
        self.assertEqual(self.messages(), ["Q"])

    def test_a_second_ctrl_c_ends_a_tool_that_does_not_listen(self):
        chat = self.chat("--tools", "all", "--allow", "*", model=self.script(
            call("wait_deaf", marker=str(self.folder / "never"))))
        chat.line("Q")
        chat.until("wait_deaf")
        chat.send(CTRL_C)
        chat.until("once more to quit at once")
        chat.send(CTRL_C)
        self.assertEqual(chat.end(), 130)

    def test_sigterm_pauses_and_the_next_chat_goes_on(self):
        marker = self.folder / "marker"
        chat = self.chat("--tools", "all", "--allow", "*", model=self.script(
            call("wait_again", marker=str(marker)), call("calculator", expression="6*7"),
            {"text": "Done."}))
        chat.line("Q")
        chat.until("wait_again")
        chat.process.send_signal(signal.SIGTERM)
        chat.until("pausing at the next safe point")
        marker.touch()
        chat.until("paused: terminated", "to go on: ", "chat --session s")
        self.assertEqual(chat.end(), 4)
        chat = self.chat()
        chat.until("going on with the last turn", "Done.")
        self.quit(chat)

    def test_sigterm_at_the_prompt_leaves_and_the_terminal_is_as_it_was(self):
        chat = self.chat(model=self.script({"text": "Yes."}))
        before = termios.tcgetattr(chat.master)
        chat.line("Q")
        chat.until("Yes.", "tokens in", PROMPT)
        chat.process.send_signal(signal.SIGTERM)
        chat.until("to go on: ")
        self.assertEqual(chat.end(), 0)
        self.assertEqual(termios.tcgetattr(chat.master)[3], before[3])
        self.assertEqual(chat.raw.count("\x1b[?2004h"), chat.raw.count("\x1b[?2004l"))

    # A pipe.

    def test_a_pipe_is_a_script(self):
        model = self.script({"text": "One."}, {"text": "Two."})
        ran = self.ingle("chat", "--session", "s", "--model", model, stdin="a\n/session\n\nb")
        self.assertEqual((ran.code, ran.out), (0, "One.\nTwo.\n"), ran.err)
        self.assertNotIn("\x1b", ran.err)
        self.assertNotIn(PROMPT, ran.err)

    def test_a_pipe_that_ends_at_a_question_is_no_approval(self):
        ran = self.ingle("chat", "--session", "s", "--tools", "all", "--model", self.waiting(),
                         stdin="Wait.\n")
        self.assertEqual(ran.code, 3, ran.err)


if __name__ == "__main__":
    unittest.main()
