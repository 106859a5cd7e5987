"""What a shell offers when a person presses Tab, in the shells themselves."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

from command import BINARY, LONGEST, CommandTest


def needs(shell):
    return unittest.skipUnless(shutil.which(shell), f"{shell} is not installed")


class Completion(CommandTest):

    def shell(self, *args):
        env = {**self.env, "TERM": "dumb",
               "PATH": f"{pathlib.Path(BINARY).parent}:{self.env['PATH']}"}
        ran = subprocess.run(args, env=env, text=True, capture_output=True, timeout=LONGEST,
                             stdin=subprocess.DEVNULL)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout.split()

    def bash(self, *words):
        quoted = " ".join(f"'{word}'" for word in words)
        return self.shell("bash", "-c", f"""eval "$(ingle completion bash)"
            COMP_WORDS=(ingle {quoted}) COMP_CWORD={len(words)}
            _ingle
            printf '%s\\n' "${{COMPREPLY[@]}}" """)

    @needs("bash")
    def test_bash(self):
        self.assertEqual(self.bash("re"), ["resume"])
        self.assertEqual(self.bash("run", "--top"), ["--top-k", "--top-p"])
        self.assertEqual(self.bash("run", "--thinking", ""), ["on", "off"])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "some file.db"
            file.touch()
            self.assertEqual(" ".join(self.bash("run", "--data", f"{folder}/so")), str(file))

    @needs("zsh")
    def test_zsh(self):
        self.shell("zsh", "-f", "-c", "ingle completion zsh > /dev/null")
        # compadd works only while a line is edited: what it would be told is printed in its place.
        printed = self.shell("zsh", "-f", "-c", """
            compdef() { }
            eval "$(ingle completion zsh)"
            compadd() { [[ $1 == -S ]] && shift 2; print -r -- "$2" }
            _files() { print -r -- files "$@" }
            words=(ingle run --kv-type q) CURRENT=4
            _ingle
            words=(ingle run --root '') CURRENT=4
            _ingle""")
        self.assertEqual(printed, ["q8", "q4", "files", "-/"])

    @needs("fish")
    def test_fish(self):
        printed = self.shell("fish", "--no-config", "-c", """
            ingle completion fish | source
            complete --do-complete 'ingle run --kv-type q'
            complete --do-complete 'ingle resu'""")
        self.assertEqual(printed, ["q4", "q8", "resume"])  # In its own order.


if __name__ == "__main__":
    unittest.main()
