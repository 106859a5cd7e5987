"""Writes small GGUF files (version 3, little-endian): enough of the format for tests."""

import struct

UINT32, FLOAT32, STRING, ARRAY = 4, 6, 8, 9


def _string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value):
    if isinstance(value, str):
        return struct.pack("<I", STRING) + _string(value)
    if isinstance(value, float):
        return struct.pack("<If", FLOAT32, value)
    if isinstance(value, list):
        return struct.pack("<IIQ", ARRAY, STRING, len(value)) + b"".join(map(_string, value))
    return struct.pack("<II", UINT32, value)


def write(path, metadata, tensors):
    """`tensors`: name to shape; all of them float32 zeros."""
    header = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    for key, value in metadata.items():
        header += _string(key) + _value(value)
    offset = 0
    for name, shape in tensors.items():
        header += _string(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
        header += struct.pack("<IQ", 0, offset)
        size = 4
        for extent in shape:
            size *= extent
        offset += (size + 31) // 32 * 32
    padding = b"\0" * (-len(header) % 32)
    path.write_bytes(header + padding + b"\0" * offset)


def write_embedding_model(path):
    """A header that says: made for embeddings."""
    metadata = {
        "general.architecture": "bert",
        "general.name": "tiny embedding model",
        "bert.context_length": 16,
        "bert.embedding_length": 8,
        "bert.feed_forward_length": 8,
        "bert.block_count": 1,
        "bert.attention.head_count": 1,
        "bert.attention.layer_norm_epsilon": 1e-12,
        "bert.pooling_type": 1,
        "tokenizer.ggml.model": "bert",
        "tokenizer.ggml.tokens": ["[PAD]", "[UNK]", "[CLS]", "[SEP]"],
    }
    write(path, metadata, {"token_embd.weight": (8, 4)})
