"""Files that are no model to chat with: exit code 2 and one clear line each."""

import unittest

import gguf_file
from command import DEFAULT_MODEL, CommandTest


class ModelFiles(CommandTest):
    def check(self, path, *words):
        ran = self.ingle("run", "--model", path, "Hello")
        self.assertEqual(ran.code, 2, ran.err)
        self.assertEqual(ran.out, "")
        lines = ran.err.splitlines()
        self.assertEqual(len(lines), 1, ran.err)
        self.assertTrue(lines[0].startswith("ingle: "), lines[0])
        for word in words:
            self.assertIn(word, lines[0])
        print(lines[0].replace(str(self.folder), "..."))

    def file(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def test_empty_file(self):
        self.check(self.file("empty.gguf", b""), "empty")

    def test_text_file(self):
        self.check(self.file("notes.gguf", b"Dear diary,\n" * 1000), "GGUF")

    def test_folder(self):
        self.check(f"{self.folder}/", "folder")

    def test_missing_path(self):
        self.check(self.folder / "nowhere.gguf", "nowhere.gguf")

    def test_model_for_embeddings(self):
        path = self.folder / "embedding.gguf"
        gguf_file.write_embedding_model(path)
        self.check(path, "embedding")

    def test_unknown_architecture(self):
        path = self.folder / "strange.gguf"
        gguf_file.write(path, {"general.architecture": "hearth"}, {"token_embd.weight": (8, 4)})
        self.check(path, "hearth")

    def test_header_that_promises_more_than_the_file_has(self):
        path = self.folder / "torn.gguf"
        gguf_file.write_embedding_model(path)
        path.write_bytes(path.read_bytes()[:-64])
        self.check(path)

    def test_header_without_a_model_behind_it(self):
        # Right on the outside: only llama.cpp, in a child process, finds out.
        path = self.folder / "hollow.gguf"
        gguf_file.write(path, {"general.architecture": "llama"}, {"token_embd.weight": (8, 4)})
        self.check(path)

    @unittest.skipUnless(DEFAULT_MODEL.exists(), "scripts/fetch has not been run")
    def test_model_cut_at_one_megabyte(self):
        with DEFAULT_MODEL.open("rb") as file:
            path = self.file("cut.gguf", file.read(1 << 20))
        self.check(path)


if __name__ == "__main__":
    unittest.main()
