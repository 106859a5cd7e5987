"""Drives the ingle command in tests. CMakeLists.txt gives the binaries in the environment."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

LONGEST = 180  # Seconds that a test waits for a process: reaching it is a failure.
BINARY = os.environ["INGLE_BINARY"]
TEST_TOOLS_BINARY = os.environ["INGLE_TEST_TOOLS_BINARY"]
CACHE = pathlib.Path(os.environ["INGLE_CACHE"])
KEPT = ("INGLE_CACHE", "INGLE_DATA")
DEFAULT_MODEL = CACHE / "models" / "SmolLM2-135M-Instruct-Q4_1.gguf"


def call(name, **arguments):
    """One line of a script: the model calls a tool."""
    return {"tool_calls": [{"name": name, "arguments": arguments}]}


class Ran:
    """A process that has ended."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]

    def events(self, kind):
        return [line for line in self.lines if line["type"] == kind]


class Running:
    """A process that prints JSON lines and is waited for line by line."""

    def __init__(self, args, env):
        self.process = subprocess.Popen(
            args, env=env, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self.seen = []

    def until(self, kind):
        """Reads standard output up to the next line of the type `kind`, and returns that."""
        for line in self.process.stdout:
            self.seen.append(line)
            event = json.loads(line)
            if event["type"] == kind:
                return event
        raise AssertionError(f"ended without {kind}: {self.seen} {self.process.stderr.read()}")

    def until_error_line(self, text):
        """Reads standard error up to the next line that contains `text`."""
        for line in self.process.stderr:
            if text in line:
                return
        raise AssertionError(f"ended without saying {text!r}")

    def end(self):
        out, err = self.process.communicate(timeout=LONGEST)
        return Ran(self.process.returncode, "".join(self.seen) + out, err)


class CommandTest(unittest.TestCase):
    """A folder of its own, and the command in it."""

    binary = BINARY

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.env = {**os.environ, "INGLE_DATA": str(self.folder / "sessions.db")}
        for name in list(self.env):
            if name == "NO_COLOR" or (name.startswith("INGLE_") and name not in KEPT):
                del self.env[name]
        # Not the files of whoever runs the tests.
        self.env["INGLE_CONFIG"] = "none"

    def script(self, *replies):
        """Writes a script of replies; returns the value of --model."""
        path = self.folder / "script.jsonl"
        path.write_text("".join(json.dumps(reply) + "\n" for reply in replies))
        return f"scripted:{path}"

    def ingle(self, *args, stdin=""):
        done = subprocess.run(
            [self.binary, *map(str, args)], env=self.env, input=stdin, capture_output=True,
            text=True, timeout=LONGEST, check=False)
        return Ran(done.returncode, done.stdout, done.stderr)

    def start(self, *args):
        running = Running([self.binary, *map(str, args)], self.env)
        self.addCleanup(self.stop, running.process)
        return running

    @staticmethod
    def stop(process):
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def check_stream(self, ran, outcome, first_seq=1):
        """What holds for every --json stream: seq without gap, the outcome once and last."""
        seqs = [line["seq"] for line in ran.lines if "seq" in line]
        self.assertEqual(seqs, list(range(first_seq, first_seq + len(seqs))))
        self.assertEqual([line["type"] for line in ran.lines].count("outcome"), 1)
        self.assertEqual(ran.lines[-1]["type"], "outcome")
        self.assertEqual(ran.lines[-1]["outcome"], outcome)
