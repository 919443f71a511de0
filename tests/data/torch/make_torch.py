"""Makes the files of this folder: a tiny masked-LM BERT as torch.save writes it, in every form that is read.

    pip install torch numpy
    python make_torch.py        # made with torch 2.13.0

Every number is a multiple of 1/64 below 2 and thus exact in float16 and bfloat16, so that all files hold the same
weights as reference.safetensors.
"""

import json
import struct
from collections import OrderedDict
from pathlib import Path

import torch

here = Path(__file__).parent


def make(hidden, vocab=67, positions=8, intermediate=3):
    generator = torch.Generator().manual_seed(hidden)
    weights = OrderedDict()

    def tensor(name, *shape):
        weights[name] = torch.randint(-127, 128, shape, generator=generator).float() / 64

    def dense(name, out, into):
        tensor(f"{name}.weight", out, into)
        tensor(f"{name}.bias", out)

    def norm(name):
        tensor(f"{name}.gamma", hidden)
        tensor(f"{name}.beta", hidden)

    tensor("bert.embeddings.word_embeddings.weight", vocab, hidden)
    tensor("bert.embeddings.position_embeddings.weight", positions, hidden)
    tensor("bert.embeddings.token_type_embeddings.weight", 2, hidden)
    norm("bert.embeddings.LayerNorm")
    layer = "bert.encoder.layer.0"
    for part in ("query", "key", "value"):
        dense(f"{layer}.attention.self.{part}", hidden, hidden)
    dense(f"{layer}.attention.output.dense", hidden, hidden)
    norm(f"{layer}.attention.output.LayerNorm")
    dense(f"{layer}.intermediate.dense", intermediate, hidden)
    dense(f"{layer}.output.dense", hidden, intermediate)
    norm(f"{layer}.output.LayerNorm")
    tensor("cls.predictions.bias", vocab)
    dense("cls.predictions.transform.dense", hidden, hidden)
    norm("cls.predictions.transform.LayerNorm")
    return weights


def save_reference(weights, file):
    header, data = {}, b""
    for name, tensor in weights.items():
        bytes_ = tensor.contiguous().numpy().tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(tensor.shape),
            "data_offsets": [len(data), len(data) + len(bytes_)],
        }
        data += bytes_
    text = json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(text)) + text + data)


def as_published(weights):
    """What older checkpoints have beside the plain tensors: tied ones, parameters, transposed matrices, integers."""
    published = OrderedDict(weights)
    query = "bert.encoder.layer.0.attention.self.query.weight"
    published[query] = weights[query].t().contiguous().t()  # column by column, as it came from TensorFlow
    published["cls.predictions.transform.dense.weight"] = torch.nn.Parameter(
        weights["cls.predictions.transform.dense.weight"]
    )
    published["cls.predictions.decoder.weight"] = published["bert.embeddings.word_embeddings.weight"]
    published["bert.embeddings.position_ids"] = torch.arange(8).unsqueeze(0)
    published._metadata = OrderedDict([("", {"version": 1})])
    return published


def converted(weights, dtype):
    """In another type; what is tied stays tied, what is transposed stays so."""
    of = {id(tensor): tensor.detach().to(dtype) for tensor in weights.values()}
    return OrderedDict((name, of[id(tensor)]) for name, tensor in weights.items())


def main():
    weights = make(hidden=4)
    published = as_published(weights)
    save_reference(weights, here / "reference.safetensors")
    torch.save(published, here / "zip.bin")
    torch.save(published, here / "stream.bin", _use_new_zipfile_serialization=False)
    for name, dtype in {"half": torch.float16, "bfloat16": torch.bfloat16, "double": torch.float64}.items():
        torch.save(converted(weights, dtype), here / f"{name}.bin")

    # Shards: the first half of the tensors, then the rest.
    names = list(weights)
    parts = [names[: len(names) // 2], names[len(names) // 2 :]]
    index = {"metadata": {"total_size": 4 * sum(t.numel() for t in weights.values())}, "weight_map": {}}
    for i, part in enumerate(parts, 1):
        file = f"pytorch_model-{i:05}-of-{len(parts):05}.bin"
        torch.save(OrderedDict((name, weights[name]) for name in part), here / file)
        index["weight_map"].update(dict.fromkeys(part, file))
    (here / "pytorch_model.bin.index.json").write_text(json.dumps(index, indent=2) + "\n")

    # A tensor without elements, larger in one dimension than its storage.
    torch.save(published | {"cls.predictions.dense.weight": torch.zeros(67, 0)}, here / "empty.bin")

    # Large enough for int8.
    wide = as_published(make(hidden=32, intermediate=32))
    torch.save(converted(wide, torch.float16), here / "wide.bin")


if __name__ == "__main__":
    main()
